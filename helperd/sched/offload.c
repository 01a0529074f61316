// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/clock.h"
#include "sched/offload.h"

/*
 * A chunk of so many kinds takes the device as long as the slowest does; so another
 * one is to be there when it ends, and may be smaller.
 */
#define MANY_KINDS	3

/* How often to look whether it has given back the last of its chunks. */
#define DRAIN_US	20

/* Batches for the lanes after a chunk came back, while others use the device. */
#define PAUSE	6

/* When the lanes have worked alone for so long, the device's time counts for half. */
#define DOUBT_NS	(100 * NSEC_PER_MSEC)

/* What a chunk says of the rate at which packets arrive counts one in so many. */
#define RATE_FADE	4

static double now_ns(void)
{
	return clock_ns_of(clock_ticks());
}

static void chunks_free(struct offload *o)
{
	for (uint32_t i = 0; o->chunks && o->be && i < o->be->chunks; i++)
		chunk_free(o->chunks[i]);
	free(o->chunks);
	free(o->free);
	free(o->filler.packets);
	free(o->filler.parts);
	o->chunks = NULL;
	o->free = NULL;
	o->filler.packets = NULL;
	o->filler.parts = NULL;
}

static bool chunks_alloc(struct offload *o)
{
	uint32_t nr = o->be->chunks, max = o->be->chunk_max;

	o->nr_free = 0;
	o->chunks = calloc(nr, sizeof(*o->chunks));
	o->free = calloc(nr, sizeof(*o->free));
	o->filler.packets = calloc(max, sizeof(*o->filler.packets));
	o->filler.parts = calloc(max, sizeof(*o->filler.parts));
	if (!o->chunks || !o->free || !o->filler.packets || !o->filler.parts)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		o->chunks[i] = chunk_alloc(max);
		if (!o->chunks[i])
			return false;
		o->free[o->nr_free++] = o->chunks[i];
	}
	return true;
}

/* Start with an instance; false: no memory. */
static bool adopt(struct offload *o, struct backend *be)
{
	o->be = be;
	o->in_flight = 0;
	o->finish = 0;
	o->last_done = 0;
	o->rate = 0;
	o->alone = 0;
	o->pause = 0;
	o->filler.be = be;
	cost_model_init(&o->device, be->dev);
	return chunks_alloc(o);
}

/* The instance, which is nobody's any more */
static struct backend *retire(struct offload *o)
{
	struct backend *be = o->be;

	chunks_free(o);
	o->be = NULL;
	return be;
}

bool offload_init(struct offload *o, const struct offload_config *c)
{
	struct backend *be;

	memset(o, 0, sizeof(*o));
	o->balance = c->balance;
	o->filler.model = &o->device;
	o->filler.refused = &o->refused;
	cost_model_init(&o->lanes, c->lanes);
	if (!bins_init(&o->refused, c->lanes, c->sched, c->room))
		return false;
	revive_init(&o->revive, c->device, c->ch, c->retry_ns);
	be = revive_open(&o->revive);
	return !be || adopt(o, be);
}

void offload_drain(struct offload *o)
{
	while (o->in_flight && o->be->state != BACKEND_HUNG) {
		if (o->be->ops->poll(o->be))
			o->in_flight--;
		else
			usleep(DRAIN_US);
	}
}

void offload_exit(struct offload *o)
{
	revive_exit(&o->revive);
	if (o->be)
		revive_close(&o->revive, retire(o));
	bins_exit(&o->refused);
}

/* What one worker found wanting is given up by all, even if they give it nothing. */
static bool is_lost(const struct backend *be)
{
	const struct device *dev = be->dev;

	return be->state == BACKEND_LOST ||
	       (be->state == BACKEND_GOOD && dev->ops->there && !dev->ops->there(dev));
}

/* A device that failed may be back. */
static void look_for_device(struct offload *o)
{
	struct backend *be = revive_get(&o->revive);

	if (be && !adopt(o, be)) {
		revive_close(&o->revive, retire(o));
		revive_start(&o->revive);
	}
}

void offload_tend(struct offload *o)
{
	if (!o->be) {
		look_for_device(o);
	} else if (!o->in_flight && is_lost(o->be)) {
		o->be->state = BACKEND_LOST;
		revive_close(&o->revive, retire(o));
		revive_start(&o->revive);
	} else if (o->be->keys_pending) {
		offload_keys_changed(o);
	}
}

/* The driver of one that has hung might not return. Keys go when it is closed. */
void offload_keys_changed(struct offload *o)
{
	if (o->be && o->be->state == BACKEND_GOOD && !is_lost(o->be))
		o->be->ops->keys_changed(o->be);
}

/* ns of this worker's time to give the device what waits */
static double preparation(const struct offload *o, const struct bins *b)
{
	uint32_t max = o->be->chunk_max;

	return cost_line_at(&o->device.host, b->nr < max ? b->nr : max);
}

/*
 * Is it time for another chunk? As long as the device has enough to do, one
 * that is given later can be larger and is done no later. What has come back
 * makes room for more packets, which are here in a moment. Nor is it to wait
 * for a chunk that is only begun when the one before is done.
 */
static bool due(const struct offload *o, const struct bins *b, double now)
{
	unsigned int i = bitmap_next(b->used, ALG_KINDS, 0);
	double delay = cost_line_at(&o->device.delay[i], b->bin[i].longest);
	double left = o->finish - now;

	if (o->pause && b->nr < o->be->chunk_max)
		return false;
	if (!o->in_flight)
		return true;
	if (o->in_flight < o->be->pipeline)
		return b->nr >= o->be->chunk_max || left <= delay;
	return o->in_flight == o->be->pipeline &&
	       bins_used(b) >= MANY_KINDS &&
	       left <= preparation(o, b);
}

static double service(const struct offload *o, const struct chunk *c)
{
	double ns = 0, fixed = 0;

	for (unsigned int i = 0; i < ALG_KINDS; i++) {
		ns += cost_of_load(&o->device, i, &c->load[i]);
		if (c->load[i].nr && o->device.fixed[i] > fixed)
			fixed = o->device.fixed[i];
	}
	return ns + fixed;
}

static double delay(const struct offload *o, const struct chunk *c)
{
	double longest = 0;

	for (unsigned int i = 0; i < ALG_KINDS; i++)
		if (c->load[i].nr) {
			double d = cost_line_at(&o->device.delay[i],
						c->longest);

			if (d > longest)
				longest = d;
		}
	return longest;
}

/* When will a chunk that is submitted now be back? */
static double expect(const struct offload *o, const struct chunk *c, double now)
{
	double start = now + delay(o, c);

	return (start > o->finish ? start : o->finish) + service(o, c);
}

/*
 * What a device takes is learnt only from what it is given, so that one which seems too slow,
 * perhaps because it was disturbed, would seem so for ever. So what is known of it is doubted
 * the more, the longer the lanes have worked without it, until a chunk seems worth it again.
 * That is the later the slower it is, and trials cost next to nothing however slow that is.
 */
static double doubt(const struct offload *o)
{
	return 1 + o->alone / DOUBT_NS;
}

/* What the device cannot do at all is the lanes', and no part of a share. */
static void refuse_foreign(struct offload *o, struct bins *b)
{
	struct packet *packet[CHUNK_MAX];

	if (b->config.level == SCHED_NONE)
		return;
	bins_for_each(i, b) {
		struct bin *bin = &b->bin[i];

		if (o->be->ops->grain(o->be->dev, alg_of_kind(i), alg_op_of_kind(i)))
			continue;
		while (bin->nr) {
			uint32_t nr = bin->nr < CHUNK_MAX ? bin->nr : CHUNK_MAX;

			bins_take(b, bin, packet, nr);
			for (uint32_t k = 0; k < nr; k++)
				bins_add(&o->refused, packet[k]);
		}
	}
}

/*
 * What it did is past, whatever the clock was then: a processor's counter may begin anew while
 * the machine is suspended.
 */
static void past(struct offload *o, double now)
{
	if (!o->in_flight)
		o->finish = now;
	if (o->last_done > now)
		o->last_done = now;
}

const struct chunk *offload_submit(struct offload *o, struct bins *b,
				   double now)
{
	struct chunk *c;
	struct split s;
	uint32_t max;

	o->gave = false;
	past(o, now);
	if (!o->be || o->be->state != BACKEND_GOOD || !o->nr_free)
		return NULL;
	refuse_foreign(o, b);
	if (!b->nr || !due(o, b, now))
		return NULL;
	max = split_room(b, o->be);
	if (o->balance)
		split_balance(b, &o->lanes, o->be, &o->device,
			      o->finish > now ? o->finish - now : 0, o->rate,
			      doubt(o), max, &s);
	else
		split_all(b, max, &s);
	c = o->free[o->nr_free - 1];
	if (!s.nr || !fill(&o->filler, b, &s, c))
		return NULL;
	c->submitted = now;
	c->expected = expect(o, c, now);
	c->arrived = o->arrived;
	if (!o->be->ops->submit(o->be, c)) {
		for (uint32_t i = 0; i < c->nr; i++)
			bins_add(&o->refused, c->packets[i]);
		return NULL;
	}
	o->gave = true;
	o->alone = 0;
	o->nr_free--;
	o->in_flight++;
	o->finish = c->expected;
	cost_line_learn(&o->device.host, c->nr, now_ns() - now, 1);
	return c;
}

/* What the parts of a chunk took, if all were misjudged by the same factor. */
static void learn_service(struct offload *o, const struct chunk *c, double ns)
{
	double factor = ns / service(o, c);

	for (unsigned int i = 0; i < ALG_KINDS; i++)
		cost_learn_load(&o->device, i, &c->load[i],
				factor * cost_of_load(&o->device, i,
						      &c->load[i]),
				(double)c->load[i].nr / c->nr);
}

static void learn_delay(struct offload *o, const struct chunk *c, double ns)
{
	for (unsigned int i = 0; i < ALG_KINDS; i++)
		if (c->load[i].nr)
			cost_line_learn(&o->device.delay[i], c->longest, ns,
					(double)c->load[i].nr / c->nr);
}

/*
 * A chunk that found the device idle tells how long the way through it is; one
 * that came when there was enough to do already tells how fast it works.
 */
static void learn(struct offload *o, const struct chunk *c, double now)
{
	double ready = c->submitted + delay(o, c);
	double took = now - c->submitted;

	if (took > 0)
		o->rate += ((o->arrived - c->arrived) / took - o->rate) /
			   RATE_FADE;
	if (o->last_done <= c->submitted)
		learn_delay(o, c, now - c->submitted - service(o, c));
	else if (o->last_done >= ready)
		learn_service(o, c, now - o->last_done);
	o->last_done = now;
	o->finish += now - c->expected;
	if (!o->in_flight || o->finish < now)
		o->finish = now;
}

struct chunk *offload_poll(struct offload *o, double now)
{
	struct chunk *c = o->in_flight ? o->be->ops->poll(o->be) : NULL;

	if (!c)
		return NULL;
	o->in_flight--;
	if (o->balance && o->be->pipeline == 1)
		o->pause = PAUSE;
	if (!c->failed)
		learn(o, c, now);
	return c;
}

void offload_done(struct offload *o, struct chunk *c)
{
	if (c->untouched)
		for (uint32_t i = 0; i < c->nr; i++)
			bins_add(&o->refused, c->packets[i]);
	o->free[o->nr_free++] = c;
}

bool offload_lanes(const struct offload *o)
{
	return !o->be || is_lost(o->be) || (o->balance && !o->gave);
}

void offload_lanes_take(struct offload *o, struct bins *b, uint32_t batch)
{
	struct packet *packet[CHUNK_MAX];
	struct split s;

	split_all(b, batch * bins_used(b), &s);
	bins_for_each(i, b) {
		uint32_t nr = s.share[i] < batch ? s.share[i] : batch;

		bins_take(b, &b->bin[i], packet, nr);
		for (uint32_t k = 0; k < nr; k++)
			bins_add(&o->refused, packet[k]);
	}
}

void offload_lanes_took(struct offload *o, const struct chunk *c, double ns)
{
	const struct part *p = &c->parts[0];
	unsigned int kind = alg_kind(p->alg, p->op, p->key_len);
	uint32_t grain = o->refused.bin[kind].grain;
	struct load load = { c->nr, c->bytes };

	if (o->pause)
		o->pause--;
	o->alone += ns;
	cost_learn_load(&o->lanes, kind, &load, ns - o->lanes.fixed[kind],
			c->nr < grain ? (double)c->nr / grain : 1);
}
