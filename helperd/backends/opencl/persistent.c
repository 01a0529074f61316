// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device that works in the host's memory, by a kernel that never ends: it is
 * told of work, and tells of results, through memory. No launch, no event.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>

#include "backends/opencl/opencl.h"

/* Turns of polling after which to see whether the kernel is still there. */
#define LOOK_AFTER	4096

/**
 * struct persistent - a persistent kernel
 * @kernel: the kernel
 * @event: that it has ended
 * @ring: &struct wavecrypt_gpu_ring
 * @groups: the ring's groups
 * @packets: packets, as many for each flight as a chunk can have
 * @mask: places in the ring, less one
 * @tail: groups submitted
 * @turns: of polling in vain
 */
struct persistent {
	cl_kernel kernel;
	cl_event event;
	struct opencl_memory ring;
	struct opencl_memory groups;
	struct opencl_memory packets;
	uint32_t mask;
	uint32_t tail;
	uint32_t turns;
};

static struct wavecrypt_gpu_ring *ring_of(const struct persistent *p)
{
	return (void *)p->ring.host;
}

static struct wavecrypt_gpu_group *group_of(const struct persistent *p,
					    uint32_t ticket)
{
	return (struct wavecrypt_gpu_group *)p->groups.host +
	       (ticket & p->mask);
}

static cl_int allocate(struct opencl *o, struct persistent *p)
{
	uint32_t all = o->be.chunks * o->be.chunk_max, places = 1;
	cl_int err;

	/* All that can be in flight, so that a place is always free. */
	while (places < all)
		places *= 2;
	p->mask = places - 1;
	err = opencl_memory_shared(o->session, &p->ring,
				   sizeof(struct wavecrypt_gpu_ring));
	if (!err)
		err = opencl_memory_shared(o->session, &p->groups, places *
					   sizeof(struct wavecrypt_gpu_group));
	if (!err)
		err = opencl_memory_shared(o->session, &p->packets, all *
					   sizeof(struct wavecrypt_gpu_packet));
	if (!err)
		ring_of(p)->mask = p->mask;
	return err;
}

/* As many work-groups as surely run at once, with others beside them. */
static uint32_t work_groups(const struct opencl *o)
{
	uint32_t wanted = o->session->base.settings->opencl_groups;

	if (wanted)
		return wanted;
	return o->session->dev.units > 1 ? o->session->dev.units / 2 : 1;
}

static cl_int start(struct opencl *o, struct persistent *p)
{
	const struct opencl_memory *args[] = {
		&p->ring, &p->groups, &p->packets, &o->keys.memory,
		&o->arena->memory, &o->arena->memory
	};
	size_t local = o->session->base.shape->lanes;
	size_t global = work_groups(o) * local;
	cl_int err;

	p->kernel = cl.CreateKernel(o->session->program, opencl_persistent.kernel,
				    &err);
	if (!p->kernel)
		return err;
	err = CL_SUCCESS;
	for (cl_uint i = 0; !err && i < 6; i++)
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

static void stop(struct persistent *p)
{
	__atomic_store_n(&ring_of(p)->stop, 1, __ATOMIC_RELEASE);
}

static bool persistent_end(struct opencl *o)
{
	stop(o->persistent);
	return !cl.Finish(o->queue);
}

static void release(struct opencl *o, struct persistent *p)
{
	if (p->event)
		cl.ReleaseEvent(p->event);
	if (p->kernel)
		cl.ReleaseKernel(p->kernel);
	opencl_memory_free(o->session, &p->ring);
	opencl_memory_free(o->session, &p->groups);
	opencl_memory_free(o->session, &p->packets);
}

static void persistent_close(struct opencl *o)
{
	struct persistent *p = o->persistent;

	if (!p)
		return;
	if (p->event)
		stop(p);
	/* Where something has hung nobody waits for it, and it uses all that. */
	if (!gpu_hung(&o->session->base) && p->event && cl.Finish(o->queue))
		gpu_hang(&o->session->base);
	if (!gpu_hung(&o->session->base))
		release(o, p);
	free(p);
	o->persistent = NULL;
}

static void persistent_describe(struct opencl *o, struct flight *f)
{
	struct persistent *p = o->persistent;
	const struct chunk *c = f->chunk;
	uint32_t first = (f - o->flights) * o->be.chunk_max;

	opencl_describe(o, f,
			(struct wavecrypt_gpu_packet *)p->packets.host + first);
	f->tail = p->tail;
	f->seen = 0;
	for (uint32_t i = 0; i < c->nr_parts; i++) {
		struct wavecrypt_gpu_group *group = group_of(p, p->tail);

		opencl_group(group, &c->parts[i], first);
		/* Anything but what it is going to be. */
		group->done = p->tail++;
	}
	/* Everything above is there before the kernel sees the tail. */
	__atomic_store_n(&ring_of(p)->tail, p->tail, __ATOMIC_RELEASE);
	f->touches = true;
}

/* It ends when it is told to, so that before it has failed. */
static cl_int look_after(struct persistent *p)
{
	cl_int status = CL_QUEUED, err;

	if (++p->turns % LOOK_AFTER)
		return 0;
	err = cl.GetEventInfo(p->event, CL_EVENT_COMMAND_EXECUTION_STATUS,
			      sizeof(status), &status, NULL);
	if (err || status < 0)
		return err ? err : status;
	return status == CL_COMPLETE ? CL_INVALID_OPERATION : 0;
}

static cl_int persistent_done(struct opencl *o, struct flight *f)
{
	struct persistent *p = o->persistent;

	while (f->seen < f->chunk->nr_parts) {
		uint32_t ticket = f->tail + f->seen;

		/* Its results are there before. */
		if (__atomic_load_n(&group_of(p, ticket)->done,
				    __ATOMIC_ACQUIRE) != ticket + 1)
			return look_after(p);
		f->seen++;
	}
	return 1;
}

const struct opencl_way_ops opencl_persistent = {
	.kernel = "wavecrypt_persistent",
	.open = persistent_open,
	.describe = persistent_describe,
	.done = persistent_done,
	.end = persistent_end,
	.close = persistent_close,
};
