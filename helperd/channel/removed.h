/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which keys were removed, one by one, for whoever derives something from keys.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_REMOVED_H
#define WAVECRYPT_REMOVED_H

#include "channel/channel.h"

/**
 * struct removed - a reader of the channel's ring of removed keys
 * @ch: the channel
 * @seen: removals that it knows of
 */
struct removed {
	const struct channel *ch;
	uint32_t seen;
};

/** enum removed_news - what removed_next() found */
enum removed_news {
	REMOVED_NONE,
	REMOVED_KEY,
	REMOVED_MANY,
};

/** removed_init - start with those to come */
static inline void removed_init(struct removed *r, const struct channel *ch)
{
	r->ch = ch;
	r->seen = channel_key_epoch(ch);
}

/**
 * removed_next - the next key that was removed
 * @r: the reader
 * @index: where to put its index
 *
 * Its place may have another key by now. The ring has as many entries as there
 * are keys; a reader that was overtaken is told %REMOVED_MANY, has to look at all
 * that it has, and goes on behind. So looking costs in proportion to what was
 * removed.
 */
static inline enum removed_news removed_next(struct removed *r, uint32_t *index)
{
	const struct wavecrypt_attach *geo = &r->ch->geo;
	const uint32_t *ring = (const void *)(r->ch->map[WAVECRYPT_REGION_KEYS] +
					      geo->removed_first);

	if (channel_key_epoch(r->ch) == r->seen)
		return REMOVED_NONE;
	*index = __atomic_load_n(&ring[r->seen & (geo->removed - 1)],
				 __ATOMIC_RELAXED);
	/* The entry before the count that tells whether it was still that one:
	 * what overwrites it is written after so many are counted.
	 */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (channel_key_epoch(r->ch) - r->seen >= geo->removed ||
	    *index >= geo->keys) {
		r->seen = channel_key_epoch(r->ch);
		return REMOVED_MANY;
	}
	r->seen++;
	return REMOVED_KEY;
}

#endif
