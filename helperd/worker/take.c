// SPDX-License-Identifier: GPL-2.0-only
/*
 * Submissions: from the queues to the bins.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "worker/state.h"

/*
 * Half of what is in flight at a time, so that the module reaps and submits
 * one half while we work on the other; in batches that fill the lanes.
 */
#define BATCH_GRAIN	16u

static uint32_t batch_want(uint32_t waiting, uint32_t max)
{
	uint32_t half = waiting / 2;

	if (half < BATCH_GRAIN)
		return waiting < BATCH_GRAIN ? waiting : BATCH_GRAIN;
	half -= half % BATCH_GRAIN;
	return half < max ? half : max;
}

/*
 * Take one submission and sort it in. false: what the ring says cannot be, and
 * there is no generation to answer it with.
 */
static bool take_one(struct worker *w, struct queue *q)
{
	uint32_t index = queue_next(q);
	struct packet *p;

	if (index > q->mask)
		return false;
	p = &q->packets[index];
	if (p->busy)
		return false;
	if (packet_load(p, w->config.ch, q)) {
		p->busy = true;
		bins_add(&w->bins, p);
	} else {
		queue_complete(q, p);
		count(&w->stats.retries, 1);
	}
	return true;
}

/* How many there are decides what a device is worth: it is shown all. */
static bool has_device(const struct worker *w)
{
	return w->offload && offload_there(w->offload);
}

/* How many packets may be in the bins? A batch of one kind has company of every other. */
static uint32_t bins_most(const struct worker *w)
{
	uint32_t max = (bins_used(&w->bins) + 1) * BATCH_GRAIN;

	if (max < w->config.batch_max)
		max = w->config.batch_max;
	return max < WORKER_HELD ? max : WORKER_HELD;
}

/*
 * How many should be? The lanes work on few at a time, and leftovers that wait there
 * for company get some each time.
 */
static uint32_t bins_want(const struct worker *w, uint32_t waiting)
{
	uint32_t max, want;

	if (has_device(w))
		return UINT32_MAX;
	max = bins_most(w);
	want = batch_want(waiting + w->bins.nr, max);
	if (want < w->bins.nr + BATCH_GRAIN)
		want = w->bins.nr + BATCH_GRAIN;
	return want < max ? want : max;
}

/*
 * How many may wait in each queue that has any? Half of what waits is taken at a time,
 * of all that have some together. What waits beyond that keeps others waiting, in its
 * order.
 */
static uint32_t queue_room(const struct worker *w, uint32_t busy, uint32_t entries)
{
	uint32_t room;

	if (has_device(w))
		return entries;
	room = 2 * bins_most(w) / busy;
	return room > BATCH_GRAIN ? room : BATCH_GRAIN;
}

int worker_take(struct worker *w, bool *more)
{
	uint32_t nr = w->nr, waiting = 0, busy = 0, want, taken = 0;
	uint32_t last = w->first;

	for (uint32_t i = 0; i < nr; i++) {
		struct queue *q = &w->queues[w->mine[i]];
		uint32_t n = queue_refill(q);

		if (n > q->mask + 1)
			return -1;
		waiting += n;
		busy += n > 0;
	}
	w->waiting = waiting;
	*more = false;
	if (!waiting)
		return 0;
	want = bins_want(w, waiting);
	for (uint32_t k = 0; k < nr && w->bins.nr < want; k++) {
		uint32_t i = w->first + k < nr ? w->first + k :
						 w->first + k - nr;
		struct queue *q = &w->queues[w->mine[i]];
		uint32_t n = 0;

		for (uint32_t ahead = 0; ahead < PREFETCH_AHEAD; ahead++)
			queue_prefetch(q, ahead);
		for (; q->head != q->tail && w->bins.nr < want; n++) {
			queue_prefetch(q, PREFETCH_AHEAD);
			if (!take_one(w, q))
				return -1;
		}
		if (n) {
			queue_want(q, queue_room(w, busy, q->mask + 1));
			aside_note(&w->aside, q->sq->cpu, n);
			last = i;
		}
		taken += n;
	}
	if (w->offload)
		offload_arrived(w->offload, taken);
	/* Behind the last that had its turn: one that is idle has none. */
	w->first = last + 1 < nr ? last + 1 : 0;
	*more = taken < waiting && w->bins.nr < WORKER_HELD;
	return taken;
}
