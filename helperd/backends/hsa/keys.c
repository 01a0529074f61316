// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/hsa/keys.h"

hsa_status_t hsa_keys_init(struct hsa_keys *k, const struct hsa_machine *m,
			   hsa_agent_t gpu, const struct channel *ch)
{
	memset(k, 0, sizeof(*k));
	k->table = channel_keys(ch);
	k->nr = ch->geo.keys;
	k->key = calloc(k->nr, sizeof(*k->key));
	k->live = calloc(k->nr, sizeof(*k->live));
	if (!k->key || !k->live)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	return hsa_shared_alloc(m->fine, gpu, k->nr * sizeof(*k->shared),
				(void **)&k->shared);
}

/* Prepare a key; false: it has gone meanwhile. */
static bool prepare(struct hsa_keys *k, const struct packet *p)
{
	struct wavecrypt_key key;
	bool good;

	memcpy(&key, p->key, sizeof(key));
	/* The module may have replaced it while it was copied. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	good = packet_key_valid(p);
	if (good)
		wavecrypt_gpu_key_init(&k->shared[p->key_index], &key);
	explicit_bzero(&key, sizeof(key));
	return good;
}

bool hsa_keys_have(struct hsa_keys *k, const struct packet *p, uint64_t done)
{
	struct hsa_key *key = &k->key[p->key_index];

	if (key->gen == p->key_gen)
		return true;
	/* The one that was there before is still in use. */
	if (key->last > done || !prepare(k, p))
		return false;
	if (!key->gen)
		k->live[k->nr_live++] = p->key_index;
	key->gen = p->key_gen;
	return true;
}

void hsa_keys_expire(struct hsa_keys *k, uint64_t done)
{
	uint32_t kept = 0;

	k->stale = false;
	for (uint32_t i = 0; i < k->nr_live; i++) {
		uint32_t index = k->live[i];
		struct hsa_key *key = &k->key[index];

		if (__atomic_load_n(&k->table[index].gen, __ATOMIC_ACQUIRE) ==
		    key->gen) {
			k->live[kept++] = index;
		} else if (key->last > done) {
			k->live[kept++] = index;
			k->stale = true;
		} else {
			explicit_bzero(&k->shared[index], sizeof(k->shared[0]));
			key->gen = 0;
		}
	}
	k->nr_live = kept;
}

void hsa_keys_exit(struct hsa_keys *k, bool hung)
{
	for (uint32_t i = 0; i < k->nr_live; i++)
		explicit_bzero(&k->shared[k->live[i]], sizeof(k->shared[0]));
	if (!hung)
		hsa_shared_free(k->shared);
	free(k->key);
	free(k->live);
	memset(k, 0, sizeof(*k));
}
