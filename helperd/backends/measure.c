// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <sched.h>
#include <string.h>

#include "backends/measure.h"
#include "lib/clock.h"

/* The fastest of so many runs counts; of so many at least, for one may be interrupted. */
#define RUNS		7
#define RUNS_LEAST	2

/* A device's measurement takes no longer; it is repeated less often then. */
#define LONG_NS		(100 * NSEC_PER_MSEC)

/* Packets of a chunk that is timed alone. */
#define FEW		32u

/* Chunks that follow each other, to see how fast that is. */
#define ROWS		6

double measure_fastest(bool (*run)(void *with), void *with, uint64_t long_ns)
{
	uint64_t best = UINT64_MAX, all = 0;

	for (int i = 0; i < RUNS && (i < RUNS_LEAST || all < clock_ticks_of(long_ns)); i++) {
		uint64_t start = clock_ticks(), took;

		if (!run(with))
			return 0;
		took = clock_ticks() - start;
		all += took;
		if (took < best)
			best = took;
	}
	return clock_ns_of(best);
}

bool measure_open(struct measure *m, struct backend *be, struct rig *rig,
		  uint32_t many)
{
	memset(m, 0, sizeof(*m));
	m->be = be;
	m->rig = rig;
	m->many = many;
	m->grain = many;
	for (int i = 0; i < 2; i++)
		m->chunk[i] = chunk_alloc(many);
	return m->chunk[0] && m->chunk[1];
}

static struct chunk *get_back(struct measure *m)
{
	struct chunk *c = m->be->ops->poll(m->be);

	m->in_flight -= !!c;
	return c;
}

void measure_close(struct measure *m)
{
	while (m->in_flight && m->be->state != BACKEND_HUNG)
		if (!get_back(m))
			sched_yield();
	for (int i = 0; i < 2; i++)
		chunk_free(m->chunk[i]);
}

/* A chunk of packets from the @first on, cut into parts. */
static struct chunk *cut(struct measure *m, struct chunk *c, uint32_t first,
			 uint32_t nr)
{
	const struct packet *p = &m->rig->packet[first];
	struct part *part = NULL;

	c->nr = nr;
	c->nr_parts = 0;
	c->failed = false;
	c->untouched = false;
	for (uint32_t i = 0; i < nr; i++) {
		c->packets[i] = &m->rig->packet[first + i];
		if (i % m->grain == 0) {
			part = &c->parts[c->nr_parts++];
			*part = (struct part) {
				.first = i,
				.alg = p->alg,
				.op = p->op,
				.key_len = p->key_len,
			};
		}
		part->nr++;
		if (part->longest < c->packets[i]->len)
			part->longest = c->packets[i]->len;
	}
	return c;
}

static bool give(struct measure *m, struct chunk *c)
{
	if (!m->be->ops->submit(m->be, c)) {
		m->why = "it does not take a chunk";
		return false;
	}
	m->in_flight++;
	return true;
}

static bool all_done(const struct chunk *c)
{
	for (uint32_t i = 0; i < c->nr; i++)
		if (c->packets[i]->status != WAVECRYPT_STATUS_OK)
			return false;
	return !c->failed;
}

static bool await(struct measure *m)
{
	struct chunk *c;

	do {
		c = get_back(m);
		if (m->be->state == BACKEND_HUNG) {
			m->why = "a chunk does not come to an end";
			return false;
		}
		if (!c)
			sched_yield();
	} while (!c);
	if (all_done(c))
		return true;
	m->why = "a chunk fails";
	return false;
}

bool measure_do(struct measure *m, uint32_t first, uint32_t nr)
{
	return give(m, cut(m, m->chunk[0], first, nr)) && await(m);
}

bool measure_key(struct measure *m, const struct packet *p)
{
	uint64_t end = clock_ns() + NSEC_PER_SEC;

	while (m->be->ops->takes && !m->be->ops->takes(m->be, p))
		if (m->be->state != BACKEND_GOOD || clock_ns() > end) {
			m->why = "a key cannot be copied there";
			return false;
		}
	return true;
}

static bool run_alone(void *with)
{
	struct measure *m = with;
	uint64_t start = clock_ticks();
	double ns;

	if (!give(m, m->chunk[0]))
		return false;
	ns = clock_ns_of(clock_ticks() - start);
	if (!m->host_ns || ns < m->host_ns)
		m->host_ns = ns;
	return await(m);
}

double measure_alone(struct measure *m, uint32_t nr)
{
	m->host_ns = 0;
	cut(m, m->chunk[0], 0, nr);
	return measure_fastest(run_alone, m,
			       m->be->ops->beside ? LONG_NS : MEASURE_CPU_NS);
}

/* ns for each full chunk of a row of them. */
static double time_row(struct measure *m)
{
	uint32_t rows = m->be->chunks > 1 ? ROWS : 1, given = 0, done = 0;
	uint32_t ahead = m->be->chunks < 2 ? 1 : 2;
	uint64_t start = clock_ticks();

	while (done < rows) {
		while (given < rows && given - done < ahead) {
			if (!give(m, cut(m, m->chunk[given % 2],
					 given % 2 * m->many, m->many)))
				return 0;
			given++;
		}
		if (!await(m))
			return 0;
		done++;
		if (given == rows || clock_ns_of(clock_ticks() - start) < LONG_NS)
			continue;
		rows = given;
	}
	return (double)clock_ns_of(clock_ticks() - start) / rows;
}

static double positive(double x)
{
	return x > 0 ? x : 0;
}

/* A line through what was measured with short payloads and long ones. */
static void line(double shorts, double longs, double *fixed, double *byte)
{
	*byte = positive((longs - shorts) / (MEASURE_LONG - MEASURE_SHORT));
	*fixed = positive(shorts - MEASURE_SHORT * *byte);
}

/* A device's chunks overlap: what one costs shows in a row of them. */
static void cost_beside(struct measure *m, unsigned int kind,
			struct backend_cost *cost)
{
	const uint32_t lengths[] = { MEASURE_SHORT, MEASURE_LONG };
	double row[2] = { 0 }, alone[2] = { 0 }, host;

	for (int i = 0; i < 2 && !m->why; i++) {
		rig_fill(m->rig, kind, lengths[i]);
		if (!measure_key(m, m->rig->packet))
			return;
		row[i] = time_row(m) / m->many;
		if (!m->why)
			alone[i] = measure_alone(m, FEW) - FEW * row[i];
	}
	/* What it has is not to be touched, nor why it does not give it back forgotten. */
	if (m->why)
		return;
	line(row[0], row[1], &cost->packet_ns, &cost->byte_ns);
	line(alone[0], alone[1], &cost->delay_ns, &cost->delay_byte_ns);
	host = m->host_ns;
	measure_alone(m, m->many);
	cost->host_packet_ns = positive((m->host_ns - host) / (m->many - FEW));
	cost->host_ns = positive(host - FEW * cost->host_packet_ns);
}

/* What works in submit has one chunk at a time, which costs what it takes. */
static void cost_in_submit(struct measure *m, unsigned int kind,
			   struct backend_cost *cost)
{
	double one, shorts, longs;

	rig_fill(m->rig, kind, MEASURE_LONG);
	longs = measure_alone(m, m->many) / m->many;
	rig_fill(m->rig, kind, MEASURE_SHORT);
	shorts = measure_alone(m, m->many) / m->many;
	one = measure_alone(m, 1);
	line(shorts, longs, &cost->packet_ns, &cost->byte_ns);
	cost->fixed_ns = positive(one - shorts);
}

bool measure_cost(struct measure *m, unsigned int kind,
		  struct backend_cost *cost)
{
	memset(cost, 0, sizeof(*cost));
	if (m->be->ops->beside)
		cost_beside(m, kind, cost);
	else
		cost_in_submit(m, kind, cost);
	return !m->why;
}
