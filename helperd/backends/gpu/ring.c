// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "backends/gpu/describe.h"
#include "backends/gpu/ring.h"

static struct wavecrypt_gpu_group *group_of(const struct gpu_ring *r,
					    uint32_t ticket)
{
	return r->groups + (ticket & r->shared->mask);
}

uint32_t gpu_ring_places(uint32_t groups)
{
	uint32_t places = 1;

	while (places < groups)
		places *= 2;
	return places;
}

void gpu_ring_init(struct gpu_ring *r, struct wavecrypt_gpu_ring *shared,
		   struct wavecrypt_gpu_group *groups, uint32_t places)
{
	r->shared = shared;
	r->groups = groups;
	r->tail = 0;
	shared->mask = places - 1;
}

void gpu_ring_put(struct gpu_ring *r, struct gpu_ticket *t,
		  const struct chunk *c, uint32_t first)
{
	t->tail = r->tail;
	t->seen = 0;
	for (uint32_t i = 0; i < c->nr_parts; i++) {
		struct wavecrypt_gpu_group *group = group_of(r, r->tail);

		gpu_group(group, &c->parts[i], first);
		/* Anything but what it is going to be. */
		group->done = r->tail++;
	}
	/* Everything above is there before the kernel sees the tail. */
	__atomic_store_n(&r->shared->tail, r->tail, __ATOMIC_RELEASE);
}

bool gpu_ring_done(const struct gpu_ring *r, struct gpu_ticket *t,
		   const struct chunk *c)
{
	for (; t->seen < c->nr_parts; t->seen++) {
		uint32_t ticket = t->tail + t->seen;

		/* Its results are there before. */
		if (__atomic_load_n(&group_of(r, ticket)->done,
				    __ATOMIC_ACQUIRE) != ticket + 1)
			return false;
	}
	return true;
}

void gpu_ring_stop(struct gpu_ring *r)
{
	__atomic_store_n(&r->shared->stop, 1, __ATOMIC_RELEASE);
}
