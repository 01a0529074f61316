// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "sched/fill.h"

/* Parts are put in order by so many steps of how long they take. */
#define STEPS	256

/* Take what the device takes; the rest is refused. Return: how many. */
static uint32_t take(const struct filler *f, struct bins *b, struct bin *bin,
		     uint32_t nr, struct packet **to)
{
	uint32_t kept = 0;

	bins_take(b, bin, to, nr);
	if (!f->be->ops->takes)
		return nr;
	for (uint32_t i = 0; i < nr; i++) {
		/* Where bins are not sorted, any may be in there. */
		if (f->be->ops->grain(f->be->dev, to[i]->alg, to[i]->op) &&
		    f->be->ops->takes(f->be, to[i]))
			to[kept++] = to[i];
		else
			bins_add(f->refused, to[i]);
	}
	return kept;
}

/* How many of @nr packets, from the first on, make a part? */
static uint32_t part_nr(struct packet *const *p, uint32_t nr, uint32_t grain)
{
	uint32_t n = 1;

	for (; n < nr && n < grain; n++)
		if (p[n]->alg != p[0]->alg || p[n]->op != p[0]->op ||
		    p[n]->key_len != p[0]->key_len)
			break;
	return n;
}

static void add_part(const struct filler *f, struct chunk *c, uint32_t nr)
{
	struct packet *const *p = c->packets + c->nr;
	unsigned int kind = alg_kind(p[0]->alg, p[0]->op, p[0]->key_len);
	struct part *part = &c->parts[c->nr_parts++];
	uint32_t longest = 0;
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < nr; i++) {
		bytes += p[i]->len;
		if (p[i]->len > longest)
			longest = p[i]->len;
	}
	*part = (struct part) {
		.first = c->nr,
		.nr = nr,
		.longest = longest,
		.weight = cost_line_at(&f->model->delay[kind], longest),
		.alg = p[0]->alg,
		.op = p[0]->op,
		.key_len = p[0]->key_len,
	};
	c->nr += nr;
	c->bytes += bytes;
	c->load[kind].nr += nr;
	c->load[kind].bytes += bytes;
	if (longest > c->longest)
		c->longest = longest;
}

/*
 * How many of a bin's share to take now? What does not fill a part may wait for
 * others. It is the newest that do, so that neighbours stay together.
 */
static uint32_t ripe(const struct filler *f, const struct bins *b,
		     struct bin *bin, uint32_t nr, bool leave)
{
	const struct packet *first = bin->ring[bin->head & b->mask];
	uint32_t over = nr % split_grain(f->be, first);

	if (!over || !leave || bin->age >= b->config.age) {
		bin->age = 0;
		return nr;
	}
	bin->age++;
	return nr - over;
}

/* Cut @nr packets, which lie behind the chunk's, into parts. */
static void cut(const struct filler *f, const struct bins *b, uint32_t nr,
		struct chunk *c)
{
	if (b->config.level >= SCHED_LENGTH)
		bins_sort(b, c->packets + c->nr, f->packets, nr);
	while (nr) {
		const struct packet *first = c->packets[c->nr];
		uint32_t n = part_nr(c->packets + c->nr, nr,
				     split_grain(f->be, first));

		add_part(f, c, n);
		nr -= n;
	}
}

/* What takes longest goes first, so that nothing long begins at the end. */
static void order(const struct filler *f, struct chunk *c)
{
	uint32_t start[STEPS] = { 0 }, heaviest = 1, at = 0;
	double scale;

	for (uint32_t i = 0; i < c->nr_parts; i++)
		if (c->parts[i].weight > heaviest)
			heaviest = c->parts[i].weight;
	scale = (STEPS - 1.0) / heaviest;
	memcpy(f->parts, c->parts, c->nr_parts * sizeof(*c->parts));
	for (uint32_t i = 0; i < c->nr_parts; i++)
		start[STEPS - 1 - (uint32_t)(f->parts[i].weight * scale)]++;
	for (uint32_t i = 0; i < STEPS; i++) {
		uint32_t n = start[i];

		start[i] = at;
		at += n;
	}
	for (uint32_t i = 0; i < c->nr_parts; i++) {
		const struct part *p = &f->parts[i];
		uint32_t step = STEPS - 1 - (uint32_t)(p->weight * scale);

		c->parts[start[step]++] = *p;
	}
}

/* Is there a part that can be filled, so that the others may wait? */
static bool any_full(const struct filler *f, const struct bins *b,
		     const struct split *s)
{
	bins_for_each(i, b) {
		const struct bin *bin = &b->bin[i];
		const struct packet *p = bin->ring[bin->head & b->mask];

		if (s->share[i] >= split_grain(f->be, p))
			return true;
	}
	return false;
}

bool fill(const struct filler *f, struct bins *b, const struct split *s,
	  struct chunk *c)
{
	bool leave = b->config.level == SCHED_ALL && any_full(f, b, s);

	c->nr = 0;
	c->nr_parts = 0;
	c->bytes = 0;
	c->longest = 0;
	c->failed = false;
	c->untouched = false;
	memset(c->load, 0, sizeof(c->load));
	bins_for_each(i, b) {
		struct bin *bin = &b->bin[i];
		uint32_t nr = s->share[i];

		if (nr)
			nr = ripe(f, b, bin, nr, leave);
		if (nr)
			cut(f, b, take(f, b, bin, nr, c->packets + c->nr), c);
	}
	if (b->config.level == SCHED_ALL)
		order(f, c);
	return c->nr;
}
