// SPDX-License-Identifier: GPL-2.0-only
/*
 * Workers that hand queues over to each other: when they do, without threads, so that
 * it is the same each time; and that nothing is lost by it, with threads.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "ktap.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "producer.h"
#include "worker/state.h"

#define QUEUES	4
#define ENTRIES	64
#define WORKERS	3

/* More than a window */
#define LATER	clock_ticks_of(5 * NSEC_PER_MSEC)

static const struct sched_config sched = { .level = SCHED_ALL, .range = 256, .age = 4 };
static uint32_t ids[QUEUES] = { 0, 1, 2, 3 };
static struct producer producer;
static struct crew *crew;
static uint64_t now;

/* A worker without a thread, with the first @nr queues */
static struct worker *member(uint32_t seat, uint32_t nr)
{
	struct worker *w = calloc(1, sizeof(*w));

	w->config.ch = loopback_channel(producer.lb);
	w->config.batch_max = 64;
	w->crew = crew;
	w->seat = seat;
	w->queues = crew->queues;
	w->bells = crew->bells;
	w->mine = calloc(QUEUES, sizeof(*w->mine));
	w->window.heads = calloc(QUEUES, sizeof(*w->window.heads));
	w->chunk = chunk_alloc(CHUNK_MAX);
	w->lanes = cpu_device.ops->open(&cpu_device, w->config.ch);
	EXPECT(bins_init(&w->bins, &cpu_device, &sched, WORKER_HELD), "no memory");
	for (w->nr = 0; w->nr < nr; w->nr++) {
		w->mine[w->nr] = w->nr;
		crew->owners[w->nr] = seat;
		EXPECT(queue_init(&w->queues[w->nr], w->config.ch, w->nr, w->nr), "no memory");
	}
	worker_follow_begin(w, now);
	return w;
}

static void begin(struct worker *w[WORKERS])
{
	producer_init(&producer, QUEUES, ENTRIES);
	crew = crew_alloc(ids, QUEUES, WORKERS);
	for (uint32_t i = 0; i < WORKERS; i++)
		w[i] = member(i, i ? 0 : QUEUES);
}

static void finish(struct worker *w[WORKERS])
{
	struct channel *ch = loopback_channel(producer.lb);

	for (uint32_t i = 0; i < WORKERS; i++)
		worker_free(w[i]);
	crew_free(crew);
	ch->ops->close(ch);
	producer_exit(&producer);
}

/* Packets on a queue, done by who has it */
static void work(struct worker *w, uint32_t queue, uint32_t nr)
{
	const struct shape shape = { .key = 0, .len = 64, .aad_len = 8 };
	uint32_t index, reaped = 0;
	int status;
	bool more;

	for (uint32_t i = 0; i < nr; i++)
		EXPECT(producer_add(&producer, queue, &shape, &index), "no room");
	loopback_flush(producer.lb, queue);
	while (worker_take(w, &more) > 0 || w->bins.nr)
		worker_lanes(w, &w->bins, false);
	worker_publish(w, now);
	while ((status = loopback_reap(producer.lb, queue, &index)) != -EAGAIN) {
		EXPECT(status == WAVECRYPT_STATUS_OK && producer_good(&producer, queue, index),
		       "entry %u of queue %u: status %d", index, queue, status);
		loopback_put(producer.lb, queue, index);
		reaped++;
	}
	loopback_reaped(producer.lb, queue);
	EXPECT(reaped == nr, "%u of %u packets came back", reaped, nr);
}

/* A window of all of them, in which each was so busy (%) */
static void pass(struct worker *w[WORKERS], const unsigned int busy[WORKERS])
{
	now += LATER;
	for (uint32_t i = 0; i < WORKERS; i++)
		w[i]->stats.busy_ticks += LATER * busy[i] / 100;
	/* And turns that begin no window, in which what was given is taken. */
	for (uint32_t i = 0; i < 3 * QUEUES * WORKERS; i++)
		worker_follow(w[i % WORKERS], now);
}

static void sleeps(uint32_t seat, bool asleep)
{
	crew->members[seat].asleep = asleep;
	crew->members[seat].since = now;
}

static uint32_t total(struct worker *w[WORKERS])
{
	uint32_t nr = 0, have[QUEUES];

	for (uint32_t i = 0; i < WORKERS; i++) {
		uint32_t n = worker_queues(w[i], have);

		EXPECT(n == w[i]->nr, "worker %u: %u queues, and says %u", i, w[i]->nr, n);
		nr += w[i]->nr;
	}
	return nr;
}

static void too_much(void)
{
	static const unsigned int busy[] = { 100, 0, 0 };
	struct worker *w[WORKERS];

	begin(w);
	sleeps(1, true);
	sleeps(2, true);
	for (uint32_t q = 0; q < QUEUES; q++)
		work(w[0], q, 40);
	pass(w, busy);
	EXPECT(w[0]->nr == QUEUES - 1 && w[1]->nr == 1, "%u and %u queues", w[0]->nr, w[1]->nr);
	/* The sleeper is awake; what it has is done, and what the other still has. */
	sleeps(1, false);
	work(w[1], w[1]->mine[0], 20);
	work(w[0], w[0]->mine[0], 20);
	EXPECT(total(w) == QUEUES, "%u queues", total(w));
	finish(w);
}

/* One queue alone keeps its worker busy: nobody else could do it better. */
static void not_to_be_divided(void)
{
	static const unsigned int busy[] = { 100, 0, 0 };
	struct worker *w[WORKERS];

	begin(w);
	work(w[0], 2, 60);
	pass(w, busy);
	EXPECT(w[0]->nr == QUEUES, "%u queues", w[0]->nr);
	finish(w);
}

/* Each of those that have a queue does packets of all of them. */
static void work_all(struct worker *w[WORKERS])
{
	for (uint32_t i = 0; i < WORKERS; i++)
		for (uint32_t k = 0; k < w[i]->nr; k++)
			work(w[i], w[i]->mine[k], 40);
}

/*
 * All have more than they can do, whatever they have: queues are as many with each,
 * within one, and then nothing moves any more.
 */
static void all_too_much(void)
{
	static const unsigned int busy[] = { 100, 100, 100 };
	struct worker *w[WORKERS];
	uint64_t given = 0, before = 0;

	begin(w);
	for (int i = 0; i < 20; i++) {
		work_all(w);
		pass(w, busy);
		EXPECT(total(w) == QUEUES, "%u queues", total(w));
		given = 0;
		for (uint32_t k = 0; k < WORKERS; k++)
			given += w[k]->stats.given;
		before = i < 10 ? given : before;
	}
	for (uint32_t i = 0; i < WORKERS; i++)
		EXPECT(w[i]->nr == 1 || w[i]->nr == 2, "worker %u: %u queues", i, w[i]->nr);
	EXPECT(given == before, "%llu times, then %llu", (unsigned long long)before,
	       (unsigned long long)given);
	finish(w);
}

static void too_little(void)
{
	struct worker *w[WORKERS];

	begin(w);
	for (uint32_t q = 0; q < QUEUES; q++)
		work(w[0], q, 40);
	pass(w, (unsigned int[]) { 100, 0, 0 });
	EXPECT(w[0]->nr < QUEUES, "%u queues", w[0]->nr);
	/* It wakes up a second later, and both have little to do. */
	now += clock_ticks_of(NSEC_PER_SEC);
	for (int i = 0; i < 15; i++)
		pass(w, (unsigned int[]) { 20, 20, 20 });
	EXPECT(w[0]->nr < QUEUES, "at once: %u queues", w[0]->nr);
	for (int i = 0; i < 4; i++)
		pass(w, (unsigned int[]) { 20, 20, 20 });
	EXPECT(w[0]->nr == QUEUES, "%u queues", w[0]->nr);
	work(w[0], 1, 20);
	finish(w);
}

/* Likewise, though the clock is set back meanwhile, as it may be while a machine is suspended */
static void set_back(void)
{
	const uint64_t hour = clock_ticks_of(3600 * NSEC_PER_SEC);
	struct worker *w[WORKERS];

	now += hour;
	begin(w);
	for (uint32_t q = 0; q < QUEUES; q++)
		work(w[0], q, 40);
	pass(w, (unsigned int[]) { 100, 0, 0 });
	EXPECT(w[0]->nr < QUEUES, "%u queues", w[0]->nr);
	now -= hour;
	for (int i = 0; i < 20; i++)
		pass(w, (unsigned int[]) { 20, 20, 20 });
	EXPECT(w[0]->nr == QUEUES, "%u queues", w[0]->nr);
	finish(w);
}

/* Not what has packets that are taken and not answered. */
static void in_hand(void)
{
	struct worker *w[WORKERS];

	begin(w);
	for (uint32_t q = 0; q < QUEUES; q++)
		work(w[0], q, 40);
	for (uint32_t q = 0; q < QUEUES; q++)
		w[0]->queues[q].head++;
	pass(w, (unsigned int[]) { 100, 0, 0 });
	EXPECT(w[0]->nr == QUEUES, "%u queues", w[0]->nr);
	finish(w);
}

/* Each time that what was given away comes back at once, it is longer until the next. */
static void trials(void)
{
	uint32_t given = 0, before;
	struct worker *w[WORKERS];

	begin(w);
	work(w[0], 0, 40);
	work(w[0], 1, 40);
	pass(w, (unsigned int[]) { 100, 0, 0 });
	for (int i = 0; i < 400; i++) {
		before = w[1]->stats.given + w[2]->stats.given;
		if (w[0]->nr == QUEUES)
			for (uint32_t q = 0; q < 2; q++)
				work(w[0], q, 40);
		pass(w, (unsigned int[]) { w[0]->nr == QUEUES ? 100 : 30, 20, 20 });
		given += w[1]->stats.given + w[2]->stats.given - before;
		EXPECT(total(w) == QUEUES, "%u queues", total(w));
	}
	/* In 2 s, of which two thirds are 20 + 40 + 80 + ... ms */
	EXPECT(given >= 3 && given <= 20, "given back %u times", given);
	finish(w);
}

static void leaving(void)
{
	struct worker *w[WORKERS];

	begin(w);
	EXPECT(crew_give(crew, 1, 3), "not given");
	EXPECT(!crew_give(crew, 1, 2), "given, though there is one already");
	w[0]->nr--;
	worker_follow_end(w[1]);
	EXPECT(w[1]->nr == 1 && w[1]->mine[0] == 3, "%u queues", w[1]->nr);
	EXPECT(!crew_give(crew, 1, 2), "given to who has left");
	EXPECT(crew_remind(crew, 1), "waits for who has left");
	finish(w);
}

/**
 * struct stream - a thread that submits and reaps
 * @queue: on this queue
 * @thread: the thread
 */
struct stream {
	uint32_t queue;
	pthread_t thread;
};

static bool stream_stop;

static void *stream_main(void *arg)
{
	const struct stream *s = arg;
	uint32_t index;

	random_seed(s->queue + 1);
	while (!__atomic_load_n(&stream_stop, __ATOMIC_RELAXED)) {
		uint32_t nr = 1 + random_below(s->queue ? 8 : ENTRIES);

		for (uint32_t i = 0; i < nr; i++) {
			struct shape shape = shape_random(&producer, 1500);

			EXPECT(producer_add(&producer, s->queue, &shape, &index), "queue full");
		}
		loopback_flush(producer.lb, s->queue);
		while (nr) {
			uint32_t bells = loopback_bells(producer.lb, s->queue);
			int status = loopback_reap(producer.lb, s->queue, &index);

			if (status == -EAGAIN) {
				loopback_reaped(producer.lb, s->queue);
				if (!loopback_await_bell(producer.lb, s->queue, bells,
							 60 * NSEC_PER_SEC)) {
					EXPECT(false, "queue %u: nothing comes back", s->queue);
					return NULL;
				}
				continue;
			}
			EXPECT(status == WAVECRYPT_STATUS_OK &&
			       producer_good(&producer, s->queue, index),
			       "entry %u of queue %u: status %d", index, s->queue, status);
			loopback_put(producer.lb, s->queue, index);
			nr--;
		}
		loopback_reaped(producer.lb, s->queue);
	}
	return NULL;
}

static uint64_t given(struct worker *w[WORKERS])
{
	struct worker_stats st;
	uint64_t all = 0;

	for (uint32_t i = 0; i < WORKERS; i++) {
		worker_stats_get(w[i], &st);
		all += st.given;
	}
	return all;
}

/* Real workers, all queues with the last to begin with, for as long as it takes */
static void under_load(void)
{
	struct stream s[QUEUES];
	struct worker *w[WORKERS];
	uint64_t end = clock_ns() + 60 * NSEC_PER_SEC;

	producer_init(&producer, QUEUES, ENTRIES);
	crew = crew_alloc(ids, QUEUES, WORKERS);
	for (uint32_t i = 0; i < WORKERS; i++) {
		struct worker_config wc = {
			.ch = loopback_channel(producer.lb),
			.lanes = &cpu_device,
			.sched = sched,
			.crew = crew,
			.seat = i,
			.queues = ids,
			.nr_queues = i == WORKERS - 1 ? QUEUES : 0,
			.spin_ns = 20 * NSEC_PER_USEC,
			.batch_max = 64,
			.patience_ns = 4 * NSEC_PER_USEC,
			.again_ns = NSEC_PER_MSEC,
			.end_fd = -1,
		};

		sched_getaffinity(0, sizeof(wc.cpus), &wc.cpus);
		w[i] = worker_start(&wc);
	}
	stream_stop = false;
	for (uint32_t q = 0; q < QUEUES; q++) {
		s[q].queue = q;
		pthread_create(&s[q].thread, NULL, stream_main, &s[q]);
	}
	while (given(w) < 20 && clock_ns() < end)
		usleep(1000);
	__atomic_store_n(&stream_stop, true, __ATOMIC_RELAXED);
	for (uint32_t q = 0; q < QUEUES; q++)
		pthread_join(s[q].thread, NULL);
	printf("# figure: %llu queues changed hands\n", (unsigned long long)given(w));
	EXPECT(given(w), "no queue changed hands");
	for (uint32_t i = 0; i < WORKERS; i++)
		worker_stop(w[i]);
	EXPECT(total(w) == QUEUES, "%u queues", total(w));
	finish(w);
}

static const struct ktap_case cases[] = {
	{ "a queue goes to who sleeps, from who has too much", too_much },
	{ "not the only one that is busy", not_to_be_divided },
	{ "if all have too much, as many with each", all_too_much },
	{ "who has little gives all to one before", too_little },
	{ "also when the clock was set back", set_back },
	{ "not a queue with packets in hand", in_hand },
	{ "what comes back is tried less and less often", trials },
	{ "who leaves takes what was given before, and nothing after", leaving },
	{ "under load nothing is lost", under_load },
	{ 0 },
};

int main(void)
{
	const char *why;

	log_setup("test_crew", LOG_ERR);
	clock_setup();
	why = cpu_backend.probe(&cpu_device);
	if (!EXPECT(!why, "%s", why))
		return 1;
	return ktap_run(cases);
}
