/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The key table in memory shared with the GPU.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_HSA_KEYS_H
#define WAVECRYPT_BACKENDS_HSA_KEYS_H

#include "backends/gpu/keys.h"
#include "backends/hsa/memory.h"

/**
 * struct hsa_keys - the key table of one instance, in memory that the GPU sees
 * @base: the table
 * @done: number of the last chunk that came back, for expiry
 */
struct hsa_keys {
	struct gpu_keys base;
	uint64_t done;
};

/** hsa_keys_init - an empty table; to be freed even if this fails */
hsa_status_t hsa_keys_init(struct hsa_keys *k, const struct hsa_machine *m,
			   hsa_agent_t gpu, const struct channel *ch);

/**
 * hsa_keys_expire - wipe the keys that are gone from the channel
 * @k: the table
 * @done: number of the last chunk that came back; what later ones use is wiped
 *	when this is called again
 */
void hsa_keys_expire(struct hsa_keys *k, uint64_t done);

/**
 * hsa_keys_exit - wipe and free everything
 * @k: the table
 * @hung: but for the memory, which the GPU may still use
 */
void hsa_keys_exit(struct hsa_keys *k, bool hung);

#endif
