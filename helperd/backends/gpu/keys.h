/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An instance's key table: keys in the form that the kernels want, at the same
 * index as in the channel's. What a kind of GPU adds is how the table gets there.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_KEYS_H
#define WAVECRYPT_BACKENDS_GPU_KEYS_H

#include "backends/gpu/live_keys.h"
#include "channel/packet.h"
#include "gpu.h"

/**
 * struct gpu_key - what is known of one place in the table
 * @gen: generation of the key that is there, or on its way there; 0: none
 * @last: number of the last chunk that uses it
 */
struct gpu_key {
	uint32_t gen;
	uint64_t last;
};

/**
 * struct gpu_keys - the key table of one instance; kinds embed it
 * @table: the channel's
 * @nr: its size
 * @key: what is known of each place
 * @live: the places that are not empty; some of them are to be wiped, once no
 *	chunk uses them
 * @host: the table, or the host's copy of it; the kind's to allocate and to free
 */
struct gpu_keys {
	const struct wavecrypt_key *table;
	uint32_t nr;
	struct gpu_key *key;
	struct live_keys live;
	struct wavecrypt_gpu_key *host;
};

/** gpu_keys_init - an empty table; false: no memory. To be freed nevertheless */
bool gpu_keys_init(struct gpu_keys *k, const struct channel *ch);

/** gpu_keys_size - bytes of a table */
static inline size_t gpu_keys_size(const struct gpu_keys *k)
{
	return k->nr * sizeof(k->host[0]);
}

/** gpu_keys_have - is a packet's key in the host's table? */
static inline bool gpu_keys_have(const struct gpu_keys *k,
				 const struct packet *p)
{
	return k->key[p->key_index].gen == p->key_gen;
}

/** gpu_keys_busy - does a chunk later than @done use that place? */
static inline bool gpu_keys_busy(const struct gpu_keys *k, uint32_t index,
				 uint64_t done)
{
	return k->key[index].last > done;
}

/**
 * gpu_keys_use - a packet's key is there, and to be used
 * @k: the table
 * @p: the packet
 * @number: of the chunk that it is for; no other key takes that place before its end
 */
static inline void gpu_keys_use(struct gpu_keys *k, const struct packet *p,
				uint64_t number)
{
	k->key[p->key_index].last = number;
}

/**
 * gpu_keys_put - put a packet's key in the host's table
 * @k: the table
 * @p: the packet
 * @done: number of the last chunk that came back
 *
 * Return: false: its place is still in use by another, or it has gone meanwhile.
 */
bool gpu_keys_put(struct gpu_keys *k, const struct packet *p, uint64_t done);

/**
 * gpu_keys_expire - wipe the keys that are gone from the channel
 * @k: the table
 * @wipe: wipes a place; false: not yet possible
 * @with: passed to it
 *
 * What cannot be wiped yet is when this is called again.
 */
void gpu_keys_expire(struct gpu_keys *k,
		     bool (*wipe)(void *with, uint32_t index), void *with);

/** gpu_keys_wipe - wipe a place of the host's table */
void gpu_keys_wipe(struct gpu_keys *k, uint32_t index);

/** gpu_keys_exit - free everything but @host */
void gpu_keys_exit(struct gpu_keys *k);

#endif
