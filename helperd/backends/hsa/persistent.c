// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel that never ends: it is told of work, and tells of results, through
 * memory. No dispatch, no signal.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <unistd.h>

#include "backends/hsa/instance.h"
#include "lib/clock.h"

/* How often to see whether it has ended, when it was told to. */
#define LOOK_US	20

/* Local memory of a compute unit, in bytes; no GPU has less. */
#define LOCAL		65536u

/* As the kernel has them */
struct arguments {
	struct wavecrypt_gpu_ring *ring;
	struct wavecrypt_gpu_group *groups;
	struct wavecrypt_gpu_packet *packets;
	struct wavecrypt_gpu_key *keys;
	void *data;
};

/*
 * How many there is room for. Local memory is what work-groups are short of first. One
 * more place in each compute unit stays free: for dispatches, and for others.
 */
static uint32_t room(const struct hsa_session *session)
{
	uint32_t local = session->code.persistent.local;
	uint32_t places = local ? LOCAL / local : 1;

	return places > 1 ? (places - 1) * session->gpu->units : 0;
}

/* One for each compute unit: other instances, and the screen, want some, too. */
unsigned int hsa_persistent_groups(const struct hsa_session *session)
{
	uint32_t wanted = session->base.settings->hsa_groups, most = room(session);

	if (!wanted)
		wanted = session->gpu->units;
	return wanted < most ? wanted : most;
}

unsigned int hsa_persistent_most(const struct hsa_session *session)
{
	uint32_t groups = hsa_persistent_groups(session);

	return groups ? room(session) / groups : 0;
}

static hsa_status_t persistent_open(struct hsa_instance *in)
{
	struct arguments *args = (void *)in->arguments;
	struct hsa_session *session = in->session;
	struct wavecrypt_gpu_ring *shared;
	hsa_status_t status;

	if (sizeof(*args) > in->argument_size)
		return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
	status = hsa_shared_alloc(session->machine.fine, session->gpu->agent,
				  sizeof(*shared), (void **)&shared);
	if (!status)
		gpu_ring_init(&in->ring, shared, in->groups, in->places);
	if (!status)
		status = hsa.signal_create(1, 0, NULL, &in->ended);
	if (status)
		return status;
	*args = (struct arguments) {
		.ring = shared,
		.groups = in->groups,
		.packets = in->packets,
		.keys = in->keys.base.host,
		.data = in->arena->gpu,
	};
	return hsa_aql_dispatch(&in->aql, &session->code.persistent,
				wavecrypt_gpu_narrow.lanes, hsa_persistent_groups(session),
				args, in->ended) ?
	       HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

static void persistent_close(struct hsa_instance *in)
{
	if (in->ended.handle)
		hsa.signal_destroy(in->ended);
	hsa_shared_free(in->ring.shared);
}

static bool persistent_submit(struct hsa_instance *in, struct hsa_flight *f)
{
	gpu_ring_put(&in->ring, &f->ticket, f->base.chunk,
		     hsa_instance_index(in, f) * in->be.chunk_max);
	return true;
}

static bool persistent_done(struct hsa_instance *in, struct hsa_flight *f)
{
	return gpu_ring_done(&in->ring, &f->ticket, f->base.chunk);
}

/* It ends when it is told to, so that before it has failed. */
static bool persistent_alive(struct hsa_instance *in)
{
	return hsa.signal_load_scacquire(in->ended) > 0;
}

static bool persistent_end(struct hsa_instance *in)
{
	uint64_t until = clock_ns() + in->session->base.settings->timeout_ms *
				      NSEC_PER_MSEC;

	if (!in->ring.shared || !in->ended.handle || !in->aql.queue)
		return true;
	gpu_ring_stop(&in->ring);
	while (persistent_alive(in) && !hsa_aql_error(&in->aql) &&
	       clock_ns() < until)
		usleep(LOOK_US);
	return !persistent_alive(in);
}

const struct hsa_mode_ops hsa_persistent = {
	.open = persistent_open,
	.submit = persistent_submit,
	.done = persistent_done,
	.alive = persistent_alive,
	.end = persistent_end,
	.close = persistent_close,
};
