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
 * struct hsa_gpus - GPUs that are used side by side
 * @nr: how many
 * @agent: each
 */
struct hsa_gpus {
	int nr;
	hsa_agent_t agent[GPU_FOUND_MAX];
};

/** hsa_gpus_have - is it one of them? */
bool hsa_gpus_have(const struct hsa_gpus *gpus, hsa_agent_t gpu);

/** hsa_gpus_add - have it be one */
void hsa_gpus_add(struct hsa_gpus *gpus, hsa_agent_t gpu);

/**
 * struct hsa_arena - a channel's packets, made known to GPUs where they are
 * @base: what any GPU's have
 * @gpus: these GPUs
 * @host: where the host sees them
 * @gpu: where the GPUs do
 */
struct hsa_arena {
	struct gpu_arena base;
	struct hsa_gpus gpus;
	uint8_t *host;
	void *gpu;
};

/**
 * hsa_arena_get - make a channel's packets known, once for all instances
 * @m: the machine
 * @gpus: GPUs that are used
 * @gpu: one of them, whose instance it is
 * @ch: channel
 * @arena: result
 *
 * For all of the GPUs at once: the runtime takes memory from one when it is asked to
 * lock it for another. One that cannot have it, as it was lost, goes without until the
 * others have given it back.
 */
hsa_status_t hsa_arena_get(const struct hsa_machine *m, const struct hsa_gpus *gpus,
			   hsa_agent_t gpu, const struct channel *ch,
			   struct hsa_arena **arena);

/** hsa_arena_put - no longer used by one instance; NULL is ignored */
void hsa_arena_put(struct hsa_arena *arena);

#endif
