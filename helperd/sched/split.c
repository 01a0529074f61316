// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "sched/split.h"

uint32_t split_room(const struct bins *b, const struct backend *be)
{
	uint32_t longest = 0;

	bins_for_each(i, b) {
		const struct bin *bin = &b->bin[i];

		if (bin->longest > longest)
			longest = bin->longest;
	}
	return backend_room(be, longest);
}

/*
 * The part of a bin that may go if not all fit: of each bin the same, so that
 * those go that came first, whatever they are.
 */
static uint32_t fair(const struct bins *b, const struct bin *bin, uint32_t max)
{
	uint32_t nr;

	if (b->nr <= max)
		return bin->nr;
	nr = (uint64_t)bin->nr * max / b->nr;
	return nr ? nr : 1;
}

void split_all(const struct bins *b, uint32_t max, struct split *s)
{
	memset(s, 0, sizeof(*s));
	bins_for_each(i, b) {
		uint32_t nr = fair(b, &b->bin[i], max);

		if (s->nr >= max)
			break;
		s->share[i] = nr < max - s->nr ? nr : max - s->nr;
		s->nr += s->share[i];
	}
}

/**
 * struct work - what waits, as the two see it
 * @lanes: ns that it takes the lanes
 * @device: ns that it takes the device
 * @start: ns before the first is done there
 */
struct work {
	double lanes;
	double device;
	double start;
};

static void add_bin(struct work *w, const struct bin *bin, uint32_t mask,
		    const struct cost_model *lanes,
		    const struct cost_model *device)
{
	const struct packet *p = bin->ring[bin->head & mask];
	unsigned int kind = alg_kind(p->alg, p->op, p->key_len);
	double len = (double)bin->bytes / bin->nr;
	double start = cost_line_at(&device->delay[kind], bin->longest) +
		       device->fixed[kind];

	w->lanes += bin->nr * cost_line_at(&lanes->packet[kind], len);
	w->device += bin->nr * cost_line_at(&device->packet[kind], len);
	if (start > w->start)
		w->start = start;
}

/* What does not fill a part of the device's is the lanes', if any is. */
static void round_down(const struct bins *b, const struct backend *be,
		       struct split *s)
{
	bins_for_each(i, b) {
		const struct bin *bin = &b->bin[i];
		const struct packet *p = bin->ring[bin->head & b->mask];
		uint32_t over = s->share[i] % split_grain(be, p);

		if (s->share[i] == bin->nr)
			continue;
		s->share[i] -= over;
		s->nr -= over;
	}
}

/*
 * The device is given of every kind alike, and not what it is best at: the lanes
 * would leave gaps between packets of that, and what is gained by the choice is
 * less than copying every packet by itself costs.
 */
void split_balance(const struct bins *b, const struct cost_model *lanes,
		   const struct backend *be, const struct cost_model *device,
		   double backlog, double rate, double doubt, uint32_t max,
		   struct split *s)
{
	struct work w = { 0 };
	double idle, nr, each;

	memset(s, 0, sizeof(*s));
	bins_for_each(i, b)
		add_bin(&w, &b->bin[i], b->mask, lanes, device);
	if (backlog > w.start)
		w.start = backlog;
	/* Share of the time in which the lanes have nothing to do but what waits now */
	idle = 1 - rate * w.lanes / b->nr;
	if (idle < 0)
		idle = 0;
	/* That all the device's time is less comes to the same as that the lanes' is more. */
	w.lanes *= doubt;
	if (w.lanes + device->host.a <= w.start)
		return;
	/*
	 * So many that both end at the same time, with what arrives until then. The
	 * lanes begin when the device has been given its share.
	 */
	nr = (w.lanes + device->host.a - idle * w.start) * b->nr;
	each = w.lanes + idle * w.device - device->host.b * b->nr;
	if (each <= 0 || nr < each)
		return;
	nr /= each;
	split_all(b, nr < max ? nr : max, s);
	round_down(b, be, s);
	/* Having it done must not take longer than doing it. */
	if (cost_line_at(&device->host, s->nr) * b->nr >= w.lanes * s->nr)
		memset(s, 0, sizeof(*s));
}
