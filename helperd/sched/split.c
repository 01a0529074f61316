// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "sched/split.h"

void split_all(const struct bins *b, uint32_t max, struct split *s)
{
	memset(s, 0, sizeof(*s));
	for (uint32_t left = b->used; left && s->nr < max; left &= left - 1) {
		unsigned int i = __builtin_ctz(left);
		uint32_t nr = b->bin[i].nr;

		s->share[i] = nr < max - s->nr ? nr : max - s->nr;
		s->nr += s->share[i];
	}
}

/**
 * struct candidate - a bin, as the two see it
 * @bin: number of the bin
 * @nr: packets in it
 * @grain: packets that the device likes together
 * @lanes: ns that the lanes take for a packet
 * @device: ns that the device takes for a packet
 * @delay: ns before the first is done
 * @fixed: ns for a chunk that has any
 */
struct candidate {
	unsigned int bin;
	uint32_t nr;
	uint32_t grain;
	double lanes;
	double device;
	double delay;
	double fixed;
};

static void describe(struct candidate *c, const struct bins *b, unsigned int i,
		     const struct cost_model *lanes, const struct backend *be,
		     const struct cost_model *device)
{
	const struct bin *bin = &b->bin[i];
	const struct packet *p = bin->ring[bin->head & b->mask];
	unsigned int kind = alg_kind(p->alg, p->op, p->key_len);
	double len = (double)bin->bytes / bin->nr;

	c->bin = i;
	c->nr = bin->nr;
	c->grain = be->ops->grain(p->alg, p->op);
	c->lanes = cost_line_at(&lanes->packet[kind], len);
	c->device = cost_line_at(&device->packet[kind], len);
	c->delay = cost_line_at(&device->delay[kind], bin->longest);
	c->fixed = device->fixed[kind];
}

/* By how much better the device is than the lanes, best first. */
static void rank(struct candidate *c, uint32_t nr)
{
	for (uint32_t i = 1; i < nr; i++) {
		struct candidate one = c[i];
		uint32_t k = i;

		for (; k && c[k - 1].lanes * one.device <
			    one.lanes * c[k - 1].device; k--)
			c[k] = c[k - 1];
		c[k] = one;
	}
}

/*
 * How many packets of a bin go to the device, that is to begin at @start, if
 * the lanes are at it for @left?
 */
static uint32_t share(const struct candidate *c, double start, double left,
		      uint32_t room)
{
	double nr = (left - start) / (c->lanes + c->device);
	uint32_t n;

	if (nr <= 0)
		return 0;
	n = nr < c->nr ? nr : c->nr;
	if (n > room)
		n = room;
	return n == c->nr ? n : n - n % c->grain;
}

void split_balance(const struct bins *b, const struct cost_model *lanes,
		   const struct backend *be, const struct cost_model *device,
		   double backlog, struct split *s)
{
	struct candidate c[ALG_KINDS];
	double left = 0, alone, busy = 0, delay = 0;
	uint32_t nr = 0;

	memset(s, 0, sizeof(*s));
	for (uint32_t used = b->used; used; used &= used - 1) {
		describe(&c[nr], b, __builtin_ctz(used), lanes, be, device);
		left += c[nr].nr * c[nr].lanes;
		nr++;
	}
	alone = left;
	rank(c, nr);
	for (uint32_t i = 0; i < nr; i++) {
		double wait = delay > c[i].delay ? delay : c[i].delay;
		double start = (wait > backlog ? wait : backlog) + busy +
			       (s->nr ? 0 : c[i].fixed);
		uint32_t n = share(&c[i], start, left,
				   be->chunk_max - s->nr);

		if (!n)
			continue;
		s->share[c[i].bin] = n;
		s->nr += n;
		busy += n * c[i].device + (s->nr == n ? c[i].fixed : 0);
		left -= n * c[i].lanes;
		delay = wait;
		if (n < c[i].nr)
			break;
	}
	/* Having it done must not take longer than doing it. */
	if (s->nr && left + cost_line_at(&device->host, s->nr) >= alone)
		memset(s, 0, sizeof(*s));
}
