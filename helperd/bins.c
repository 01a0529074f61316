// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "bins.h"

static unsigned int bin_alg(unsigned int i)
{
	return i / (WAVECRYPT_OPS * ALG_KEY_SIZES) + 1;
}

static unsigned int bin_op(unsigned int i)
{
	return i / ALG_KEY_SIZES % WAVECRYPT_OPS;
}

void bins_init(struct bins *b, const struct backend_ops *be)
{
	memset(b, 0, sizeof(*b));
	for (unsigned int i = 0; i < BINS; i++)
		b->bin[i].grain = be->grain(bin_alg(i), bin_op(i));
}

/* The bin to pick from, or NULL if all had better wait. */
static struct bin *bins_choose(struct bins *b, bool more)
{
	struct bin *full = NULL, *any = NULL;

	for (uint32_t left = b->used; left; left &= left - 1) {
		struct bin *bin = &b->bin[__builtin_ctz(left)];

		if (bin->age >= BIN_MAX_AGE)
			return bin;
		if (bin->nr >= bin->grain && (!full || bin->nr > full->nr))
			full = bin;
		if (!any || bin->nr > any->nr)
			any = bin;
	}
	return full ? full : more ? NULL : any;
}

/*
 * Longest first, by counting: lanes and work-groups that start together then
 * end together, and the short ones fill the gaps at the end.
 */
static void chunk_sort(struct chunk *c, uint32_t shortest, uint32_t longest)
{
	enum { RANGES = PACKET_MAX_LEN / BIN_RANGE + 1 };
	struct packet *in[CHUNK_MAX];
	uint16_t start[RANGES + 1];
	uint32_t low = shortest / BIN_RANGE, high = longest / BIN_RANGE;
	uint32_t ranges = high - low + 1, i, at = 0;

	if (ranges == 1)
		return;
	memcpy(in, c->packets, c->nr * sizeof(in[0]));
	memset(start, 0, ranges * sizeof(start[0]));
	for (i = 0; i < c->nr; i++)
		start[high - in[i]->len / BIN_RANGE]++;
	for (i = 0; i < ranges; i++) {
		uint32_t nr = start[i];

		start[i] = at;
		at += nr;
	}
	for (i = 0; i < c->nr; i++)
		c->packets[start[high - in[i]->len / BIN_RANGE]++] = in[i];
}

static void bin_take(struct bin *bin, struct chunk *c, uint32_t nr)
{
	uint32_t shortest = UINT32_MAX, longest = 0;
	const struct packet *first = bin->packets[0];

	c->alg = first->alg;
	c->op = first->op;
	c->key_len = first->key_len;
	c->nr = nr;
	c->bytes = 0;
	for (uint32_t i = 0; i < nr; i++) {
		struct packet *p = bin->packets[i];

		c->packets[i] = p;
		c->bytes += p->len;
		if (p->len < shortest)
			shortest = p->len;
		if (p->len > longest)
			longest = p->len;
	}
	chunk_sort(c, shortest, longest);
	bin->nr -= nr;
	memmove(bin->packets, bin->packets + nr,
		bin->nr * sizeof(bin->packets[0]));
}

bool bins_pick(struct bins *b, struct chunk *c, uint32_t max, bool more)
{
	struct bin *bin = bins_choose(b, more);
	uint32_t nr;

	if (!bin)
		return false;
	nr = bin->nr < max ? bin->nr : max;
	if (nr > bin->grain && bin->age < BIN_MAX_AGE)
		nr -= nr % bin->grain;
	bin_take(bin, c, nr);
	b->nr -= nr;
	for (uint32_t left = b->used; left; left &= left - 1)
		b->bin[__builtin_ctz(left)].age++;
	bin->age = 0;
	if (!bin->nr)
		b->used &= ~(1u << (bin - b->bin));
	return true;
}
