// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "player.h"
#include "reference.h"

/* Behind the ICV, to see that nothing is written there. */
#define CANARY		0x5ca1ab1edeadbea7ull

/* So long nothing may come back before what is in flight counts as lost. */
#define LOST_NS		(20 * NSEC_PER_SEC)

/* Draws from the exponential distribution, made beforehand. */
#define PAUSES		4096u

/**
 * struct flight - what is known of an entry in flight
 * @sample: which packet it carries
 * @since: when it was submitted, or had to be, in ticks
 */
struct flight {
	uint32_t sample;
	uint64_t since;
};

/**
 * struct pqueue - one queue
 * @id: its number
 * @next: next packet of the traffic
 * @due: when the next packet arrives, in ticks
 * @flight: by index
 */
struct pqueue {
	uint32_t id;
	uint32_t next;
	double due;
	struct flight *flight;
};

/**
 * struct player - a player
 * @config: how it plays
 * @nr: number of queues
 * @queues: the queues
 * @pause: pauses between bursts, in ticks
 * @next_pause: next one
 * @thread: the thread
 * @stop: asked to end
 * @measure: note latencies
 * @moved: when something last came back, in ticks
 * @problem: what went wrong
 * @sink: where packets are copied out to
 * @latency: latencies
 * @pad: what is above is changed by others now and then
 * @stats: counters
 */
struct player {
	struct player_config config;
	uint32_t nr;
	struct pqueue *queues;
	double *pause;
	uint32_t next_pause;
	pthread_t thread;
	bool stop;
	bool measure;
	uint64_t moved;
	const char *problem;
	uint8_t sink[PACKET_LONGEST + WAVECRYPT_TAILROOM];
	struct histogram latency;
	uint8_t pad[WAVECRYPT_LINE];
	struct player_stats stats;
};

static void count(uint64_t *counter, uint64_t n)
{
	__atomic_store_n(counter, *counter + n, __ATOMIC_RELAXED);
}

static bool is_set(const bool *flag)
{
	return __atomic_load_n(flag, __ATOMIC_RELAXED);
}

static void fill(const struct player *p, const struct sample *s, uint8_t *slot)
{
	uint64_t canary = CANARY;

	if (p->config.data == PLAYER_NONE)
		return;
	memcpy(slot - s->desc.aad_len, s->in, s->desc.aad_len + s->desc.len);
	if (p->config.data == PLAYER_CHECK)
		memcpy(slot + s->desc.len + s->icv_len, &canary, sizeof(canary));
}

static bool right(const struct sample *s, const uint8_t *slot)
{
	uint64_t canary = CANARY;
	uint32_t len = s->desc.len + s->icv_len;

	return !memcmp(slot, s->out, len) &&
	       !memcmp(slot - s->desc.aad_len, s->in, s->desc.aad_len) &&
	       !memcmp(slot + len, &canary, sizeof(canary));
}

static void explain_wrong(const struct player *p, const struct sample *s,
			  const uint8_t *slot)
{
	struct mix_part part = {
		.alg = s->desc.alg, .op = s->desc.op, .key_len = s->desc.key_len,
	};
	uint32_t len = s->desc.len, at = 0;
	char name[32];

	if (p->stats.wrong >= 10)
		return;
	mix_part_name(&part, name);
	while (at < len + s->icv_len && slot[at] == s->out[at])
		at++;
	fprintf(stderr, "%s, %u bytes, key %u: wrong from byte %u on%s\n", name,
		len, s->desc.key, at, at < len ? "" : at < len + s->icv_len ?
		" (the ICV)" : " (written to what it does not own)");
}

static void take_back(struct player *p, const struct sample *s,
		      const uint8_t *slot)
{
	switch (p->config.data) {
	case PLAYER_CHECK:
		if (right(s, slot))
			break;
		explain_wrong(p, s, slot);
		count(&p->stats.wrong, 1);
		break;
	case PLAYER_COPY:
		memcpy(p->sink, slot, s->desc.len + s->icv_len);
		break;
	case PLAYER_NONE:
		break;
	}
}

/* Take what has come back. Return: how many, or -1 if the channel broke. */
static int reap(struct player *p, struct pqueue *q)
{
	struct loopback *lb = p->config.lb;
	bool measure = is_set(&p->measure);
	uint64_t now = clock_ticks(), bytes = 0, retries = 0;
	uint32_t n, index;

	for (n = 0; n < p->config.batch; n++) {
		int status = loopback_reap(lb, q->id, &index);
		const struct sample *s;

		if (status == -EAGAIN)
			break;
		if (status < 0) {
			p->problem = "the other end broke a rule of the ABI";
			return -1;
		}
		s = &p->config.traffic->samples[q->flight[index].sample];
		if (status == WAVECRYPT_STATUS_OK)
			take_back(p, s, loopback_slot(lb, q->id, index));
		else
			retries++;
		bytes += s->desc.len;
		if (measure && now > q->flight[index].since)
			histogram_add(&p->latency, now - q->flight[index].since,
				      1);
		loopback_put(lb, q->id, index);
	}
	if (!n)
		return 0;
	loopback_reaped(lb, q->id);
	p->moved = now;
	count(&p->stats.packets, n);
	count(&p->stats.bytes, bytes);
	if (retries)
		count(&p->stats.retries, retries);
	return n;
}

/* How many packets are there to be submitted now? */
static uint32_t arrived(struct player *p, struct pqueue *q, uint64_t now)
{
	uint32_t room = p->config.depth - loopback_in_flight(p->config.lb, q->id);

	if (room > p->config.batch)
		room = p->config.batch;
	if (p->config.rate <= 0)
		return room;
	return q->due > now ? 0 : room < p->config.burst ? room :
							   p->config.burst;
}

/* False: no slot that is large enough is free. */
static bool submit_one(struct player *p, struct pqueue *q, uint64_t since)
{
	const struct traffic *t = p->config.traffic;
	struct loopback *lb = p->config.lb;
	const struct sample *s = &t->samples[q->next];
	uint32_t index, gen, data;
	struct wavecrypt_desc *d;

	d = loopback_get(lb, q->id, s->desc.len + player_room(p->config.data),
			 &index);
	if (!d)
		return false;
	gen = d->gen;
	data = d->data;
	*d = s->desc;
	d->gen = gen;
	d->data = data;
	fill(p, s, loopback_slot(lb, q->id, index));
	q->flight[index].sample = q->next;
	q->flight[index].since = since;
	q->next = q->next + 1 < t->nr ? q->next + 1 : 0;
	loopback_submit(lb, q->id, index);
	return true;
}

static int submit(struct player *p, struct pqueue *q)
{
	uint64_t now = clock_ticks();
	uint32_t room = arrived(p, q, now), nr = 0;

	while (nr < room &&
	       submit_one(p, q, p->config.rate > 0 ? (uint64_t)q->due : now))
		nr++;
	if (!nr)
		return 0;
	loopback_flush(p->config.lb, q->id);
	if (p->config.rate > 0)
		q->due += p->pause[p->next_pause++ % PAUSES];
	return nr;
}

static bool in_flight(const struct player *p)
{
	for (uint32_t i = 0; i < p->nr; i++)
		if (loopback_in_flight(p->config.lb, p->queues[i].id))
			return true;
	return false;
}

/* Is it at an end? */
static bool finished(struct player *p)
{
	if (p->problem)
		return true;
	if (is_set(&p->stop) && !in_flight(p))
		return true;
	if (clock_ticks() - p->moved < clock_ticks_of(LOST_NS) || !in_flight(p))
		return false;
	p->problem = "packets did not come back within 20 s";
	return true;
}

static void *player_main(void *arg)
{
	struct player *p = arg;
	uint64_t now = clock_ticks();

	p->moved = now;
	for (uint32_t i = 0; i < p->nr; i++)
		p->queues[i].due = now;
	while (!finished(p)) {
		int moved = 0;

		for (uint32_t i = 0; i < p->nr; i++) {
			int n = reap(p, &p->queues[i]);

			if (n < 0)
				break;
			moved += n;
			if (!is_set(&p->stop))
				moved += submit(p, &p->queues[i]);
		}
		if (!moved)
			__builtin_ia32_pause();
	}
	return NULL;
}

static bool queues_init(struct player *p)
{
	const struct player_config *c = &p->config;
	const struct wavecrypt_attach *geo = &loopback_channel(c->lb)->geo;

	random_seed(c->seed);
	p->nr = (geo->queues - c->first + c->step - 1) / c->step;
	p->queues = calloc(p->nr, sizeof(*p->queues));
	p->pause = calloc(PAUSES, sizeof(*p->pause));
	if (!p->queues || !p->pause)
		return false;
	for (uint32_t i = 0; i < p->nr; i++) {
		p->queues[i].id = c->first + i * c->step;
		p->queues[i].next = random_below(c->traffic->nr);
		p->queues[i].flight = calloc(geo->entries,
					     sizeof(*p->queues[i].flight));
		if (!p->queues[i].flight)
			return false;
	}
	for (uint32_t i = 0; c->rate > 0 && i < PAUSES; i++) {
		double u = (random_below(UINT32_MAX) + 1.0) / UINT32_MAX;

		p->pause[i] = -log(u) * c->burst *
			      clock_ticks_of(NSEC_PER_SEC) / c->rate;
	}
	return true;
}

struct player *player_start(const struct player_config *config)
{
	struct player *p = calloc(1, sizeof(*p));
	pthread_attr_t attr;
	cpu_set_t cpus;
	int err;

	if (!p)
		return NULL;
	p->config = *config;
	if (!queues_init(p)) {
		player_free(p);
		return NULL;
	}
	pthread_attr_init(&attr);
	if (config->cpu >= 0) {
		CPU_ZERO(&cpus);
		CPU_SET(config->cpu, &cpus);
		pthread_attr_setaffinity_np(&attr, sizeof(cpus), &cpus);
	}
	err = pthread_create(&p->thread, &attr, player_main, p);
	pthread_attr_destroy(&attr);
	if (err) {
		player_free(p);
		return NULL;
	}
	return p;
}

void player_measure(struct player *p, bool on)
{
	__atomic_store_n(&p->measure, on, __ATOMIC_RELAXED);
}

void player_stats(const struct player *p, struct player_stats *out)
{
	const uint64_t *from = (const uint64_t *)&p->stats;
	uint64_t *to = (uint64_t *)out;

	for (size_t i = 0; i < sizeof(*out) / sizeof(*to); i++)
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

uint64_t player_cpu_ns(const struct player *p)
{
	struct timespec ts;
	clockid_t id;

	if (pthread_getcpuclockid(p->thread, &id) || clock_gettime(id, &ts))
		return 0;
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

const char *player_stop(struct player *p)
{
	__atomic_store_n(&p->stop, true, __ATOMIC_RELAXED);
	pthread_join(p->thread, NULL);
	return p->problem;
}

const struct histogram *player_latency(const struct player *p)
{
	return &p->latency;
}

void player_free(struct player *p)
{
	for (uint32_t i = 0; p->queues && i < p->nr; i++)
		free(p->queues[i].flight);
	free(p->queues);
	free(p->pause);
	free(p);
}
