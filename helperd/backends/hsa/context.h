/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all instances have in common: the runtime, the GPU, its code, what work
 * costs there, and whether it still works.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_HSA_CONTEXT_H
#define WAVECRYPT_HSA_CONTEXT_H

#include "backend.h"
#include "backends/hsa/code.h"
#include "backends/hsa/memory.h"
#include "config.h"

/**
 * struct hsa_context - a GPU in use
 * @config: settings
 * @machine: what the runtime knows of
 * @gpu: the GPU, one of the machine's
 * @code: the kernels
 * @mode: how they are used: %CONFIG_HSA_DISPATCH or %CONFIG_HSA_PERSISTENT
 * @cost: what work costs, by kind
 * @arenas: channels' packets that the GPU knows of
 * @users: instances
 * @lost: it failed: there will be no more instances of it
 * @lost_at: when, in ns
 * @hung: it did not come to an end: nothing of it can be released
 * @calibrating: failures are no news
 */
struct hsa_context {
	const struct config *config;
	struct hsa_machine machine;
	const struct hsa_gpu *gpu;
	struct hsa_code code;
	enum config_hsa_mode mode;
	struct backend_cost cost[ALG_KINDS];
	struct hsa_arena *arenas;
	unsigned int users;
	bool lost;
	uint64_t lost_at;
	bool hung;
	bool calibrating;
};

/**
 * hsa_context_create - start using a GPU
 * @config: which, and how
 * @why: set to what went wrong, if it did
 *
 * Compares what it computes with the lanes, which must have been probed before,
 * and measures what that costs.
 */
struct hsa_context *hsa_context_create(const struct config *config,
				       const char **why);

/** hsa_context_free - stop using it; there are no instances */
void hsa_context_free(struct hsa_context *ctx);

/** hsa_context_lost - has it failed? */
static inline bool hsa_context_lost(const struct hsa_context *ctx)
{
	return __atomic_load_n(&ctx->lost, __ATOMIC_RELAXED);
}

/** hsa_context_fault - has a GPU touched memory that it must not, or been reset? */
bool hsa_context_fault(void);

#endif
