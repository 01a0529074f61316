/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device's key table, shared with it or copied there.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_OPENCL_KEYS_H
#define WAVECRYPT_BACKENDS_OPENCL_KEYS_H

#include "backends/gpu/keys.h"
#include "backends/opencl/memory.h"

/**
 * struct opencl_key - what else is known of one place in the table
 * @ready: the key is there
 * @copied: event of its being copied, as long as it is in &opencl_keys.copies
 */
struct opencl_key {
	bool ready;
	cl_event copied;
};

/**
 * struct opencl_keys - the key table of one instance
 * @base: the table, or the host's copy of it
 * @session: the device in use
 * @key: what else is known of each place
 * @queue: copies them, one after another, or NULL where the table is shared
 * @copies: places that are being copied, in that order: a ring with room for all
 * @first: the first of them, counted without end
 * @end: behind the last
 * @memory: the table
 * @done: number of the last chunk that came back, for expiry
 * @err: what failed in expiry
 */
struct opencl_keys {
	struct gpu_keys base;
	const struct opencl_session *session;
	struct opencl_key *key;
	cl_command_queue queue;
	uint32_t *copies;
	uint64_t first;
	uint64_t end;
	struct opencl_memory memory;
	uint64_t done;
	cl_int err;
};

/** opencl_keys_init - an empty table; to be freed even if this fails */
cl_int opencl_keys_init(struct opencl_keys *k, const struct opencl_session *session,
			const struct channel *ch);

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
	return gpu_keys_have(&k->base, p) && k->key[p->key_index].ready;
}

/**
 * opencl_keys_expire - wipe the keys that are gone from the channel, and what was copied
 * @k: the table
 * @done: number of the last chunk that came back; what later ones use is wiped
 *	when this is called again
 */
cl_int opencl_keys_expire(struct opencl_keys *k, uint64_t done);

/** opencl_keys_pending - is opencl_keys_expire() to be called again, for what it left? */
static inline bool opencl_keys_pending(const struct opencl_keys *k)
{
	return k->first != k->end || k->base.live.nr_stale;
}

/**
 * opencl_keys_exit - wipe and free everything
 * @k: the table
 * @hung: but for what the device may still use
 */
void opencl_keys_exit(struct opencl_keys *k, bool hung);

#endif
