// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device that works in the host's memory: on the packets where they are. One
 * launch for each chunk.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "backends/gpu/describe.h"
#include "backends/opencl/opencl.h"

static cl_int shared_open_flight(struct opencl *o, struct flight *f)
{
	const struct opencl_memory *args[] = {
		&f->host, &f->host, &o->keys.memory, &o->arena->memory
	};
	cl_int err;

	err = opencl_memory_shared(o->session, &f->host,
				   opencl_packets_at(o->be.chunk_max) +
				   o->be.chunk_max *
				   sizeof(struct wavecrypt_gpu_packet));
	for (cl_uint i = 0; !err && i < 4; i++)
		err = opencl_memory_argument(f->kernel, i, args[i]);
	return err;
}

static void shared_describe(struct opencl *o, struct flight *f)
{
	const struct chunk *c = f->base.chunk;
	struct wavecrypt_gpu_group *groups = (void *)f->host.host;
	size_t at = opencl_packets_at(c->nr_parts);

	for (uint32_t i = 0; i < c->nr_parts; i++)
		gpu_group(&groups[i], &c->parts[i],
			  at / sizeof(struct wavecrypt_gpu_packet));
	gpu_packets((void *)(f->host.host + at), c, f->base.number, &o->keys.base);
}

static cl_int shared_send(struct opencl *o, struct flight *f)
{
	cl_int err = opencl_launch(o, f);

	f->touches = !err;
	return err ? err : cl.Flush(f->queue);
}

const struct opencl_way_ops opencl_shared = {
	.kernel = "wavecrypt_batch",
	.open_flight = shared_open_flight,
	.describe = shared_describe,
	.send = shared_send,
	.done = opencl_events_done,
};
