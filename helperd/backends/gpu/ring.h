/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring by which a kernel that never ends is told of groups, and tells that they
 * are done. Memory is the kind's; it is shared with the GPU.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_RING_H
#define WAVECRYPT_BACKENDS_GPU_RING_H

#include "backends/chunk.h"
#include "gpu.h"

/**
 * struct gpu_ring - our end of it
 * @shared: head
 * @groups: the groups, &wavecrypt_gpu_ring.mask and one of them
 * @tail: groups submitted
 */
struct gpu_ring {
	struct wavecrypt_gpu_ring *shared;
	struct wavecrypt_gpu_group *groups;
	uint32_t tail;
};

/**
 * struct gpu_ticket - a chunk in the ring
 * @tail: its first group
 * @seen: groups that are known to be done
 */
struct gpu_ticket {
	uint32_t tail;
	uint32_t seen;
};

/** gpu_ring_places - places for so many groups: a power of two */
uint32_t gpu_ring_places(uint32_t groups);

/** gpu_ring_init - an empty ring, when there is memory for it */
void gpu_ring_init(struct gpu_ring *r, struct wavecrypt_gpu_ring *shared,
		   struct wavecrypt_gpu_group *groups, uint32_t places);

/**
 * gpu_ring_put - have a chunk done
 * @r: the ring; there is room for everything that can be in flight
 * @t: its place there
 * @c: the chunk, whose packets are described
 * @first: index of its first packet in the array of packets
 */
void gpu_ring_put(struct gpu_ring *r, struct gpu_ticket *t,
		  const struct chunk *c, uint32_t first);

/** gpu_ring_done - is it? */
bool gpu_ring_done(const struct gpu_ring *r, struct gpu_ticket *t,
		   const struct chunk *c);

/** gpu_ring_stop - have the kernel end */
void gpu_ring_stop(struct gpu_ring *r);

#endif
