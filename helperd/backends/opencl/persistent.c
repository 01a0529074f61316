// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device that works in the host's memory, by a kernel that never ends: it is
 * told of work, and tells of results, through memory. No launch, no event.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>

#include "backends/gpu/describe.h"
#include "backends/opencl/opencl.h"

/* Turns of polling after which to see whether the kernel is still there. */
#define LOOK_AFTER	4096

/**
 * struct persistent - a persistent kernel
 * @kernel: the kernel
 * @event: that it has ended
 * @ring: the ring
 * @shared: its head
 * @groups: its groups
 * @packets: packets, as many for each flight as a chunk can have
 * @turns: of polling in vain
 */
struct persistent {
	cl_kernel kernel;
	cl_event event;
	struct gpu_ring ring;
	struct opencl_memory shared;
	struct opencl_memory groups;
	struct opencl_memory packets;
	uint32_t turns;
};

static cl_int allocate(struct opencl *o, struct persistent *p)
{
	uint32_t all = o->be.chunks * o->be.chunk_max;
	/* All that can be in flight, so that a place is always free. */
	uint32_t places = gpu_ring_places(all);
	cl_int err;

	err = opencl_memory_shared(o->session, &p->shared,
				   sizeof(struct wavecrypt_gpu_ring));
	if (!err)
		err = opencl_memory_shared(o->session, &p->groups, places *
					   sizeof(struct wavecrypt_gpu_group));
	if (!err)
		err = opencl_memory_shared(o->session, &p->packets, all *
					   sizeof(struct wavecrypt_gpu_packet));
	if (!err)
		gpu_ring_init(&p->ring, (void *)p->shared.host,
			      (void *)p->groups.host, places);
	return err;
}

/*
 * How many work-groups there is room for: a compute unit surely runs one, and one unit
 * stays free, for launches.
 */
static uint32_t room(const struct opencl_session *session)
{
	return session->dev.units - 1;
}

/* So many that two workers have room for theirs, where there are some compute units. */
unsigned int opencl_persistent_groups(const struct opencl_session *session)
{
	uint32_t wanted = session->base.settings->opencl_groups, most = room(session);

	if (!wanted)
		wanted = most > 1 ? most / 2 : 1;
	return wanted < most ? wanted : most;
}

unsigned int opencl_persistent_most(const struct opencl_session *session)
{
	uint32_t groups = opencl_persistent_groups(session);

	return groups ? room(session) / groups : 0;
}

static cl_int start(struct opencl *o, struct persistent *p)
{
	const struct opencl_memory *args[] = {
		&p->shared, &p->groups, &p->packets, &o->keys.memory,
		&o->arena->memory
	};
	size_t local = o->session->base.shape->lanes;
	size_t global = opencl_persistent_groups(o->session) * local;
	cl_int err;

	p->kernel = cl.CreateKernel(o->session->program, opencl_persistent.kernel,
				    &err);
	if (!p->kernel)
		return err;
	err = CL_SUCCESS;
	for (cl_uint i = 0; !err && i < 5; i++)
		err = opencl_memory_argument(p->kernel, i, args[i]);
	if (!err)
		err = cl.EnqueueNDRangeKernel(o->queue, p->kernel, 1, NULL,
					      &global, &local, 0, NULL,
					      &p->event);
	return err ? err : cl.Flush(o->queue);
}

static cl_int persistent_open(struct opencl *o)
{
	struct persistent *p = calloc(1, sizeof(*p));
	cl_int err;

	if (!p)
		return CL_OUT_OF_HOST_MEMORY;
	o->persistent = p;
	err = allocate(o, p);
	return err ? err : start(o, p);
}

static void persistent_stop(struct opencl *o, cl_event *kernel)
{
	struct persistent *p = o->persistent;

	if (!p || !p->event)
		return;
	gpu_ring_stop(&p->ring);
	*kernel = p->event;
}

static void release(struct opencl *o, struct persistent *p)
{
	if (p->event)
		cl.ReleaseEvent(p->event);
	if (p->kernel)
		cl.ReleaseKernel(p->kernel);
	opencl_memory_free(o->session, &p->shared);
	opencl_memory_free(o->session, &p->groups);
	opencl_memory_free(o->session, &p->packets);
}

static void persistent_close(struct opencl *o)
{
	struct persistent *p = o->persistent;

	if (!p)
		return;
	if (p->event)
		gpu_ring_stop(&p->ring);
	/* Where something has hung nobody waits for it, and it uses all that. */
	if (!gpu_hung(&o->session->base))
		release(o, p);
	free(p);
	o->persistent = NULL;
}

static void persistent_describe(struct opencl *o, struct flight *f)
{
	struct persistent *p = o->persistent;
	uint32_t first = (f - o->flights) * o->be.chunk_max;

	gpu_packets((struct wavecrypt_gpu_packet *)p->packets.host + first,
		    f->base.chunk, f->base.number, &o->keys.base);
	gpu_ring_put(&p->ring, &f->ticket, f->base.chunk, first);
	f->touches = true;
}

/* It ends when it is told to, so that before it has failed. */
static enum opencl_answer look_after(struct persistent *p, struct flight *f)
{
	cl_int status = CL_QUEUED, err;

	if (++p->turns % LOOK_AFTER)
		return OPENCL_AT_WORK;
	err = cl.GetEventInfo(p->event, CL_EVENT_COMMAND_EXECUTION_STATUS,
			      sizeof(status), &status, NULL);
	if (err || status < 0)
		return opencl_failed(f, err ? err : status);
	return status == CL_COMPLETE ? opencl_failed(f, CL_INVALID_OPERATION) : OPENCL_AT_WORK;
}

static enum opencl_answer persistent_done(struct opencl *o, struct flight *f)
{
	struct persistent *p = o->persistent;

	return gpu_ring_done(&p->ring, &f->ticket, f->base.chunk) ? OPENCL_DONE :
								    look_after(p, f);
}

const struct opencl_way_ops opencl_persistent = {
	.kernel = "wavecrypt_persistent",
	.open = persistent_open,
	.describe = persistent_describe,
	.done = persistent_done,
	.stop = persistent_stop,
	.close = persistent_close,
};
