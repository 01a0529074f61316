/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The key table in memory shared with the GPU: keys in the form that the kernels
 * want, at the same index as in the channel's.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_HSA_KEYS_H
#define WAVECRYPT_BACKENDS_HSA_KEYS_H

#include "backends/hsa/memory.h"
#include "channel/packet.h"
#include "gpu.h"

/**
 * struct hsa_key - what is known of one place in the table
 * @gen: generation of the key that is there; 0: none
 * @last: number of the last chunk that uses it
 */
struct hsa_key {
	uint32_t gen;
	uint64_t last;
};

/**
 * struct hsa_keys - the key table of one instance
 * @table: the channel's
 * @nr: its size
 * @key: what is known of each place
 * @live: indices of the places that are not empty
 * @nr_live: how many
 * @stale: some of them are to be wiped, once no chunk uses them
 * @shared: the table
 */
struct hsa_keys {
	const struct wavecrypt_key *table;
	uint32_t nr;
	struct hsa_key *key;
	uint32_t *live;
	uint32_t nr_live;
	bool stale;
	struct wavecrypt_gpu_key *shared;
};

/** hsa_keys_init - an empty table; to be freed even if this fails */
hsa_status_t hsa_keys_init(struct hsa_keys *k, const struct hsa_machine *m,
			   hsa_agent_t gpu, const struct channel *ch);

/**
 * hsa_keys_have - have a packet's key in the table
 * @k: the table
 * @p: the packet
 * @done: number of the last chunk that came back
 *
 * Return: is it there? Not if its place is still in use by another.
 */
bool hsa_keys_have(struct hsa_keys *k, const struct packet *p, uint64_t done);

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
