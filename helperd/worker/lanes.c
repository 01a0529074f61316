// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the lanes do, and what becomes of packets that are done.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "lib/clock.h"
#include "worker/state.h"

struct worker_done worker_complete(struct worker *w, const struct chunk *c)
{
	struct worker_done done = { 0 };

	for (uint32_t i = 0; i < w->nr; i++)
		queue_claim(&w->queues[w->mine[i]], c->nr);
	for (uint32_t i = 0; i < c->nr; i++) {
		struct packet *p = c->packets[i];

		chunk_prefetch(c, i);
		if (p->status == WAVECRYPT_STATUS_OK) {
			done.packets++;
			done.bytes += p->len;
		}
		p->busy = false;
		queue_complete(&w->queues[p->queue], p);
	}
	count(&w->stats.packets, done.packets);
	count(&w->stats.bytes, done.bytes);
	if (done.packets < c->nr)
		count(&w->stats.retries, c->nr - done.packets);
	return done;
}

/* For the CPU that will reap it, if that costs nobody anything. */
static void chunk_pass_on(const struct chunk *c)
{
	for (uint32_t i = 0; i < c->nr; i++) {
		const struct packet *p = c->packets[i];

		pass_on(p->data, p->len + algs[p->alg].icv_len);
	}
}

bool worker_lanes(struct worker *w, struct bins *b, bool more)
{
	const struct backend_ops *ops = w->lanes->ops;
	struct chunk *c = w->chunk;
	uint64_t start;

	if (!bins_pick(b, c, w->config.batch_max, more))
		return false;
	count(&w->stats.chunks, 1);
	w->window.chunks++;
	w->window.packets += c->nr;
	count(&w->stats.sizes[worker_range(c->nr, 0, WORKER_SIZES)], 1);
	worker_count_bins(w, c);
	start = w->offload ? clock_ticks() : 0;
	ops->submit(w->lanes, c);
	c = ops->poll(w->lanes);
	if (w->offload)
		offload_lanes_took(w->offload, c,
				   clock_ns_of(clock_ticks() - start));
	if (w->passes_on && w->spare)
		chunk_pass_on(c);
	worker_complete(w, c);
	return true;
}
