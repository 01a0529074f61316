// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the lanes do, and what becomes of packets that are done.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "lib/clock.h"
#include "worker/state.h"

void worker_complete(struct worker *w, const struct chunk *c)
{
	uint64_t retries = 0;

	for (uint32_t i = 0; i < w->config.nr_queues; i++)
		queue_claim(&w->queues[i], c->nr);
	for (uint32_t i = 0; i < c->nr; i++) {
		struct packet *p = c->packets[i];

		chunk_prefetch(c, i);
		retries += p->status != WAVECRYPT_STATUS_OK;
		p->busy = false;
		queue_complete(&w->queues[p->queue], p);
	}
	count(&w->stats.packets, c->nr - retries);
	count(&w->stats.bytes, c->bytes);
	if (retries)
		count(&w->stats.retries, retries);
}

bool worker_lanes(struct worker *w, struct bins *b, bool more)
{
	const struct backend_ops *ops = w->lanes->ops;
	struct chunk *c = w->chunk;
	uint64_t start;

	if (!bins_pick(b, c, w->config.batch_max, more))
		return false;
	count(&w->stats.chunks, 1);
	count(&w->stats.sizes[worker_range(c->nr, 0, WORKER_SIZES)], 1);
	worker_count_bins(w, c);
	start = w->offload ? clock_ticks() : 0;
	ops->submit(w->lanes, c);
	c = ops->poll(w->lanes);
	if (w->offload)
		offload_lanes_took(w->offload, c,
				   clock_ns_of(clock_ticks() - start));
	worker_complete(w, c);
	return true;
}
