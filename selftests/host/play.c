// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "ktap.h"
#include "lib/clock.h"
#include "play.h"

#define ENTRIES		256

/* Packets that are submitted in one go */
#define BURST		64

void play_begin(struct play *p, const struct config *config,
		const struct backend_choice *choice, uint32_t workers)
{
	uint32_t queues[PLAY_WORKERS] = { 0, 1, 2, 3 };
	struct worker_config wc = { 0 };

	random_seed(7);
	p->end_fd = eventfd(0, EFD_CLOEXEC);
	p->workers = workers;
	p->queues = workers > PLAY_QUEUES ? workers : PLAY_QUEUES;
	p->busy = p->queues;
	producer_init(&p->producer, p->queues, ENTRIES);
	wc.nr_queues = p->queues / workers;
	wc.ch = loopback_channel(p->producer.lb);
	wc.end_fd = p->end_fd;
	sched_getaffinity(0, sizeof(wc.cpus), &wc.cpus);
	for (uint32_t i = 0; i < workers; i++) {
		wc.queues = &queues[i * wc.nr_queues];
		worker_settings(&wc, config, choice->lanes,
				choice->nr ? choice->device[i % choice->nr] : NULL);
		p->worker[i] = worker_start(&wc);
		EXPECT(p->worker[i], "not started");
	}
}

void play_end(struct play *p)
{
	struct channel *ch = loopback_channel(p->producer.lb);

	for (uint32_t i = 0; i < p->workers; i++)
		worker_stop(p->worker[i]);
	for (uint32_t i = 0; i < p->workers; i++)
		worker_free(p->worker[i]);
	ch->ops->close(ch);
	producer_exit(&p->producer);
	close(p->end_fd);
}

static bool reap(struct play *p, uint32_t queue, struct tally *t)
{
	uint32_t index;
	int status = loopback_reap(p->producer.lb, queue, &index);

	if (status == -EAGAIN)
		return false;
	if (status == WAVECRYPT_STATUS_OK)
		t->good += EXPECT(producer_good(&p->producer, queue, index),
				  "entry %u of queue %u", index, queue);
	else
		t->retries += EXPECT(status == WAVECRYPT_STATUS_RETRY,
				     "status %d", status);
	loopback_put(p->producer.lb, queue, index);
	loopback_reaped(p->producer.lb, queue);
	return true;
}

static uint32_t submit(struct play *p, uint32_t queue, uint32_t nr,
		       uint32_t longest)
{
	uint32_t index, n = 0;

	for (; n < nr && n < BURST; n++) {
		struct shape s = shape_random(&p->producer, longest);

		if (!producer_add(&p->producer, queue, &s, &index))
			break;
	}
	loopback_flush(p->producer.lb, queue);
	return n;
}

static bool ended(const struct play *p)
{
	for (uint32_t i = 0; i < p->workers; i++)
		if (worker_end(p->worker[i]) != WORKER_RUNNING)
			return true;
	return false;
}

struct tally play_packets(struct play *p, uint32_t nr, uint32_t longest)
{
	uint64_t last = clock_ns();
	struct tally t = { 0 };
	uint32_t in = 0;

	while (t.good + t.retries < nr && !ended(p)) {
		bool moved = false;

		for (uint32_t q = 0; q < p->busy; q++) {
			in += submit(p, q, nr - in, longest);
			while (reap(p, q, &t))
				moved = true;
		}
		if (moved)
			last = clock_ns();
		else
			sched_yield();
		if (!EXPECT(clock_ns() - last < PLAY_PATIENCE_NS,
			    "%u of %u packets are not back",
			    nr - t.good - t.retries, nr))
			break;
	}
	return t;
}

struct worker_stats play_stats(const struct play *p)
{
	struct worker_stats sum = { 0 }, st;

	for (uint32_t i = 0; i < p->workers; i++) {
		worker_stats_get(p->worker[i], &st);
		sum.device_packets += st.device_packets;
		sum.device_chunks += st.device_chunks;
		sum.device_returned += st.device_returned;
		sum.device_failed += st.device_failed;
		sum.retries += st.retries;
		sum.sleeps += st.sleeps;
	}
	return sum;
}

uint64_t play_device_packets_of(const struct play *p, uint32_t worker)
{
	struct worker_stats st;

	worker_stats_get(p->worker[worker], &st);
	return st.device_packets;
}

bool play_await_device_of(struct play *p, uint32_t worker)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	uint64_t before = play_device_packets_of(p, worker), now;

	do {
		play_packets(p, p->queues * BURST, 100);
		now = play_device_packets_of(p, worker);
	} while (now == before && clock_ns() < until);
	return now > before;
}

bool play_await_device(struct play *p)
{
	for (uint32_t i = 0; i < p->workers; i++)
		if (!play_await_device_of(p, i))
			return false;
	return true;
}

void play_break_off(struct play *p, uint32_t state)
{
	uint64_t until = clock_ns() + PLAY_PATIENCE_NS;
	uint64_t before = play_stats(p).device_chunks;

	for (uint32_t q = 0; q < p->queues; q++)
		submit(p, q, BURST, 1600);
	while (play_stats(p).device_chunks == before && clock_ns() < until)
		sched_yield();
	EXPECT(play_stats(p).device_chunks > before, "the device has none");
	loopback_set_state(p->producer.lb, state);
}

void play_in_vain(struct play *p)
{
	struct pollfd fd = { .fd = p->end_fd, .events = POLLIN };

	submit(p, 0, BURST, 300);
	EXPECT(poll(&fd, 1, PLAY_PATIENCE_NS / 1000000) == 1, "it goes on");
	EXPECT(worker_end(p->worker[0]) == WORKER_HUNG, "ended with %d",
	       worker_end(p->worker[0]));
}
