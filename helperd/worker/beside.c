// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device beside the lanes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "lib/clock.h"
#include "worker/state.h"

/* Give the device more, if it is time to. */
static bool give_device(struct worker *w, double ns)
{
	const struct chunk *c = offload_submit(w->offload, &w->bins, ns);

	if (!c)
		return false;
	count(&w->stats.device_chunks, 1);
	worker_count_bins(w, c);
	return true;
}

/* A chunk that came back */
static void take_back(struct worker *w, struct chunk *c)
{
	count(&w->stats.device_returned, 1);
	if (c->failed) {
		count(&w->stats.device_failed, 1);
	} else {
		count(&w->stats.device_runs, c->runs);
		count(&w->stats.device_packed, c->packed);
	}
	if (!c->untouched) {
		struct worker_done done;

		arrival_restore(&w->arrival, c);
		done = worker_complete(w, c);
		count(&w->stats.device_packets, done.packets);
		count(&w->stats.device_bytes, done.bytes);
	}
	offload_done(w->offload, c);
}

bool worker_drive(struct worker *w, uint64_t now)
{
	double ns = clock_ns_of(now);
	struct chunk *c = offload_poll(w->offload, ns);
	bool given = give_device(w, ns), moved = c;

	for (; c; c = offload_poll(w->offload, ns))
		take_back(w, c);
	return given || give_device(w, ns) || moved;
}

void worker_leave(struct worker *w)
{
	offload_drain(w->offload);
	if (offload_hung(w->offload))
		channel_keep(w->config.ch);
}
