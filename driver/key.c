// SPDX-License-Identifier: GPL-2.0-only
/*
 * The key table: what setkey prepared, where a helper can find it.
 *
 * A key takes its place when a request of it may be offloaded, not before: who
 * only sets keys, or never has a request that is, takes no place from others. The
 * module keeps every key itself, so that a helper that attaches later finds them
 * all, and each channel has a copy of its own, so that a helper that was replaced
 * sees no more keys.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "channel.h"
#include "key.h"
#include "range.h"

static unsigned int wc_keys = 20480;
wc_param_range(keys, wc_keys, 1, 1 << 20, 0444);
MODULE_PARM_DESC(keys, "SAs that can be offloaded at once, up to 1048576; others stay inline (default 20480)");

/* The table, by index. Its lock guards every place, and who gets copies. Never
 * per packet.
 */
static DEFINE_XARRAY_FLAGS(wc_key_table, XA_FLAGS_ALLOC | XA_FLAGS_LOCK_BH);
static u32 wc_key_gen;

/* Who gets copies: the helper, and one that is about to take over from it */
static LIST_HEAD(wc_key_channels);

/* With the lock held. Without that memory a key has no place for now, and that is all. */
#define WC_KEY_GFP	(GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN)

/* So many are copied at a time when a helper attaches. */
#define WC_KEY_BATCH	64

/** wc_key_limit - size of the key table, in keys */
unsigned int wc_key_limit(void)
{
	return wc_keys;
}

/** wc_key_alloc - an empty key without a place, or NULL */
struct wc_key *wc_key_alloc(void)
{
	/* Nobody says that setkey may sleep. */
	struct wc_key *key = kzalloc(sizeof(*key), GFP_ATOMIC);

	if (key)
		key->index = WC_KEY_NOWHERE;
	return key;
}

static void wc_key_free_rcu(struct rcu_head *rcu)
{
	kfree_sensitive(container_of(rcu, struct wc_key, rcu));
}

/** wc_key_free - a key, or NULL, leaves the table, and is freed */
void wc_key_free(struct wc_key *key)
{
	struct wc_channel *ch;

	if (!key)
		return;
	xa_lock_bh(&wc_key_table);
	key->gone = true;
	if (key->index != WC_KEY_NOWHERE) {
		__xa_erase(&wc_key_table, key->index);
		list_for_each_entry(ch, &wc_key_channels, shown)
			wc_channel_wipe_key(ch, key->index);
	}
	xa_unlock_bh(&wc_key_table);
	call_rcu(&key->rcu, wc_key_free_rcu);
}

static bool wc_key_room(u32 index)
{
	struct wc_channel *ch;

	list_for_each_entry(ch, &wc_key_channels, shown)
		if (wc_channel_key_room(ch, index, WC_KEY_GFP))
			return false;
	return true;
}

static bool wc_key_place_locked(struct wc_key *key)
{
	struct wc_channel *ch;
	u32 index;

	/* It was replaced, or another CPU has been here. */
	if (key->gone || key->index != WC_KEY_NOWHERE)
		return !key->gone;
	if (__xa_alloc(&wc_key_table, &index, key,
		       XA_LIMIT(0, wc_key_limit() - 1),
		       GFP_ATOMIC | __GFP_NOWARN))
		return false;
	if (!wc_key_room(index)) {
		__xa_erase(&wc_key_table, index);
		return false;
	}
	if (!++wc_key_gen)
		++wc_key_gen;
	key->entry.gen = wc_key_gen;
	list_for_each_entry(ch, &wc_key_channels, shown)
		wc_channel_write_key(ch, index, &key->entry);
	/* Who submits finds it written: pairs with wc_key_place(). */
	smp_store_release(&key->index, index);
	return true;
}

/**
 * wc_key_take_place - put a key in the table
 * @key: a key that has no place
 *
 * If the table is full, or there is no memory, that is tried again in a second.
 *
 * Context: BH disabled, RCU.
 * Return: whether it has a place now.
 */
bool wc_key_take_place(struct wc_key *key)
{
	u32 now = jiffies, refused = READ_ONCE(key->refused);
	bool placed;

	if (refused && now - refused < HZ)
		return false;
	xa_lock_bh(&wc_key_table);
	placed = wc_key_place_locked(key);
	WRITE_ONCE(key->refused, placed ? 0 : now ?: 1);
	xa_unlock_bh(&wc_key_table);
	return placed;
}

/**
 * wc_key_set - give a transform its key
 * @tfm: the transform, of which nothing is in flight
 * @key: the key, or NULL: without one, the transform goes on without offload
 */
void wc_key_set(struct wc_tfm *tfm, struct wc_key *key)
{
	/* The API's users do not set two keys at once. */
	struct wc_key *old = rcu_dereference_protected(tfm->key, true);

	/* Pairs with rcu_dereference() in wc_queue_submit(). */
	rcu_assign_pointer(tfm->key, key);
	wc_key_free(old);
}

/* Copy some keys from @index on. Return: 0 if that was all, 1 if not, or an error. */
static int wc_key_copy(struct wc_channel *ch, unsigned long *index)
{
	struct wc_key *key;
	int nr = 0, err = 0;

	xa_lock_bh(&wc_key_table);
	key = xa_find(&wc_key_table, index, ULONG_MAX, XA_PRESENT);
	while (key && nr++ < WC_KEY_BATCH) {
		err = wc_channel_key_room(ch, *index, WC_KEY_GFP);
		if (err)
			break;
		wc_channel_write_key(ch, *index, &key->entry);
		key = xa_find_after(&wc_key_table, index, ULONG_MAX, XA_PRESENT);
	}
	xa_unlock_bh(&wc_key_table);
	/* Now that it may sleep, there is a page for that one. */
	if (err)
		err = wc_channel_key_room(ch, *index, WC_PAGES_GFP);
	return err ?: !!key;
}

/**
 * wc_key_attach - fill in a new channel's table and keep it current
 * @ch: the channel, with no requests yet
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM: it is not kept current.
 */
int wc_key_attach(struct wc_channel *ch)
{
	unsigned long index = 0;
	int more;

	/* From here on, what takes a place or leaves one is seen to. */
	xa_lock_bh(&wc_key_table);
	list_add(&ch->shown, &wc_key_channels);
	xa_unlock_bh(&wc_key_table);
	do {
		more = wc_key_copy(ch, &index);
		cond_resched();
	} while (more > 0);
	if (more < 0)
		wc_key_detach(ch);
	return more;
}

/**
 * wc_key_detach - leave a channel's table alone from now on
 * @ch: the channel
 *
 * Context: any but hard interrupt.
 */
void wc_key_detach(struct wc_channel *ch)
{
	xa_lock_bh(&wc_key_table);
	list_del_init(&ch->shown);
	xa_unlock_bh(&wc_key_table);
}
