// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "sched/bins.h"

const char *const sched_level_name[] = {
	[SCHED_NONE] = "none",
	[SCHED_ALGORITHM] = "algorithm",
	[SCHED_LENGTH] = "algorithm+length",
	[SCHED_ALL] = "all",
};

bool bins_init(struct bins *b, const struct device *lanes,
	       const struct sched_config *config, uint32_t room)
{
	uint32_t size = 1;

	while (size < room)
		size *= 2;
	memset(b, 0, sizeof(*b));
	b->config = *config;
	b->shift = __builtin_ctz(config->range);
	b->mask = size - 1;
	/* A bin that nobody uses costs address space, and no memory. */
	b->store = calloc((size_t)size * ALG_KINDS, sizeof(*b->store));
	if (!b->store)
		return false;
	for (unsigned int i = 0; i < ALG_KINDS; i++) {
		b->map[i] = config->level == SCHED_NONE ? 0 : i;
		b->bin[i].ring = b->store + (size_t)i * size;
		b->bin[i].grain = lanes->ops->grain(lanes, alg_of_kind(i),
					       alg_op_of_kind(i));
	}
	return true;
}

void bins_exit(struct bins *b)
{
	free(b->store);
	b->store = NULL;
}

/* @nr packets, or bytes, have gone from a bin. */
static void bin_left(struct bins *b, struct bin *bin, uint32_t nr,
		     uint64_t bytes)
{
	b->nr -= nr;
	bin->nr -= nr;
	bin->bytes -= bytes;
	if (bin->nr)
		return;
	bin->longest = 0;
	bitmap_clear(b->used, bin - b->bin);
}

/* Copy the oldest packets out, and tell how long they are in all, and the longest. */
static uint64_t bin_copy(const struct bins *b, struct bin *bin,
			 struct packet **to, uint32_t nr, uint32_t *longest)
{
	uint64_t bytes = 0;

	*longest = 0;
	for (uint32_t i = 0; i < nr; i++) {
		if (i + PREFETCH_AHEAD < nr)
			prefetch(bin->ring[(bin->head + i + PREFETCH_AHEAD) &
					   b->mask]);
		to[i] = bin->ring[(bin->head + i) & b->mask];
		bytes += to[i]->len;
		if (to[i]->len > *longest)
			*longest = to[i]->len;
	}
	bin->head += nr;
	return bytes;
}

void bins_take(struct bins *b, struct bin *bin, struct packet **to,
	       uint32_t nr)
{
	uint32_t longest;

	bin_left(b, bin, nr, bin_copy(b, bin, to, nr, &longest));
}

/*
 * By counting: lanes and work-groups that start together then end together,
 * and the short ones fill the gaps at the end.
 */
void bins_sort(const struct bins *b, struct packet **packets,
	       struct packet **room, uint32_t nr)
{
	enum { RANGES = PACKET_MAX_LEN / SCHED_RANGE_MIN + 1 };
	uint32_t low = UINT32_MAX, high = 0, ranges, at = 0;
	uint32_t start[RANGES];

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t range = packets[i]->len >> b->shift;

		if (range < low)
			low = range;
		if (range > high)
			high = range;
	}
	if (low >= high)
		return;
	ranges = high - low + 1;
	memset(start, 0, ranges * sizeof(start[0]));
	for (uint32_t i = 0; i < nr; i++) {
		room[i] = packets[i];
		start[high - (packets[i]->len >> b->shift)]++;
	}
	for (uint32_t i = 0; i < ranges; i++) {
		uint32_t n = start[i];

		start[i] = at;
		at += n;
	}
	for (uint32_t i = 0; i < nr; i++)
		packets[start[high - (room[i]->len >> b->shift)]++] = room[i];
}

/*
 * The bin to pick from, or NULL if all had better wait. Who has waited too long goes
 * first, and of those who has for longest; with many kinds each waits for the others' turns.
 */
static struct bin *bins_choose(struct bins *b, bool more)
{
	uint32_t kinds = bins_used(b);
	uint32_t patience = b->config.age + (kinds > 2 ? kinds - 2 : 0);
	struct bin *full = NULL, *any = NULL, *old = NULL;

	bins_for_each(i, b) {
		struct bin *bin = &b->bin[i];

		if (bin->age >= patience && (!old || bin->age > old->age))
			old = bin;
		if (bin->nr >= bin->grain && (!full || bin->nr > full->nr))
			full = bin;
		if (!any || bin->nr > any->nr)
			any = bin;
	}
	if (old)
		return old;
	if (full)
		return full;
	return more && b->config.level == SCHED_ALL ? NULL : any;
}

/* How many of a mixed bin's oldest packets are of the same kind? */
static uint32_t same_kind(const struct bins *b, const struct bin *bin,
			  uint32_t max)
{
	const struct packet *first = bin->ring[bin->head & b->mask];
	uint32_t n = 1;

	for (; n < max; n++) {
		const struct packet *p = bin->ring[(bin->head + n) & b->mask];

		if (p->alg != first->alg || p->op != first->op ||
		    p->key_len != first->key_len)
			break;
	}
	return n;
}

/* How many to take of a bin that was chosen? */
static uint32_t pick_nr(const struct bins *b, const struct bin *bin,
			uint32_t max)
{
	uint32_t nr = bin->nr < max ? bin->nr : max;

	switch (b->config.level) {
	case SCHED_NONE:
		return same_kind(b, bin, nr);
	case SCHED_ALL:
		if (nr > bin->grain && bin->age < b->config.age)
			nr -= nr % bin->grain;
		return nr;
	default:
		return nr;
	}
}

bool bins_pick(struct bins *b, struct chunk *c, uint32_t max, bool more)
{
	struct bin *bin = bins_choose(b, more);
	struct packet *room[CHUNK_MAX];
	uint32_t nr, longest;

	if (!bin)
		return false;
	nr = pick_nr(b, bin, max);
	c->bytes = bin_copy(b, bin, c->packets, nr, &longest);
	bin_left(b, bin, nr, c->bytes);
	if (b->config.level >= SCHED_LENGTH)
		bins_sort(b, c->packets, room, nr);
	chunk_part(c, nr, longest);
	bins_for_each(i, b)
		b->bin[i].age++;
	bin->age = 0;
	return true;
}
