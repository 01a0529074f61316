/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_CHANNEL_H
#define _WC_CHANNEL_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/nospec.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "pages.h"
#include "queue.h"

/**
 * struct wc_channel - what one helper is given
 * @ref: the file's, each mapping's, each sleeper's, and that of whoever closes
 *	it for a new helper
 * @ended: 0, or how it ended: %WAVECRYPT_STATE_BROKEN or DETACHED. The first
 *	cmpxchg() counts.
 * @stalled: how many queues are
 * @owner: process that attached
 * @memcg: the control group that pays for its memory: that process's
 * @layout: of each queue's memory
 * @cramped: there was no memory for slots for jumbo packets
 * @header: first page of SUBMIT
 * @header_page: that page
 * @algs: the algorithms that the helper does, a set of &enum wavecrypt_alg
 * @nr_keys: size of the key table
 * @nr_key_pages: length of @key_pages
 * @key_pages: the channel's copy of the table, page by page as far as it is used
 *	or looked at; NULL: nothing there yet
 * @shown: among those that are shown keys, see key.c
 * @nr_removed: length of @removed
 * @removed: ring of the keys that were removed last, behind these pages
 * @removed_pages: its memory
 * @wake: tells the helper of removed keys if it sleeps
 * @wipe: wipes the keys of a helper that broke a rule
 * @region: the regions, as the helper maps them
 * @nr_queues: length of @queue
 * @queue: one for each CPU that was there at attach, online or not
 *
 * Every page belongs to one channel and to no other. Those with keys and packets are
 * zeroed when the channel closes. A helper that was replaced, or whatever GPU it had
 * them pinned for, may go on writing to them: nobody reads them any more. They return
 * to the system when nothing maps them, slots zeroed once more, and descriptors.
 */
struct wc_channel {
	struct kref ref;
	u32 ended;
	atomic_t stalled;
	pid_t owner;
	struct mem_cgroup *memcg;
	struct wc_queue_layout layout;
	bool cramped;
	struct wavecrypt_header *header;
	struct wc_pages header_page;
	u64 algs[WAVECRYPT_ALG_WORDS];
	u32 nr_keys;
	u32 nr_key_pages;
	struct page **key_pages;
	struct list_head shown;
	u32 nr_removed;
	u32 *removed;
	struct wc_pages removed_pages;
	struct delayed_work wake;
	struct work_struct wipe;
	struct wavecrypt_region region[WAVECRYPT_REGIONS];
	u32 nr_queues;
	struct wc_queue *queue[] __counted_by(nr_queues);
};

struct wc_channel *wc_channel_attach(u32 entries,
				     const u64 algs[WAVECRYPT_ALG_WORDS],
				     bool replace);
void wc_channel_put(struct wc_channel *ch);
void wc_channel_close(struct wc_channel *ch);
__printf(2, 3)
void wc_channel_break(struct wc_channel *ch, const char *why, ...);
void wc_channel_stall(struct wc_queue *q);
void wc_channel_resume(struct wc_queue *q);
int wc_channel_find(const struct wc_channel *ch, u64 offset, u64 size);
struct page *wc_channel_page(struct wc_channel *ch, u64 offset);
u32 wc_channel_active(pid_t *owner);
bool wc_channel_outgrown(void);

/* channel_key.c */
void wc_channel_keys_init(struct wc_channel *ch, u32 nr);
int wc_channel_keys_alloc(struct wc_channel *ch);
void wc_channel_keys_free(struct wc_channel *ch);
struct page *wc_channel_key_page(struct wc_channel *ch, u32 nr, gfp_t gfp);
int wc_channel_key_room(struct wc_channel *ch, u32 index, gfp_t gfp);
void wc_channel_write_key(struct wc_channel *ch, u32 index,
			  const struct wavecrypt_key *entry);
void wc_channel_wipe_key(struct wc_channel *ch, u32 index);
void wc_channel_wipe_keys(struct wc_channel *ch);

/** wc_channel_removed_first - where removed keys are told of, in KEYS, in bytes */
static inline u64 wc_channel_removed_first(const struct wc_channel *ch)
{
	return (u64)ch->nr_key_pages << PAGE_SHIFT;
}

/** wc_channel_live - whether the helper is one, stalled or not */
static inline bool wc_channel_live(const struct wc_channel *ch)
{
	return !READ_ONCE(ch->ended);
}

/** wc_channel_broken - whether it broke a rule, and is not believed any more */
static inline bool wc_channel_broken(const struct wc_channel *ch)
{
	return READ_ONCE(ch->ended) == WAVECRYPT_STATE_BROKEN;
}

/**
 * wc_channel_queue - the queue of a number that somebody else gave
 * @ch: the channel
 * @nr: the number, which was found to be good
 *
 * What the processor guesses that it is going to be found must not matter either.
 */
static inline struct wc_queue *wc_channel_queue(const struct wc_channel *ch,
						u32 nr)
{
	return ch->queue[array_index_nospec(nr, ch->nr_queues)];
}

#endif /* _WC_CHANNEL_H */
