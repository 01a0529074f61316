/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_CHANNEL_H
#define _WC_CHANNEL_H

#include <linux/kref.h>

#include "queue.h"

/**
 * struct wc_channel - what one helper is given
 * @ref: the file's, and that of whoever closes it for a new helper
 * @state: &enum wavecrypt_state; leaves LIVE and STALLED for good at the first
 *	cmpxchg() to BROKEN or DETACHED
 * @stalled: how many queues are
 * @owner: process that attached
 * @layout: of each queue's memory
 * @header: first page of SUBMIT
 * @algs: the algorithms that the helper does, a set of &enum wavecrypt_alg
 * @nr_keys: size of @keys
 * @keys: the channel's copy of the key table
 * @nr_removed: length of @removed
 * @removed: ring of the keys that were removed last, behind @keys
 * @region: the regions, as the helper maps them
 * @nr_queues: length of @queue
 * @queue: one for each CPU that was online at attach
 *
 * Every page belongs to one channel and to no other, and is zeroed when the
 * channel closes. A helper that was replaced, or whatever GPU it had them
 * pinned for, may go on writing to them: nobody reads them any more. They
 * return to the system when nothing maps them.
 */
struct wc_channel {
	struct kref ref;
	u32 state;
	atomic_t stalled;
	pid_t owner;
	struct wc_queue_layout layout;
	struct wavecrypt_header *header;
	u64 algs[WAVECRYPT_ALG_WORDS];
	u32 nr_keys;
	struct wavecrypt_key *keys;
	u32 nr_removed;
	u32 *removed;
	struct wavecrypt_region region[WAVECRYPT_REGIONS];
	u32 nr_queues;
	struct wc_queue *queue[] __counted_by(nr_queues);
};

struct wc_channel *wc_channel_alloc(u32 entries,
				    const u64 algs[WAVECRYPT_ALG_WORDS]);
u64 wc_channel_removed_first(const struct wc_channel *ch);
void wc_channel_put(struct wc_channel *ch);
int wc_channel_open(struct wc_channel *ch, bool replace);
void wc_channel_close(struct wc_channel *ch);
__printf(2, 3)
void wc_channel_break(struct wc_channel *ch, const char *why, ...);
void wc_channel_stall(struct wc_queue *q);
void wc_channel_resume(struct wc_queue *q);
int wc_channel_find(const struct wc_channel *ch, u64 offset, u64 size);
struct page *wc_channel_page(struct wc_channel *ch, u64 offset);
void wc_channel_write_key(struct wc_channel *ch, u32 index,
			  const struct wavecrypt_key *entry);
void wc_channel_wipe_key(struct wc_channel *ch, u32 index);
u32 wc_channel_active(pid_t *owner);

/** wc_channel_live - whether the helper is one, stalled or not */
static inline bool wc_channel_live(const struct wc_channel *ch)
{
	u32 state = READ_ONCE(ch->state);

	return state == WAVECRYPT_STATE_LIVE ||
	       state == WAVECRYPT_STATE_STALLED;
}

#endif /* _WC_CHANNEL_H */
