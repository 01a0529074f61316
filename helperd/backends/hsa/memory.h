/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that host and GPU both use, each seeing what the other writes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_HSA_MEMORY_H
#define WAVECRYPT_BACKENDS_HSA_MEMORY_H

#include <stddef.h>

#include "backends/gpu/arena.h"
#include "backends/hsa/agent.h"
#include "channel/channel.h"

/**
 * hsa_shared_alloc - zeroed memory for both, not to be in core dumps
 * @pool: of which kind
 * @gpu: for which GPU
 * @size: bytes
 * @memory: result; NULL if it fails
 */
hsa_status_t hsa_shared_alloc(hsa_amd_memory_pool_t pool, hsa_agent_t gpu,
			      size_t size, void **memory);

/** hsa_shared_free - free it; NULL is ignored */
void hsa_shared_free(void *memory);

/**
 * struct hsa_arena - a channel's packets, made known to the GPU where they are
 * @base: what any GPU's have
 * @host: where the host sees them
 * @gpu: where the GPU does
 */
struct hsa_arena {
	struct gpu_arena base;
	uint8_t *host;
	void *gpu;
};

/**
 * hsa_arena_get - make a channel's packets known, once for all instances
 * @list: the arenas that are
 * @m: the machine
 * @gpu: the GPU
 * @ch: channel
 * @arena: result
 */
hsa_status_t hsa_arena_get(struct gpu_arena **list, const struct hsa_machine *m,
			   hsa_agent_t gpu, const struct channel *ch,
			   struct hsa_arena **arena);

/** hsa_arena_put - no longer used by one instance; NULL is ignored */
void hsa_arena_put(struct gpu_arena **list, struct hsa_arena *arena);

#endif
