// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "backends/cpu/gcm_keys.h"

static size_t data_size(uint32_t nr)
{
	return nr * sizeof(struct gcm_key_data);
}

bool gcm_keys_init(struct gcm_keys *k, const struct wavecrypt_key *table,
		   uint32_t nr)
{
	void *data = mmap(NULL, data_size(nr), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	k->table = table;
	k->nr = nr;
	k->nr_live = 0;
	k->data = data == MAP_FAILED ? NULL : data;
	k->gen = calloc(nr, sizeof(*k->gen));
	k->live = calloc(nr, sizeof(*k->live));
	k->place = calloc(nr, sizeof(*k->place));
	if (!k->data || !k->gen || !k->live || !k->place) {
		gcm_keys_exit(k);
		return false;
	}
	madvise(k->data, data_size(nr), MADV_DONTDUMP);
	/*
	 * Locked page by page as they come into use: the table has room for
	 * thousands of SAs, and most machines have few.
	 */
	mlock2(k->data, data_size(nr), MLOCK_ONFAULT);
	return true;
}

/* Of those that are not empty, the last one takes its place. */
static void gcm_keys_wipe(struct gcm_keys *k, uint32_t index)
{
	uint32_t last = k->live[--k->nr_live];

	explicit_bzero(&k->data[index], sizeof(k->data[index]));
	k->gen[index] = 0;
	k->live[k->place[index]] = last;
	k->place[last] = k->place[index];
}

const struct gcm_key_data *gcm_keys_derive(struct gcm_keys *k,
					   struct IMB_MGR *mgr,
					   const struct packet *p)
{
	struct gcm_key_data *data = &k->data[p->key_index];

	if (!k->gen[p->key_index]) {
		k->place[p->key_index] = k->nr_live;
		k->live[k->nr_live++] = p->key_index;
	}
	memcpy(data->expanded_keys, p->key->enc, sizeof(data->expanded_keys));
	switch (p->key_len) {
	case 16:
		IMB_AES128_GCM_PRECOMP(mgr, data);
		break;
	case 24:
		IMB_AES192_GCM_PRECOMP(mgr, data);
		break;
	default:
		IMB_AES256_GCM_PRECOMP(mgr, data);
	}
	k->gen[p->key_index] = p->key_gen;
	/* The module may have replaced the key while it was copied. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (packet_key_valid(p))
		return data;
	gcm_keys_wipe(k, p->key_index);
	return NULL;
}

void gcm_keys_expire(struct gcm_keys *k, uint32_t index)
{
	if (k->gen[index] && k->gen[index] !=
	    __atomic_load_n(&k->table[index].gen, __ATOMIC_ACQUIRE))
		gcm_keys_wipe(k, index);
}

void gcm_keys_expire_all(struct gcm_keys *k)
{
	/* Backwards: what takes a place that was wiped has been looked at. */
	for (uint32_t i = k->nr_live; i--;)
		gcm_keys_expire(k, k->live[i]);
}

void gcm_keys_forget(struct gcm_keys *k)
{
	while (k->nr_live)
		gcm_keys_wipe(k, k->live[0]);
}

void gcm_keys_exit(struct gcm_keys *k)
{
	if (k->data) {
		gcm_keys_forget(k);
		munmap(k->data, data_size(k->nr));
	}
	free(k->gen);
	free(k->live);
	free(k->place);
	k->data = NULL;
	k->gen = NULL;
	k->live = NULL;
	k->place = NULL;
}
