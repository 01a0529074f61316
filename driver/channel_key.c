// SPDX-License-Identifier: GPL-2.0-only
/*
 * A channel's copy of the key table, and how its helper learns that a key has gone.
 *
 * Room for as many keys as the module allows would be megabytes, of which most
 * machines use a page. So pages are added as they are needed, by the helper or by
 * whoever has a key to show it, and are the helper's to pay for in either case.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "channel.h"

/* A helper that sleeps is woken so long after a key was removed, for all that are
 * removed until then.
 */
#define WC_WAKE_DELAY	msecs_to_jiffies(10)

#define WC_KEY_SIZE	sizeof(struct wavecrypt_key)

/* Where the table says whether a key is live; no key's first word is split. */
static_assert(WC_KEY_SIZE % WAVECRYPT_LINE == 0);

static void wc_channel_wake(struct work_struct *work)
{
	struct wc_channel *ch = container_of(to_delayed_work(work),
					     struct wc_channel, wake);
	u32 i;

	/* Told before looking who sleeps: pairs with the cmpxchg() in
	 * wc_device_sleep(), whose interrupt need not come to this CPU.
	 */
	smp_mb();
	for (i = 0; i < ch->nr_queues; i++)
		wc_queue_wake(ch->queue[i]);
}

static void wc_channel_wipe(struct work_struct *work)
{
	wc_channel_wipe_keys(container_of(work, struct wc_channel, wipe));
}

/** wc_channel_keys_init - a table for so many keys, without memory */
void wc_channel_keys_init(struct wc_channel *ch, u32 nr)
{
	ch->nr_keys = nr;
	ch->nr_key_pages = PFN_UP((u64)nr * WC_KEY_SIZE);
	ch->nr_removed = roundup_pow_of_two(nr);
	INIT_LIST_HEAD(&ch->shown);
	INIT_DELAYED_WORK(&ch->wake, wc_channel_wake);
	INIT_WORK(&ch->wipe, wc_channel_wipe);
}

/** wc_channel_keys_alloc - memory for an empty table; 0 or -ENOMEM */
int wc_channel_keys_alloc(struct wc_channel *ch)
{
	int err = wc_pages_alloc(&ch->removed_pages,
				 PAGE_ALIGN(ch->nr_removed *
					    sizeof(*ch->removed)),
				 NUMA_NO_NODE);

	ch->removed = ch->removed_pages.mem;
	ch->key_pages = kvcalloc(ch->nr_key_pages, sizeof(*ch->key_pages),
				 WC_PAGES_GFP);
	return err ?: ch->key_pages ? 0 : -ENOMEM;
}

/** wc_channel_keys_free - give it back; pages that are mapped stay until they are not */
void wc_channel_keys_free(struct wc_channel *ch)
{
	u32 i;

	for (i = 0; ch->key_pages && i < ch->nr_key_pages; i++)
		if (ch->key_pages[i])
			__free_page(ch->key_pages[i]);
	kvfree(ch->key_pages);
	wc_pages_free(&ch->removed_pages);
}

/**
 * wc_channel_key_page - a page of the table
 * @ch: the channel
 * @nr: which
 * @gfp: how to get it if it is not there yet
 *
 * Return: the page, which stays, or NULL: no memory.
 */
struct page *wc_channel_key_page(struct wc_channel *ch, u32 nr, gfp_t gfp)
{
	struct page *page = READ_ONCE(ch->key_pages[nr]), *other;
	struct mem_cgroup *memcg;

	if (page)
		return page;
	memcg = set_active_memcg(ch->memcg);
	page = alloc_page(gfp | __GFP_ZERO);
	set_active_memcg(memcg);
	if (!page)
		return NULL;
	/* The helper may have come to it at the same time. */
	other = cmpxchg(&ch->key_pages[nr], NULL, page);
	if (!other)
		return page;
	__free_page(page);
	return other;
}

/**
 * wc_channel_key_room - see to it that a key can be written
 * @ch: the channel
 * @index: its entry
 * @gfp: how to get the pages that it lies in, one or two
 *
 * Return: 0, or -ENOMEM.
 */
int wc_channel_key_room(struct wc_channel *ch, u32 index, gfp_t gfp)
{
	u64 first = (u64)index * WC_KEY_SIZE;

	if (!wc_channel_key_page(ch, first >> PAGE_SHIFT, gfp) ||
	    !wc_channel_key_page(ch, (first + WC_KEY_SIZE - 1) >> PAGE_SHIFT,
				 gfp))
		return -ENOMEM;
	return 0;
}

/* Write a part of an entry whose pages are there; NULL for zeros. */
static void wc_channel_put_key(struct wc_channel *ch, u32 index, size_t offset,
			       const void *from, size_t len)
{
	u64 at = (u64)index * WC_KEY_SIZE + offset;

	while (len) {
		u8 *to = page_address(ch->key_pages[at >> PAGE_SHIFT]);
		size_t n = min_t(size_t, len, PAGE_SIZE - offset_in_page(at));

		to += offset_in_page(at);
		if (from)
			memcpy(to, from, n);
		else
			memzero_explicit(to, n);
		from = from ? from + n : NULL;
		at += n;
		len -= n;
	}
}

static bool wc_channel_has_key(const struct wc_channel *ch, u32 index)
{
	u64 first = (u64)index * WC_KEY_SIZE;

	return READ_ONCE(ch->key_pages[first >> PAGE_SHIFT]) &&
	       READ_ONCE(ch->key_pages[(first + WC_KEY_SIZE - 1) >> PAGE_SHIFT]);
}

static u32 *wc_channel_key_gen(const struct wc_channel *ch, u32 index)
{
	u64 at = (u64)index * WC_KEY_SIZE;

	return page_address(ch->key_pages[at >> PAGE_SHIFT]) +
	       offset_in_page(at);
}

/**
 * wc_channel_write_key - show the helper a key
 * @ch: the channel
 * @index: a free entry of its table, with room for it
 * @entry: the key
 *
 * Context: one at a time; key.c sees to that.
 */
void wc_channel_write_key(struct wc_channel *ch, u32 index,
			  const struct wavecrypt_key *entry)
{
	const size_t skip = sizeof(entry->gen);

	wc_channel_put_key(ch, index, skip, (u8 *)entry + skip,
			   sizeof(*entry) - skip);
	/* The key before the generation that makes it valid. A helper learns
	 * of it from a descriptor, which is published later still.
	 */
	smp_store_release(wc_channel_key_gen(ch, index), entry->gen);
}

/**
 * wc_channel_wipe_key - a key is gone
 * @ch: the channel
 * @index: its entry
 *
 * Context: as wc_channel_write_key().
 */
void wc_channel_wipe_key(struct wc_channel *ch, u32 index)
{
	u32 epoch = ch->header->key_epoch;

	/* A channel that is being attached may not have come to it yet. */
	if (wc_channel_has_key(ch, index)) {
		WRITE_ONCE(*wc_channel_key_gen(ch, index), 0);
		/* Invalid before it is wiped. */
		smp_wmb();
		wc_channel_put_key(ch, index, 0, NULL, WC_KEY_SIZE);
	}
	/* The count of the one before, which a store-release does not keep ahead of
	 * what follows it, before its place in the ring is another's: a helper that
	 * reads this one there sees that it was overtaken. Pairs with the fence in
	 * its removed_next().
	 */
	smp_wmb();
	WRITE_ONCE(ch->removed[epoch & (ch->nr_removed - 1)], index);
	/* Wiped, and which it was, before it is told: pairs with the helper's
	 * load-acquire.
	 */
	smp_store_release(&ch->header->key_epoch, epoch + 1);
	schedule_delayed_work(&ch->wake, WC_WAKE_DELAY);
}

/**
 * wc_channel_wipe_keys - no key of a channel is needed any more
 * @ch: the channel; nobody writes to its table
 */
void wc_channel_wipe_keys(struct wc_channel *ch)
{
	u32 i;

	for (i = 0; i < ch->nr_key_pages; i++) {
		struct page *page = READ_ONCE(ch->key_pages[i]);

		if (page)
			memzero_explicit(page_address(page), PAGE_SIZE);
		cond_resched();
	}
}
