// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose turn it is: a worker's taking from its queues, one turn after the other and
 * no thread, so that the turns are the same each time.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "ktap.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "producer.h"
#include "worker/state.h"

#define QUEUES	13
#define ENTRIES	64
#define AGE	4

static struct producer producer;

static void worker_begin(struct worker *w)
{
	static const struct sched_config sched = {
		.level = SCHED_ALL, .range = 256, .age = AGE,
	};
	uint32_t places[QUEUES];

	producer_init(&producer, QUEUES, ENTRIES);
	w->config.ch = loopback_channel(producer.lb);
	for (uint32_t i = 0; i < QUEUES; i++)
		places[i] = i;
	w->config.batch_max = 64;
	w->crew = crew_alloc(places, QUEUES, 1);
	w->own_crew = true;
	w->queues = w->crew->queues;
	w->bells = w->crew->bells;
	w->mine = calloc(QUEUES, sizeof(*w->mine));
	w->nr = QUEUES;
	memcpy(w->mine, places, sizeof(places));
	w->chunk = chunk_alloc(CHUNK_MAX);
	w->lanes = cpu_device.ops->open(&cpu_device, w->config.ch);
	EXPECT(bins_init(&w->bins, &cpu_device, &sched, WORKER_HELD), "no memory");
	for (uint32_t i = 0; i < QUEUES; i++)
		EXPECT(queue_init(&w->queues[i], w->config.ch, i, i), "no memory");
}

static void worker_finish(struct worker *w)
{
	struct channel *ch = w->config.ch;

	worker_free(w);
	ch->ops->close(ch);
	producer_exit(&producer);
}

/* Submit until the ring is full. */
static void fill_ring(uint32_t queue)
{
	const struct shape shape = { .key = 0, .len = 64, .aad_len = 8 };
	uint32_t index;

	while (producer_add(&producer, queue, &shape, &index))
		;
	loopback_flush(producer.lb, queue);
}

static void reap_all(uint32_t queue)
{
	uint32_t index;
	int status;

	while ((status = loopback_reap(producer.lb, queue, &index)) != -EAGAIN) {
		EXPECT(status == WAVECRYPT_STATUS_OK &&
		       producer_good(&producer, queue, index),
		       "entry %u of queue %u: status %d", index, queue, status);
		loopback_put(producer.lb, queue, index);
	}
	loopback_reaped(producer.lb, queue);
}

/* Queues that always have more get the same, wherever idle ones lie between. */
static void fair(const uint32_t *busy, uint32_t nr)
{
	struct worker *w = calloc(1, sizeof(*w));
	uint32_t most = 0, least = UINT32_MAX;

	worker_begin(w);
	for (int turn = 0; turn < 130; turn++) {
		bool more;

		for (uint32_t i = 0; i < nr; i++)
			fill_ring(busy[i]);
		EXPECT(worker_take(w, &more) > 0, "turn %d: nothing taken", turn);
		while (w->bins.nr)
			worker_lanes(w, &w->bins, false);
		worker_publish(w, clock_ticks());
		for (uint32_t i = 0; i < nr; i++)
			reap_all(busy[i]);
	}
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t taken = w->queues[busy[i]].head;

		if (taken > most)
			most = taken;
		if (taken < least)
			least = taken;
	}
	EXPECT(most * 10 <= least * 13, "busiest %u, least served %u", most, least);
	worker_finish(w);
}

static void neighbours(void)
{
	static const uint32_t busy[] = { 0, 1, 2, 3 };

	fair(busy, ARRAY_SIZE(busy));
}

static void scattered(void)
{
	static const uint32_t busy[] = { 1, 2, 7, 12 };

	fair(busy, ARRAY_SIZE(busy));
}

static void all(void)
{
	static const uint32_t busy[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

	fair(busy, ARRAY_SIZE(busy));
}

/*
 * Of two kinds that come in turn, half of what is there is too few of either for the
 * lanes: both wait for what is still in the ring, and only the last are few.
 */
static void leftovers_wait(void)
{
	struct worker *w = calloc(1, sizeof(*w));
	struct shape shape = { .key = 0, .len = 64, .aad_len = 8 };
	uint32_t index, packets = 0;
	bool more = true;

	worker_begin(w);
	for (uint32_t i = 0; i < 40; i++) {
		shape.key = i % 2;
		shape.op = i % 2;
		producer_add(&producer, 0, &shape, &index);
	}
	loopback_flush(producer.lb, 0);
	for (int turn = 0; turn < 100 && packets < 40; turn++) {
		EXPECT(worker_take(w, &more) >= 0, "turn %d", turn);
		if (w->bins.nr)
			worker_lanes(w, &w->bins, more);
		packets = w->stats.packets;
	}
	EXPECT(packets == 40, "%u packets done", packets);
	/* 16 and 16, and what is left of each */
	EXPECT(w->stats.chunks <= 4, "in %llu chunks",
	       (unsigned long long)w->stats.chunks);
	worker_publish(w, clock_ticks());
	reap_all(0);
	worker_finish(w);
}

/* Whatever order they come in, lanes get many of a kind at a time. */
static void dozen_kinds(void)
{
	struct worker *w = calloc(1, sizeof(*w));
	uint32_t index, packets = 0;
	bool more = true;

	worker_begin(w);
	for (uint32_t q = 0; q < QUEUES; q++) {
		for (uint32_t i = 0; i < ENTRIES; i++) {
			const struct shape shape = {
				.key = i % 6, .op = i / 6 % 2, .len = 64, .aad_len = 8,
			};

			producer_add(&producer, q, &shape, &index);
		}
		loopback_flush(producer.lb, q);
	}
	for (int turn = 0; turn < 1000 && packets < QUEUES * ENTRIES; turn++) {
		EXPECT(worker_take(w, &more) >= 0, "turn %d", turn);
		if (w->bins.nr)
			worker_lanes(w, &w->bins, more);
		packets = w->stats.packets;
	}
	EXPECT(packets == QUEUES * ENTRIES, "%u packets done", packets);
	printf("# figure: %llu chunks for %u packets of twelve kinds\n",
	       (unsigned long long)w->stats.chunks, packets);
	EXPECT(packets >= 15 * w->stats.chunks, "in %llu chunks",
	       (unsigned long long)w->stats.chunks);
	worker_publish(w, clock_ticks());
	for (uint32_t q = 0; q < QUEUES; q++)
		reap_all(q);
	worker_finish(w);
}

/*
 * So many queues are full, and one after the other has its turn. What each is said to
 * want is beyond what was taken of it, by more the fewer still have some.
 */
static void wanted(uint32_t busy)
{
	struct worker *w = calloc(1, sizeof(*w));
	bool more;

	worker_begin(w);
	EXPECT(!worker_take(w, &more), "taken of empty queues");
	for (uint32_t i = 0; i < busy; i++)
		fill_ring(i);
	for (uint32_t turn = 0; turn < busy; turn++) {
		const struct queue *q = &w->queues[turn];
		uint32_t room = 128 / (busy - turn);

		if (room < 16)
			room = 16;
		EXPECT(!q->cq->wanted, "%u before anything was taken", q->cq->wanted);
		while (q->head < ENTRIES)
			EXPECT(worker_take(w, &more) > 0, "nothing taken");
		EXPECT(q->cq->wanted == ENTRIES + room, "of %u: %u", busy - turn,
		       q->cq->wanted);
		while (w->bins.nr)
			worker_lanes(w, &w->bins, false);
		worker_publish(w, clock_ticks());
		EXPECT(q->cq->wanted == ENTRIES + room, "other than before: %u",
		       q->cq->wanted);
		reap_all(turn);
	}
	worker_finish(w);
}

static void wanted_alone(void)
{
	wanted(1);
}

static void wanted_by_some(void)
{
	wanted(3);
}

static void wanted_by_many(void)
{
	wanted(QUEUES);
}

/* A kind more, and for each of them there is to be a batch. */
static void wanted_of_kinds(void)
{
	struct worker *w = calloc(1, sizeof(*w));
	uint32_t index;
	bool more;

	worker_begin(w);
	for (uint32_t i = 0; i < 40; i++) {
		const struct shape shape = {
			.key = i % 6, .op = i / 6 % 2, .len = 64, .aad_len = 8,
		};

		producer_add(&producer, 0, &shape, &index);
	}
	loopback_flush(producer.lb, 0);
	EXPECT(worker_take(w, &more) == 16, "half of 40, in batches");
	EXPECT(bins_used(&w->bins) == 12, "%u kinds", bins_used(&w->bins));
	EXPECT(worker_take(w, &more) > 0, "no more taken");
	EXPECT(w->queues[0].cq->wanted == w->queues[0].head + 2 * 13 * 16, "%u, taken %u",
	       w->queues[0].cq->wanted, w->queues[0].head);
	while (w->bins.nr)
		worker_lanes(w, &w->bins, false);
	worker_publish(w, clock_ticks());
	reap_all(0);
	worker_finish(w);
}

/**
 * struct steady - what became of packets while there were always more
 * @since: chunks that there had been when each was taken; by queue and entry
 * @taken: it was, and is not done
 * @most: by how many chunks one was passed over at most
 * @sum: by how many all that are done
 * @nr: how many were done
 */
struct steady {
	uint64_t since[QUEUES][ENTRIES];
	bool taken[QUEUES][ENTRIES];
	uint64_t most;
	uint64_t sum;
	uint64_t nr;
};

/* Any packet of twelve kinds, of which the last comes once in @rare times that it might. */
static struct shape one_of_dozen(uint32_t rare)
{
	struct shape shape;

	do {
		shape = shape_random(&producer, 1472);
	} while (shape.key > 5 || (shape.key == 5 && shape.op && rand() % rare));
	return shape;
}

static void refill(uint32_t queue, uint32_t rare)
{
	struct shape shape;
	uint32_t index;

	do {
		shape = one_of_dozen(rare);
	} while (producer_add(&producer, queue, &shape, &index));
	loopback_flush(producer.lb, queue);
}

/* Once when packets were taken, and once when a chunk of them is done */
static void steady_look(struct steady *s, const struct worker *w)
{
	for (uint32_t q = 0; q < QUEUES; q++)
		for (uint32_t i = 0; i < ENTRIES; i++) {
			bool busy = w->queues[q].packets[i].busy;
			uint64_t passed;

			if (busy && !s->taken[q][i])
				s->since[q][i] = w->stats.chunks;
			if (busy || s->taken[q][i]) {
				/* The last is its own. */
				passed = w->stats.chunks - s->since[q][i] - !busy;
				if (passed > s->most)
					s->most = passed;
				if (!busy) {
					s->sum += passed;
					s->nr++;
				}
			}
			s->taken[q][i] = busy;
		}
}

/*
 * A bin that is picked before it has been passed over AGE times may keep its newest. They
 * are passed over until it is old, then by those that are older.
 */
#define DOZEN	12
#define PASSED	(AGE + (AGE + DOZEN - 2) + (DOZEN - 1))

static void steady(uint32_t rare)
{
	struct steady *s = calloc(1, sizeof(*s));
	struct worker *w = calloc(1, sizeof(*w));
	bool more;

	worker_begin(w);
	for (int turn = 0; turn < 1000; turn++) {
		for (uint32_t q = 0; q < QUEUES; q++)
			refill(q, rare);
		EXPECT(worker_take(w, &more) >= 0, "turn %d", turn);
		steady_look(s, w);
		if (w->bins.nr)
			worker_lanes(w, &w->bins, more);
		steady_look(s, w);
		worker_publish(w, clock_ticks());
		for (uint32_t q = 0; q < QUEUES; q++)
			reap_all(q);
	}
	printf("# figure: %.1f packets a chunk, passed over by %.1f chunks, and %llu at most\n",
	       (double)s->nr / w->stats.chunks, (double)s->sum / s->nr,
	       (unsigned long long)s->most);
	EXPECT(s->nr >= 15 * w->stats.chunks, "%llu packets in %llu chunks",
	       (unsigned long long)s->nr, (unsigned long long)w->stats.chunks);
	EXPECT(s->most <= PASSED, "more than %d chunks passed a packet over", PASSED);
	worker_finish(w);
	free(s);
}

static void steady_dozen(void)
{
	steady(1);
}

/* Its packets never fill a batch, and have to go without. */
static void steady_rare(void)
{
	steady(100);
}

/* The device is told of what arrives. */
/* While the device is gone, the worker wants what others do. */
static void told(void)
{
	struct worker *w = calloc(1, sizeof(*w));
	struct offload o = { 0 };
	struct backend be = { 0 };
	bool more;

	worker_begin(w);
	w->offload = &o;
	fill_ring(0);
	EXPECT(worker_take(w, &more) == ENTRIES / 2, "not half, for the lanes");
	EXPECT(w->queues[0].cq->wanted == ENTRIES / 2 + 128, "without it, %u",
	       w->queues[0].cq->wanted);
	o.be = &be;
	EXPECT(worker_take(w, &more) == ENTRIES / 2, "not all, for a device");
	w->offload = NULL;
	EXPECT(o.arrived == ENTRIES, "told of %llu", (unsigned long long)o.arrived);
	EXPECT(w->queues[0].cq->wanted == 2 * ENTRIES, "it wants %u",
	       w->queues[0].cq->wanted);
	while (w->bins.nr)
		worker_lanes(w, &w->bins, false);
	worker_publish(w, clock_ticks());
	reap_all(0);
	worker_finish(w);
}

static const struct ktap_case cases[] = {
	{ "of twelve kinds, the lanes get 15 or more a chunk", dozen_kinds },
	{ "also where there are always more, and nobody waits for long", steady_dozen },
	{ "nor does one of a kind that is rare", steady_rare },
	{ "four busy queues beside nine idle ones are served alike", neighbours },
	{ "also with idle ones between", scattered },
	{ "thirteen busy queues are", all },
	{ "leftovers wait for what is still in the ring", leftovers_wait },
	{ "a queue may have twice what is taken at a time", wanted_alone },
	{ "three may have it together", wanted_by_some },
	{ "each of many at least a batch", wanted_by_many },
	{ "of many kinds they may have more", wanted_of_kinds },
	{ "a device beside the lanes is told how many were taken, and wants all", told },
	{ 0 },
};

int main(void)
{
	const char *why;

	log_setup("test_take", LOG_ERR);
	clock_setup();
	why = cpu_backend.probe(&cpu_device);
	if (!EXPECT(!why, "%s", why))
		return 1;
	return ktap_run(cases);
}
