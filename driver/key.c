// SPDX-License-Identifier: GPL-2.0-only
/*
 * The key table: what setkey prepared, where a helper can find it.
 *
 * The module keeps every entry itself, so that a helper that attaches later
 * finds them all, and each channel has a copy of its own, so that a helper
 * that was replaced sees no more keys.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/idr.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

#include "channel.h"
#include "key.h"

static unsigned int wc_keys = 4096;
module_param_named(keys, wc_keys, uint, 0444);
MODULE_PARM_DESC(keys, "SAs that can be offloaded at once; others stay inline (default 4096)");

static DEFINE_IDA(wc_key_ida);

/* Guards the list, every entry, and who gets copies. Never per packet. */
static DEFINE_SPINLOCK(wc_key_lock);
static LIST_HEAD(wc_key_list);
static struct wc_channel *wc_key_channel;
static u32 wc_key_gen;

/** wc_key_limit - size of the key table, in keys */
unsigned int wc_key_limit(void)
{
	return clamp(wc_keys, 1U, 1U << 20);
}

static void wc_key_free_rcu(struct rcu_head *rcu)
{
	kfree_sensitive(container_of(rcu, struct wc_key, rcu));
}

/* A key, or NULL, leaves the table. */
static void wc_key_free(struct wc_key *key)
{
	if (!key)
		return;
	spin_lock_bh(&wc_key_lock);
	list_del(&key->link);
	if (wc_key_channel)
		wc_channel_wipe_key(wc_key_channel, key->index);
	spin_unlock_bh(&wc_key_lock);
	ida_free(&wc_key_ida, key->index);
	call_rcu(&key->rcu, wc_key_free_rcu);
}

static struct wc_key *wc_key_alloc(const struct wavecrypt_key *entry)
{
	struct wc_key *key;
	int index;

	if (entry->alg == WAVECRYPT_ALG_NONE)
		return NULL;
	index = ida_alloc_max(&wc_key_ida, wc_key_limit() - 1, GFP_ATOMIC);
	if (index < 0)
		return NULL;
	key = kzalloc(sizeof(*key), GFP_ATOMIC);
	if (!key) {
		ida_free(&wc_key_ida, index);
		return NULL;
	}
	key->index = index;
	key->entry = *entry;

	spin_lock_bh(&wc_key_lock);
	if (!++wc_key_gen)
		++wc_key_gen;
	key->entry.gen = wc_key_gen;
	list_add_tail(&key->link, &wc_key_list);
	if (wc_key_channel)
		wc_channel_write_key(wc_key_channel, index, &key->entry);
	spin_unlock_bh(&wc_key_lock);
	return key;
}

/**
 * wc_key_set - give a transform its key
 * @tfm: the transform, of which nothing is in flight
 * @entry: the prepared key. With %WAVECRYPT_ALG_NONE, a full table, or no
 *	memory, the transform goes on without offload.
 */
void wc_key_set(struct wc_tfm *tfm, const struct wavecrypt_key *entry)
{
	/* The API's users do not set two keys at once. */
	struct wc_key *old = rcu_dereference_protected(tfm->key, true);
	struct wc_key *key = wc_key_alloc(entry);

	/* Pairs with rcu_dereference() in wc_queue_submit(). */
	rcu_assign_pointer(tfm->key, key);
	wc_key_free(old);
}

/** wc_key_drop - take a transform's keys away; nothing is in flight */
void wc_key_drop(struct wc_tfm *tfm)
{
	struct wc_key *old = rcu_dereference_protected(tfm->key, true);

	RCU_INIT_POINTER(tfm->key, NULL);
	wc_key_free(old);
}

/** wc_key_attach - fill in a new channel's table and keep it current */
void wc_key_attach(struct wc_channel *ch)
{
	struct wc_key *key;

	spin_lock_bh(&wc_key_lock);
	list_for_each_entry(key, &wc_key_list, link)
		wc_channel_write_key(ch, key->index, &key->entry);
	wc_key_channel = ch;
	spin_unlock_bh(&wc_key_lock);
}

/** wc_key_detach - leave a channel's table alone from now on */
void wc_key_detach(struct wc_channel *ch)
{
	spin_lock_bh(&wc_key_lock);
	if (wc_key_channel == ch)
		wc_key_channel = NULL;
	spin_unlock_bh(&wc_key_lock);
}
