// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel dispatch for each chunk.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "backends/gpu/describe.h"
#include "backends/hsa/instance.h"

/* As the kernel has them */
struct arguments {
	struct wavecrypt_gpu_group *groups;
	struct wavecrypt_gpu_packet *packets;
	struct wavecrypt_gpu_key *keys;
	void *data;
};

static struct wavecrypt_gpu_group *groups_of(const struct hsa_instance *in,
					     const struct hsa_flight *f)
{
	return in->groups + hsa_instance_index(in, f) * in->be.chunk_max;
}

static struct arguments *arguments_of(const struct hsa_instance *in,
				      const struct hsa_flight *f)
{
	return (void *)(in->arguments +
			hsa_instance_index(in, f) * in->argument_size);
}

static hsa_status_t dispatch_open(struct hsa_instance *in)
{
	hsa_status_t status = HSA_STATUS_SUCCESS;

	if (sizeof(struct arguments) > in->argument_size)
		return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
	for (uint32_t i = 0; !status && i < in->be.chunks; i++) {
		struct hsa_flight *f = &in->flights[i];

		/* The same for every chunk that has this place. */
		*arguments_of(in, f) = (struct arguments) {
			.groups = groups_of(in, f),
			.packets = in->packets + i * in->be.chunk_max,
			.keys = in->keys.base.host,
			.data = in->arena->gpu,
		};
		status = hsa.signal_create(0, 0, NULL, &f->signal);
	}
	return status;
}

static void dispatch_close(struct hsa_instance *in)
{
	for (uint32_t i = 0; i < in->be.chunks; i++)
		if (in->flights[i].signal.handle)
			hsa.signal_destroy(in->flights[i].signal);
}

static bool dispatch_submit(struct hsa_instance *in, struct hsa_flight *f)
{
	struct wavecrypt_gpu_group *groups = groups_of(in, f);
	const struct chunk *c = f->base.chunk;

	for (uint32_t i = 0; i < c->nr_parts; i++)
		gpu_group(&groups[i], &c->parts[i], 0);
	hsa.signal_store_relaxed(f->signal, 1);
	return hsa_aql_dispatch(&in->aql, &in->session->code.batch,
				wavecrypt_gpu_narrow.lanes, c->nr_parts,
				arguments_of(in, f), f->signal);
}

static bool dispatch_done(struct hsa_instance *in, struct hsa_flight *f)
{
	(void)in;
	return hsa.signal_load_scacquire(f->signal) == 0;
}

/* What has failed is in the queue's error; or its signal is negative. */
static bool dispatch_alive(struct hsa_instance *in)
{
	return hsa.signal_load_scacquire(in->flights[in->flying.first].signal) >= 0;
}

/* Nothing runs when nothing is with it. */
static bool dispatch_end(struct hsa_instance *in)
{
	(void)in;
	return true;
}

const struct hsa_mode_ops hsa_dispatch = {
	.open = dispatch_open,
	.submit = dispatch_submit,
	.done = dispatch_done,
	.alive = dispatch_alive,
	.end = dispatch_end,
	.close = dispatch_close,
};
