// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "channel/queue.h"

bool queue_init(struct queue *q, const struct channel *ch, uint32_t id,
		uint32_t place)
{
	const struct wavecrypt_attach *geo = &ch->geo;
	const uint8_t *sq = (const uint8_t *)channel_sq(ch, id);

	memset(q, 0, sizeof(*q));
	q->sq = (const void *)sq;
	q->ring = (const void *)(sq + sizeof(struct wavecrypt_sq));
	q->desc = (const void *)(sq + geo->desc_first);
	q->cq = channel_cq(ch, id);
	q->cqe = (void *)(q->cq + 1);
	q->mask = geo->entries - 1;
	q->id = id;
	q->slots = id * geo->slot_stride;
	q->slots_end = q->slots + geo->slot_stride;
	/* Whoever served it before has completed what it took. */
	q->done = __atomic_load_n(&q->cq->tail, __ATOMIC_RELAXED);
	q->published = q->done;
	q->head = q->done;
	q->tail = q->done;
	q->packets = aligned_alloc(WAVECRYPT_LINE,
				   geo->entries * sizeof(*q->packets));
	if (!q->packets)
		return false;
	memset(q->packets, 0, geo->entries * sizeof(*q->packets));
	for (uint32_t i = 0; i < geo->entries; i++) {
		q->packets[i].index = i;
		q->packets[i].queue = place;
	}
	return true;
}

void queue_exit(struct queue *q)
{
	free(q->packets);
}
