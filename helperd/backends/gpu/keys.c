// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/gpu/keys.h"

bool gpu_keys_init(struct gpu_keys *k, const struct channel *ch)
{
	memset(k, 0, sizeof(*k));
	k->table = channel_keys(ch);
	k->nr = ch->geo.keys;
	k->key = calloc(k->nr, sizeof(*k->key));
	return live_keys_init(&k->live, ch) && k->key;
}

/* Prepare a key; false: it has gone meanwhile. */
static bool prepare(struct gpu_keys *k, const struct packet *p)
{
	struct wavecrypt_key key;
	bool good;

	memcpy(&key, p->key, sizeof(key));
	/* The module may have replaced it while it was copied. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	/* And what the kernels count by, packet_load() has checked for itself. */
	good = packet_key_valid(p) && key.alg == p->alg &&
	       key.key_len == p->key_len;
	if (good)
		wavecrypt_gpu_key_init(&k->host[p->key_index], &key);
	explicit_bzero(&key, sizeof(key));
	return good;
}

bool gpu_keys_put(struct gpu_keys *k, const struct packet *p, uint64_t done)
{
	struct gpu_key *key = &k->key[p->key_index];

	/* The one that was there before is still in use. */
	if (gpu_keys_busy(k, p->key_index, done) || !prepare(k, p))
		return false;
	if (!key->gen)
		live_keys_add(&k->live, p->key_index);
	key->gen = p->key_gen;
	return true;
}

static bool gone(const void *keys, uint32_t index)
{
	const struct gpu_keys *k = keys;

	return k->key[index].gen && k->key[index].gen !=
	       __atomic_load_n(&k->table[index].gen, __ATOMIC_ACQUIRE);
}

void gpu_keys_expire(struct gpu_keys *k,
		     bool (*wipe)(void *with, uint32_t index), void *with)
{
	live_keys_look(&k->live, gone, k);
	for (uint32_t i = k->live.nr_stale; i--;) {
		uint32_t index = k->live.index[i];

		if (!wipe(with, index))
			continue;
		k->key[index].gen = 0;
		live_keys_drop(&k->live, index);
	}
}

void gpu_keys_wipe(struct gpu_keys *k, uint32_t index)
{
	explicit_bzero(&k->host[index], sizeof(k->host[index]));
}

void gpu_keys_exit(struct gpu_keys *k)
{
	free(k->key);
	live_keys_exit(&k->live);
	memset(k, 0, sizeof(*k));
}
