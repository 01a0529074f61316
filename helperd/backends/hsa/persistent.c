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

/* As the kernel has them */
struct arguments {
	struct wavecrypt_gpu_ring *ring;
	struct wavecrypt_gpu_group *groups;
	struct wavecrypt_gpu_packet *packets;
	struct wavecrypt_gpu_key *keys;
	void *data;
	void *icv;
};

static struct wavecrypt_gpu_group *group_of(const struct hsa_instance *in,
					    uint32_t ticket)
{
	return in->groups + (ticket & (in->places - 1));
}

/* One for each compute unit: other instances, and the screen, want some, too. */
static uint32_t work_groups(const struct hsa_session *session)
{
	return session->base.settings->hsa_groups ? session->base.settings->hsa_groups :
					 session->gpu->units;
}

static hsa_status_t persistent_open(struct hsa_instance *in)
{
	struct arguments *args = (void *)in->arguments;
	struct hsa_session *session = in->session;
	hsa_status_t status;

	if (sizeof(*args) > in->argument_size)
		return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
	status = hsa_shared_alloc(session->machine.fine, session->gpu->agent,
				  sizeof(*in->ring), (void **)&in->ring);
	if (!status)
		status = hsa.signal_create(1, 0, NULL, &in->ended);
	if (status)
		return status;
	in->ring->mask = in->places - 1;
	*args = (struct arguments) {
		.ring = in->ring,
		.groups = in->groups,
		.packets = in->packets,
		.keys = in->keys.shared,
		.data = in->arena->gpu,
		.icv = in->arena->gpu,
	};
	return hsa_aql_dispatch(&in->aql, &session->code.persistent,
				wavecrypt_gpu_narrow.lanes, work_groups(session),
				args, in->ended) ?
	       HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

static void persistent_close(struct hsa_instance *in)
{
	if (in->ended.handle)
		hsa.signal_destroy(in->ended);
	hsa_shared_free(in->ring);
}

static bool persistent_submit(struct hsa_instance *in, struct hsa_flight *f)
{
	uint32_t first = hsa_instance_index(in, f) * in->be.chunk_max;
	const struct chunk *c = f->chunk;

	f->tail = in->tail;
	f->seen = 0;
	for (uint32_t i = 0; i < c->nr_parts; i++) {
		struct wavecrypt_gpu_group *group = group_of(in, in->tail);

		hsa_instance_group(group, &c->parts[i], first);
		/* Anything but what it is going to be. */
		group->done = in->tail++;
	}
	/* Everything above is there before the kernel sees the tail. */
	__atomic_store_n(&in->ring->tail, in->tail, __ATOMIC_RELEASE);
	return true;
}

static bool persistent_done(struct hsa_instance *in, struct hsa_flight *f)
{
	while (f->seen < f->chunk->nr_parts) {
		uint32_t ticket = f->tail + f->seen;

		/* Its results are there before. */
		if (__atomic_load_n(&group_of(in, ticket)->done,
				    __ATOMIC_ACQUIRE) != ticket + 1)
			return false;
		f->seen++;
	}
	return true;
}

/* It ends when it is told to, so that before it has failed. */
static bool persistent_alive(struct hsa_instance *in)
{
	return hsa.signal_load_scacquire(in->ended) > 0;
}

static bool persistent_end(struct hsa_instance *in)
{
	uint64_t until = clock_ns() + in->session->base.settings->timeout_ms *
				      1000 * NSEC_PER_USEC;

	if (!in->ring || !in->ended.handle || !in->aql.queue)
		return true;
	__atomic_store_n(&in->ring->stop, 1, __ATOMIC_RELEASE);
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
