// SPDX-License-Identifier: GPL-2.0-only
/*
 * Completions: letting the module see them, and ringing its bell.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "worker/state.h"

void worker_publish(struct worker *w, uint64_t now)
{
	for (uint32_t i = 0; i < w->config.nr_queues; i++) {
		struct queue *q = &w->queues[i];

		if (q->published == q->done)
			continue;
		queue_publish(q);
		bell_published(&w->bells[i], q->tail, now);
	}
}

void worker_ring(struct worker *w, bool idle, uint64_t now)
{
	for (uint32_t i = 0; i < w->config.nr_queues; i++) {
		struct queue *q = &w->queues[i];
		struct bell *b = &w->bells[i];

		if ((!bell_due(b, q->tail, now) && !(idle && b->waiting)) ||
		    !bell_check(b, queue_reaped(q), q->published, now))
			continue;
		count(&w->stats.bells, 1);
		w->config.ch->ops->bell(w->config.ch, q->id);
	}
}

void worker_ring_all(struct worker *w)
{
	for (uint32_t i = 0; i < w->config.nr_queues; i++)
		if (queue_reaped(&w->queues[i]) != w->queues[i].published)
			w->config.ch->ops->bell(w->config.ch, w->queues[i].id);
}
