// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>

#include "lib/bitmap.h"
#include "sched/arrival.h"

bool arrival_init(struct arrival *a, struct queue *queues, uint32_t nr_queues,
		  uint32_t entries)
{
	a->queues = queues;
	a->shift = __builtin_ctz(entries);
	a->words = BITMAP_WORDS(nr_queues * entries);
	a->present = calloc(a->words, sizeof(*a->present));
	return a->present;
}

void arrival_exit(struct arrival *a)
{
	free(a->present);
}

static struct packet *packet_at(const struct arrival *a, uint32_t place)
{
	return &a->queues[place >> a->shift]
			.packets[place & ((1u << a->shift) - 1)];
}

void arrival_restore(struct arrival *a, struct chunk *c)
{
	struct packet **to = c->packets;

	for (uint32_t i = 0; i < c->nr; i++) {
		const struct packet *p = c->packets[i];
		uint32_t place = ((uint32_t)p->queue << a->shift) + p->index;

		chunk_prefetch(c, i);
		bitmap_set(a->present, place);
	}
	for (uint32_t i = 0; i < a->words; i++) {
		for (uint64_t w = a->present[i]; w; w &= w - 1)
			*to++ = packet_at(a, i * 64 + __builtin_ctzll(w));
		a->present[i] = 0;
	}
}
