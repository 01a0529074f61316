/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_KEY_H
#define _WC_KEY_H

#include <linux/rcupdate.h>

#include "aead.h"

struct wc_channel;

/** WC_KEY_NOWHERE - the index of a key that has no place in the table */
#define WC_KEY_NOWHERE	U32_MAX

/**
 * struct wc_key - a key, as the module keeps it
 * @index: its place in the table, the same in every channel, or %WC_KEY_NOWHERE.
 *	Read with acquire: who finds a place finds the channel's copy written.
 * @gone: its transform has another key now, or goes
 * @refused: when it got no place, in jiffies, and not 0; or 0
 * @entry: what a helper gets to see
 * @rcu: a submission may have picked it up just before it was replaced
 */
struct wc_key {
	u32 index;
	bool gone;
	u32 refused;
	struct wavecrypt_key entry;
	struct rcu_head rcu;
};

struct wc_key *wc_key_alloc(void);
void wc_key_free(struct wc_key *key);
void wc_key_set(struct wc_tfm *tfm, struct wc_key *key);
bool wc_key_take_place(struct wc_key *key);
unsigned int wc_key_limit(void);
int wc_key_attach(struct wc_channel *ch);
void wc_key_detach(struct wc_channel *ch);

/**
 * wc_key_place - where a key is in the table
 * @key: the key
 *
 * Return: its index, or %WC_KEY_NOWHERE.
 */
static inline u32 wc_key_place(const struct wc_key *key)
{
	/* Pairs with the release in wc_key_take_place(). */
	return smp_load_acquire(&key->index);
}

/** wc_key_usable - whether a key, or NULL, has a place or may get one now */
static inline bool wc_key_usable(const struct wc_key *key)
{
	return key && !READ_ONCE(key->refused);
}

#endif /* _WC_KEY_H */
