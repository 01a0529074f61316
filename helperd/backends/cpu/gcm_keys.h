/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What AES-GCM needs beyond the round keys: powers of H, derived once per key.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_CPU_GCM_KEYS_H
#define WAVECRYPT_BACKENDS_CPU_GCM_KEYS_H

#define NO_COMPAT_IMB_API_053
#include <intel-ipsec-mb.h>

#include "channel/packet.h"

/**
 * struct gcm_keys - derived keys, by index in the key table; of one worker
 * @table: the key table
 * @nr: size of the table
 * @gen: generation that an entry was derived from, 0: none
 * @data: the entries
 * @live: indices of those that are not empty
 * @nr_live: how many
 * @place: where in @live each of them is
 */
struct gcm_keys {
	const struct wavecrypt_key *table;
	uint32_t nr;
	uint32_t *gen;
	struct gcm_key_data *data;
	uint32_t *live;
	uint32_t nr_live;
	uint32_t *place;
};

/** gcm_keys_init - an empty cache for @nr keys; false: no memory */
bool gcm_keys_init(struct gcm_keys *k, const struct wavecrypt_key *table,
		   uint32_t nr);

/**
 * gcm_keys_derive - derive the key of a packet; NULL if it has gone
 * @k: the cache
 * @mgr: manager that derives, always the same: the form of the result depends
 *	on it
 * @p: the packet
 */
const struct gcm_key_data *gcm_keys_derive(struct gcm_keys *k,
					   struct IMB_MGR *mgr,
					   const struct packet *p);

/** gcm_keys_get - derived key of a packet, or NULL if its key has gone */
static inline const struct gcm_key_data *
gcm_keys_get(struct gcm_keys *k, struct IMB_MGR *mgr, const struct packet *p)
{
	if (__builtin_expect(k->gen[p->key_index] == p->key_gen, 1))
		return &k->data[p->key_index];
	return gcm_keys_derive(k, mgr, p);
}

/** gcm_keys_expire - wipe what was derived from a key, if that is gone */
void gcm_keys_expire(struct gcm_keys *k, uint32_t index);

/** gcm_keys_expire_all - the same for every key */
void gcm_keys_expire_all(struct gcm_keys *k);

/** gcm_keys_forget - wipe everything */
void gcm_keys_forget(struct gcm_keys *k);

/** gcm_keys_exit - wipe and free everything */
void gcm_keys_exit(struct gcm_keys *k);

#endif
