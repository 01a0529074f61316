/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device's key table: keys in the form that the kernels want, at the same
 * index as in the channel's.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_OPENCL_KEYS_H
#define WAVECRYPT_BACKENDS_OPENCL_KEYS_H

#include "backends/opencl/memory.h"
#include "channel/packet.h"

/**
 * struct opencl_key - what is known of one place in the table
 * @gen: generation of the key that is there, or is being copied there; 0: none
 * @ready: it is there
 * @copied: event of its being copied
 * @last: number of the last chunk that uses it
 */
struct opencl_key {
	uint32_t gen;
	bool ready;
	cl_event copied;
	uint64_t last;
};

/**
 * struct opencl_keys - the key table of one instance
 * @session: the device in use
 * @table: the channel's
 * @nr: its size
 * @key: what is known of each place
 * @live: indices of the places that are not empty
 * @nr_live: how many
 * @stale: some of them are to be wiped, once no chunk uses them
 * @queue: copies them, or NULL where the table is shared
 * @memory: the table
 * @host: the host's copy of it, or the table itself
 */
struct opencl_keys {
	const struct opencl_session *session;
	const struct wavecrypt_key *table;
	uint32_t nr;
	struct opencl_key *key;
	uint32_t *live;
	uint32_t nr_live;
	bool stale;
	cl_command_queue queue;
	struct opencl_memory memory;
	struct wavecrypt_gpu_key *host;
};

/** opencl_keys_init - an empty table; to be freed even if this fails */
cl_int opencl_keys_init(struct opencl_keys *k, const struct opencl_session *session,
			const struct wavecrypt_key *table, uint32_t nr);

/**
 * opencl_keys_bring - begin to bring a packet's key to the device
 * @k: the table
 * @p: the packet
 * @done: number of the last chunk that came back
 * @err: what failed, if anything did
 *
 * Return: is it there?
 */
bool opencl_keys_bring(struct opencl_keys *k, const struct packet *p,
		       uint64_t done, cl_int *err);

/** opencl_keys_ready - is a packet's key there? */
static inline bool opencl_keys_ready(const struct opencl_keys *k,
				     const struct packet *p)
{
	const struct opencl_key *key = &k->key[p->key_index];

	return key->gen == p->key_gen && key->ready;
}

/**
 * opencl_keys_expire - wipe the keys that are gone from the channel
 * @k: the table
 * @done: number of the last chunk that came back; what later ones use is wiped
 *	when this is called again
 */
cl_int opencl_keys_expire(struct opencl_keys *k, uint64_t done);

/**
 * opencl_keys_exit - wipe and free everything
 * @k: the table
 * @hung: but for what the device may still use
 */
void opencl_keys_exit(struct opencl_keys *k, bool hung);

#endif
