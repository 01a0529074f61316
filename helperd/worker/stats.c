// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "worker/state.h"

unsigned int worker_range(uint64_t n, unsigned int first, unsigned int nr)
{
	unsigned int power = n <= 1 ? 0 : 64 - __builtin_clzll(n - 1);

	if (power <= first)
		return 0;
	return power - first < nr ? power - first : nr - 1;
}

void worker_count_bins(struct worker *w, const struct chunk *c)
{
	for (uint32_t i = 0; i < c->nr_parts; i++) {
		const struct part *p = &c->parts[i];
		unsigned int kind = alg_kind(p->alg, p->op, p->key_len);
		unsigned int range = worker_range(p->longest,
						  WORKER_LENGTH_FIRST,
						  WORKER_LENGTHS);

		count(&w->stats.bins[kind][range], p->nr);
	}
}

uint32_t worker_crew_queues(const struct worker *w)
{
	return w->crew->nr_queues;
}

uint32_t worker_queues(const struct worker *w, uint32_t *ids)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < w->crew->nr_queues; i++)
		if (__atomic_load_n(&w->crew->owners[i], __ATOMIC_RELAXED) == w->seat)
			ids[nr++] = w->queues[i].id;
	return nr;
}

void worker_stats_get(const struct worker *w, struct worker_stats *out)
{
	const uint64_t *from = (const uint64_t *)&w->stats;
	uint64_t *to = (uint64_t *)out;

	for (size_t i = 0; i < sizeof(*out) / sizeof(*to); i++)
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}
