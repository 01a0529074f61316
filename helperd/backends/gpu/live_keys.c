// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/gpu/live_keys.h"

bool live_keys_init(struct live_keys *l, const struct channel *ch)
{
	memset(l, 0, sizeof(*l));
	removed_init(&l->removed, ch);
	l->index = calloc(ch->geo.keys, sizeof(*l->index));
	l->at = calloc(ch->geo.keys, sizeof(*l->at));
	return l->index && l->at;
}

void live_keys_exit(struct live_keys *l)
{
	free(l->index);
	free(l->at);
	memset(l, 0, sizeof(*l));
}

static void put(struct live_keys *l, uint32_t at, uint32_t index)
{
	l->index[at] = index;
	l->at[index] = at;
}

static void swap(struct live_keys *l, uint32_t index, uint32_t at)
{
	uint32_t other = l->index[at];

	put(l, l->at[index], other);
	put(l, at, index);
}

void live_keys_add(struct live_keys *l, uint32_t index)
{
	put(l, l->nr++, index);
}

void live_keys_drop(struct live_keys *l, uint32_t index)
{
	swap(l, index, --l->nr_stale);
	swap(l, index, --l->nr);
}

static void mark(struct live_keys *l, uint32_t index)
{
	if (l->at[index] >= l->nr_stale)
		swap(l, index, l->nr_stale++);
}

void live_keys_look(struct live_keys *l,
		    bool (*gone)(const void *keys, uint32_t index),
		    const void *keys)
{
	enum removed_news news;
	uint32_t index;

	/* Backwards: what takes a place here has been looked at. */
	for (uint32_t i = l->nr_stale; i--;)
		if (!gone(keys, l->index[i]))
			swap(l, l->index[i], --l->nr_stale);
	while ((news = removed_next(&l->removed, &index)) == REMOVED_KEY)
		if (gone(keys, index))
			mark(l, index);
	if (news != REMOVED_MANY)
		return;
	for (uint32_t i = l->nr_stale; i < l->nr; i++)
		if (gone(keys, l->index[i]))
			mark(l, l->index[i]);
}
