// SPDX-License-Identifier: GPL-2.0-only
/*
 * Completions: letting the module see them, and ringing its bell.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "worker/state.h"

/*
 * A worker that is busy all the time is what everybody waits for if so many submissions
 * wait for it. Where it is the module's CPU that cannot do more, they come in small
 * batches, which keep a worker as busy.
 */
#define BEHIND	96u

/* It is quicker with lines that were passed on than their CPU is slower by that. */
static bool behind(const struct worker *w)
{
	return w->passes_on && w->busy && w->waiting >= BEHIND;
}

void worker_publish(struct worker *w, uint64_t now)
{
	for (uint32_t i = 0; i < w->nr; i++) {
		struct queue *q = &w->queues[w->mine[i]];

		if (q->published == q->done)
			continue;
		queue_publish(q, behind(w));
		bell_published(&w->bells[w->mine[i]], q->tail, now);
	}
}

void worker_ring(struct worker *w, bool idle, uint64_t now)
{
	for (uint32_t i = 0; i < w->nr; i++) {
		struct queue *q = &w->queues[w->mine[i]];
		struct bell *b = &w->bells[w->mine[i]];

		if (!bell_due(b, q->tail, idle, now) ||
		    !bell_check(b, queue_reaped(q), q->published,
				queue_looks(q), now))
			continue;
		count(&w->stats.bells, 1);
		w->config.ch->ops->bell(w->config.ch, q->id);
	}
}

void worker_ring_all(struct worker *w)
{
	for (uint32_t i = 0; i < w->nr; i++) {
		struct queue *q = &w->queues[w->mine[i]];

		if (queue_reaped(q) != q->published)
			w->config.ch->ops->bell(w->config.ch, q->id);
	}
}
