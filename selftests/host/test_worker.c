// SPDX-License-Identifier: GPL-2.0-only
/*
 * Workers against a loopback channel: the kernel's part is played by threads of
 * ours, each with a queue, so that ThreadSanitizer sees both ends of the rings.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "ktap.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "lib/errand.h"
#include "lib/log.h"
#include "producer.h"
#include "worker/worker.h"

/* Longer than anything here takes, so that only a hang exceeds it. */
#define PATIENCE_NS	(60 * NSEC_PER_SEC)

static struct producer producer;
static int end_fd;

/* How often the process's first thread was told where to be: instead of libc's */
static unsigned int moves;

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	if (!pid && gettid() == getpid())
		__atomic_fetch_add(&moves, 1, __ATOMIC_RELAXED);
	return syscall(SYS_sched_setaffinity, pid, size, set) < 0 ? -1 : 0;
}

static struct worker *start_with(uint32_t *queues, uint32_t nr,
				 uint64_t spin_ns,
				 struct device *device)
{
	struct worker_config wc = {
		.ch = loopback_channel(producer.lb),
		.lanes = &cpu_device,
		.device = device,
		.retry_ns = NSEC_PER_SEC,
		.sched = { .level = SCHED_ALL, .range = 256, .age = 4 },
		.queues = queues,
		.nr_queues = nr,
		.spin_ns = spin_ns,
		.batch_max = 64,
		.patience_ns = 4 * NSEC_PER_USEC,
		.again_ns = NSEC_PER_MSEC,
		.end_fd = end_fd,
		.lead = true,
	};
	struct worker *w;

	sched_getaffinity(0, sizeof(wc.cpus), &wc.cpus);
	w = worker_start(&wc);
	EXPECT(w, "not started");
	return w;
}

static struct worker *start(uint32_t *queues, uint32_t nr, uint64_t spin_ns)
{
	return start_with(queues, nr, spin_ns, NULL);
}

static void begin(uint32_t queues, uint32_t entries)
{
	random_seed(queues * 1000 + entries);
	producer_init(&producer, queues, entries);
	end_fd = eventfd(0, EFD_CLOEXEC);
}

static void finish(void)
{
	struct channel *ch = loopback_channel(producer.lb);

	ch->ops->close(ch);
	producer_exit(&producer);
	close(end_fd);
}

/* Wait for a worker that ends by itself. */
static void await_end(void)
{
	struct pollfd fd = { .fd = end_fd, .events = POLLIN };

	EXPECT(poll(&fd, 1, PATIENCE_NS / 1000000) == 1,
	       "no worker has ended");
}

/* Wait until @n threads sleep. */
static void await_sleepers(uint32_t n)
{
	uint64_t end = clock_ns() + PATIENCE_NS;

	while (loopback_sleepers(producer.lb) != n && clock_ns() < end)
		sched_yield();
	EXPECT(loopback_sleepers(producer.lb) == n, "%u asleep, not %u",
	       loopback_sleepers(producer.lb), n);
}

/* Reap one completion, sleeping until the bell. */
static int reap(uint32_t queue, uint32_t *index)
{
	for (;;) {
		uint32_t bells = loopback_bells(producer.lb, queue);
		int status = loopback_reap(producer.lb, queue, index);

		if (status != -EAGAIN)
			return status;
		loopback_reaped(producer.lb, queue);
		if (!loopback_await_bell(producer.lb, queue, bells,
					 PATIENCE_NS))
			return -EAGAIN;
	}
}

static void reap_good(uint32_t queue)
{
	uint32_t index;
	int status = reap(queue, &index);

	if (!EXPECT(status == WAVECRYPT_STATUS_OK, "status %d", status))
		return;
	EXPECT(producer_good(&producer, queue, index), "entry %u of queue %u",
	       index, queue);
	loopback_put(producer.lb, queue, index);
}

/**
 * struct stream - a thread that submits and reaps
 * @queue: on this queue
 * @packets: so many
 * @deepest: most in flight
 * @thread: the thread
 */
struct stream {
	uint32_t queue;
	uint32_t packets;
	uint32_t deepest;
	pthread_t thread;
};

/* Submit in bursts of any size, reap in bursts of any size. */
static void *stream_main(void *arg)
{
	struct stream *s = arg;
	uint32_t submitted = 0, reaped = 0, index;

	random_seed(s->queue + 1);
	while (reaped < s->packets) {
		uint32_t room = s->deepest - (submitted - reaped), n;

		for (n = random_below(room + 1);
		     n && submitted < s->packets; n--) {
			struct shape shape = shape_random(&producer, 1500);

			if (!EXPECT(producer_add(&producer, s->queue, &shape,
						 &index), "queue full"))
				return NULL;
			submitted++;
		}
		loopback_flush(producer.lb, s->queue);
		for (n = random_below(submitted - reaped + 1); n; n--) {
			reap_good(s->queue);
			reaped++;
		}
		loopback_reaped(producer.lb, s->queue);
	}
	EXPECT(!loopback_in_flight(producer.lb, s->queue), "%u in flight",
	       loopback_in_flight(producer.lb, s->queue));
	EXPECT(loopback_reap(producer.lb, s->queue, &index) == -EAGAIN,
	       "one completion too many");
	return NULL;
}

static void streams(uint32_t queues, uint32_t entries, uint32_t workers,
		    uint32_t packets, uint64_t spin_ns)
{
	struct stream s[8];
	struct worker *w[8];
	struct worker_stats st;
	uint64_t done = 0;
	uint32_t mine[8];

	begin(queues, entries);
	for (uint32_t i = 0; i < workers; i++) {
		uint32_t nr = 0;

		for (uint32_t q = i; q < queues; q += workers)
			mine[nr++] = q;
		w[i] = start(mine, nr, spin_ns);
	}
	for (uint32_t q = 0; q < queues; q++) {
		s[q] = (struct stream) { q, packets, entries, 0 };
		pthread_create(&s[q].thread, NULL, stream_main, &s[q]);
	}
	for (uint32_t q = 0; q < queues; q++)
		pthread_join(s[q].thread, NULL);
	for (uint32_t i = 0; i < workers; i++) {
		worker_stop(w[i]);
		EXPECT(worker_end(w[i]) == WORKER_STOPPED, "worker %u: %d", i,
		       worker_end(w[i]));
		worker_stats_get(w[i], &st);
		done += st.packets;
		EXPECT(!st.retries, "%llu retries",
		       (unsigned long long)st.retries);
		worker_free(w[i]);
	}
	EXPECT(done == (uint64_t)queues * packets, "%llu done",
	       (unsigned long long)done);
	finish();
}

static void one_stream(void)
{
	streams(1, 256, 1, 4000, 50 * NSEC_PER_USEC);
}

static void small_ring(void)
{
	streams(1, 16, 1, 2000, 50 * NSEC_PER_USEC);
}

static void many_streams(void)
{
	streams(4, 64, 2, 1000, 50 * NSEC_PER_USEC);
}

/* It falls asleep whenever nothing is there, and must never stay so. */
static void no_spin(void)
{
	streams(2, 32, 1, 1000, 0);
}

static void sleeps_and_wakes(void)
{
	struct shape s = { .key = 0, .len = 64, .aad_len = 8 };
	struct worker_stats before, after;
	uint32_t queues[] = { 0, 1, 2 }, index;
	struct worker *w;

	begin(3, 16);
	w = start(queues, 3, 10 * NSEC_PER_USEC);
	for (uint32_t i = 0; i < 30; i++) {
		await_sleepers(1);
		EXPECT(worker_asleep(w), "asleep, but does not know it");
		producer_add(&producer, i % 3, &s, &index);
		loopback_flush(producer.lb, i % 3);
		reap_good(i % 3);
		loopback_reaped(producer.lb, i % 3);
	}
	await_sleepers(1);
	worker_stats_get(w, &before);
	EXPECT(before.wakeups >= 30, "%llu wake-ups",
	       (unsigned long long)before.wakeups);
	EXPECT(before.packets == 30, "%llu packets",
	       (unsigned long long)before.packets);
	/* Idle costs nothing: without work it is not even looking. */
	poll(NULL, 0, 300);
	worker_stats_get(w, &after);
	EXPECT(after.turns - before.turns < 10, "%llu turns in 300 ms",
	       (unsigned long long)(after.turns - before.turns));
	worker_stop(w);
	worker_free(w);
	finish();
}

static void stops_when_done(void)
{
	uint32_t queues[] = { 0 }, index, nr = 0;
	struct worker *w;
	int status;

	begin(1, 512);
	w = start(queues, 1, 50 * NSEC_PER_USEC);
	for (uint32_t i = 0; i < 500; i++) {
		struct shape s = shape_random(&producer, 9000);

		producer_add(&producer, 0, &s, &index);
		if (i % 50 == 0)
			loopback_flush(producer.lb, 0);
	}
	worker_stop(w);
	EXPECT(worker_end(w) == WORKER_STOPPED, "%d", worker_end(w));
	/* What it took is complete and whole; the rest was not touched. */
	while ((status = loopback_reap(producer.lb, 0, &index)) == 0) {
		EXPECT(producer_good(&producer, 0, index), "entry %u", index);
		nr++;
	}
	EXPECT(status == -EAGAIN, "status %d", status);
	EXPECT(nr == 500 - loopback_in_flight(producer.lb, 0), "%u reaped",
	       nr);
	worker_free(w);
	finish();
}

/* A worker is stopped and another goes on, again and again, under traffic. */
static void successors(void)
{
	struct stream s = { 0, 4000, 64, 0 };
	uint32_t all[] = { 0 }, changes = 0;
	uint64_t done = 0;
	bool over = false;

	begin(1, 64);
	pthread_create(&s.thread, NULL, stream_main, &s);
	while (!over) {
		struct worker *w = start(all, 1, changes % 2 ? 50000 : 0);
		struct worker_stats st;

		usleep(1000);
		over = !pthread_tryjoin_np(s.thread, NULL);
		worker_stop(w);
		EXPECT(worker_end(w) == WORKER_STOPPED, "%d", worker_end(w));
		worker_stats_get(w, &st);
		done += st.packets;
		changes += !!st.packets;
		worker_free(w);
	}
	EXPECT(changes > 1, "%u workers had a part in it", changes);
	EXPECT(done == s.packets, "%llu done", (unsigned long long)done);
	finish();
}

static void retries(void)
{
	struct shape s = { .key = 0, .len = 64, .aad_len = 8 };
	uint32_t queues[] = { 0 }, index, good = 0;
	struct worker_stats st;
	struct worker *w;

	begin(1, 64);
	w = start(queues, 1, 50 * NSEC_PER_USEC);
	/* Every third one stale, every third one senseless. */
	for (uint32_t i = 0; i < 60; i++) {
		struct wavecrypt_desc *d = producer_add(&producer, 0, &s,
							&index);
		if (i % 3 == 1)
			d->key_gen--;
		if (i % 3 == 2)
			d->data = UINT32_MAX;
	}
	loopback_flush(producer.lb, 0);
	for (uint32_t i = 0; i < 60; i++) {
		int status = reap(0, &index);

		EXPECT(status >= 0, "status %d", status);
		if (status == WAVECRYPT_STATUS_OK) {
			good++;
			EXPECT(producer_good(&producer, 0, index), "entry %u",
			       index);
		}
	}
	EXPECT(good == 20, "%u of 60 were good", good);
	worker_stop(w);
	worker_stats_get(w, &st);
	EXPECT(st.retries == 40 && st.packets == 20, "%llu retries",
	       (unsigned long long)st.retries);
	worker_free(w);
	finish();
}

/* Rekeying while packets fly: done right or given back, never done wrong. */
static void rekeying(void)
{
	uint32_t queues[] = { 0 }, index, done = 0, back = 0;
	struct worker *w;

	begin(1, 64);
	w = start(queues, 1, 0);
	for (uint32_t round = 0; round < 300; round++) {
		uint32_t n = 1 + random_below(40);

		for (uint32_t i = 0; i < n; i++) {
			struct shape s = shape_random(&producer, 500);

			s.key = PRODUCER_KEYS - 1;
			producer_add(&producer, 0, &s, &index);
		}
		loopback_flush(producer.lb, 0);
		while (n--) {
			int status = reap(0, &index);

			EXPECT(status >= 0, "status %d", status);
			done += status == WAVECRYPT_STATUS_OK;
			back += status == WAVECRYPT_STATUS_RETRY;
			if (status == WAVECRYPT_STATUS_OK)
				EXPECT(producer_good(&producer, 0, index),
				       "entry %u", index);
			loopback_put(producer.lb, 0, index);
		}
		loopback_reaped(producer.lb, 0);
		producer_rekey(&producer, PRODUCER_KEYS - 1);
	}
	EXPECT(done && !back, "%u done, %u given back", done, back);
	worker_stop(w);
	worker_free(w);
	finish();
}

static struct backend_ops counting;
static struct device counting_device = { .ops = &counting };
static uint32_t expired;

static struct backend *open_counting(struct device *dev,
				     const struct channel *ch)
{
	struct backend *be = cpu_backend.open(dev, ch);

	if (be)
		be->ops = &counting;
	return be;
}

static void count_expiry(struct backend *be)
{
	__atomic_add_fetch(&expired, 1, __ATOMIC_RELEASE);
	cpu_backend.keys_changed(be);
}

/* Asleep or not, it wipes what it derived soon after a key has gone. */
static void key_epoch(void)
{
	uint64_t end = clock_ns() + PATIENCE_NS;
	uint32_t queues[] = { 0 };
	struct worker_config wc = {
		.lanes = &counting_device,
		.sched = { .level = SCHED_ALL, .range = 256, .age = 4 },
		.queues = queues,
		.nr_queues = 1,
		.batch_max = 64,
		.end_fd = -1,
	};
	struct worker *w;

	begin(1, 16);
	counting = cpu_backend;
	counting.open = open_counting;
	counting.keys_changed = count_expiry;
	wc.ch = loopback_channel(producer.lb);
	sched_getaffinity(0, sizeof(wc.cpus), &wc.cpus);
	w = worker_start(&wc);
	for (uint32_t i = 1; i <= 10; i++) {
		if (i % 2)
			await_sleepers(1);
		loopback_key_gone(producer.lb, 0);
		while (__atomic_load_n(&expired, __ATOMIC_ACQUIRE) < i &&
		       clock_ns() < end)
			sched_yield();
		EXPECT(expired == i, "%u times for %u keys", expired, i);
	}
	worker_stop(w);
	worker_free(w);
	finish();
}

static int opened_on;

static struct backend *open_somewhere(struct device *dev, const struct channel *ch)
{
	opened_on = sched_getcpu();
	return cpu_backend.open(dev, ch);
}

/* A device that is not there; where who looks for it may run */
static struct backend_ops missing = { .name = "missing" };
static struct device missing_device = { .ops = &missing };
static cpu_set_t missed_on;

static struct backend *look_in_vain(struct device *dev, const struct channel *ch)
{
	(void)dev;
	(void)ch;
	sched_getaffinity(0, sizeof(missed_on), &missed_on);
	return NULL;
}

/*
 * What a worker needs is allocated where it runs, and who starts it stays where that may
 * be. So does whoever calls the driver of a device that it has.
 */
static void near_with(struct device *device)
{
	uint32_t queues[] = { 0 };
	struct worker_config wc = {
		.lanes = &counting_device,
		.device = device,
		.retry_ns = PATIENCE_NS,
		.sched = { .level = SCHED_ALL, .range = 256, .age = 4 },
		.queues = queues,
		.nr_queues = 1,
		.batch_max = 64,
		.end_fd = -1,
	};
	cpu_set_t all, after;

	sched_getaffinity(0, sizeof(all), &all);
	begin(1, 16);
	counting = cpu_backend;
	counting.open = open_somewhere;
	wc.ch = loopback_channel(producer.lb);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		struct worker *w;

		if (!CPU_ISSET(cpu, &all))
			continue;
		CPU_ZERO(&wc.cpus);
		CPU_SET(cpu, &wc.cpus);
		w = worker_start(&wc);
		EXPECT(opened_on == cpu, "on CPU %d, not %d", opened_on, cpu);
		EXPECT(!device || CPU_EQUAL(&missed_on, &all), "its driver on %d CPUs of %d",
		       CPU_COUNT(&missed_on), CPU_COUNT(&all));
		worker_stop(w);
		worker_free(w);
	}
	sched_getaffinity(0, sizeof(after), &after);
	EXPECT(CPU_EQUAL(&all, &after), "%d CPUs, then %d", CPU_COUNT(&all), CPU_COUNT(&after));
	finish();
}

static void memory_is_near(void)
{
	near_with(NULL);
}

static void so_with_device(void)
{
	missing.open = look_in_vain;
	errand_setup();
	near_with(&missing_device);
}

static void channel_ends(void)
{
	static const struct {
		uint32_t state;
		enum worker_end end;
	} ends[] = {
		{ WAVECRYPT_STATE_BROKEN, WORKER_BROKEN },
		{ WAVECRYPT_STATE_DETACHED, WORKER_DETACHED },
		{ 99, WORKER_BROKEN },
	};
	uint32_t queues[] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		struct worker *w;

		begin(1, 16);
		w = start(queues, 1, 0);
		await_sleepers(1);
		loopback_set_state(producer.lb, ends[i].state);
		await_end();
		worker_stop(w);
		EXPECT(worker_end(w) == ends[i].end, "state %u: end %d",
		       ends[i].state, worker_end(w));
		worker_free(w);
		finish();
	}
}

/* A device that has its chunks for a while, as a GPU does. */
static struct backend_ops late;
static struct device late_device = { .ops = &late };
static struct chunk *late_chunk[4];
static uint32_t late_has, late_given, late_closed_with;
static uint64_t late_since;

#define LATE_NS		(20 * NSEC_PER_MSEC)

static struct backend *late_open(struct device *dev, const struct channel *ch)
{
	struct backend *be = calloc(1, sizeof(*be));

	(void)ch;
	be->ops = &late;
	be->dev = dev;
	be->chunks = ARRAY_SIZE(late_chunk);
	be->pipeline = be->chunks;
	be->chunk_max = 16;
	return be;
}

static bool late_submit(struct backend *be, struct chunk *c)
{
	if (late_has == be->chunks)
		return false;
	late_chunk[late_has++] = c;
	late_since = clock_ns();
	__atomic_store_n(&late_given, late_given + 1, __ATOMIC_RELEASE);
	return true;
}

static struct chunk *late_poll(struct backend *be)
{
	(void)be;
	if (!late_has || clock_ns() - late_since < LATE_NS)
		return NULL;
	return late_chunk[--late_has];
}

static bool late_close(struct backend *be)
{
	late_closed_with = late_has;
	free(be);
	return true;
}

/*
 * However a worker ends, its device has given back every chunk before it is closed,
 * for it writes to their packets, and they are unmapped next.
 */
static void ends_with_device(void)
{
	static const uint32_t states[] = {
		WAVECRYPT_STATE_BROKEN, WAVECRYPT_STATE_DETACHED,
	};
	struct shape s = { .key = 1, .len = 64, .aad_len = 8 };
	uint32_t queues[] = { 0 }, index;

	late = cpu_backend;
	late.beside = true;
	late.open = late_open;
	late.submit = late_submit;
	late.poll = late_poll;
	late.close = late_close;
	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		struct worker *w;

		late_has = 0;
		late_given = 0;
		late_closed_with = UINT32_MAX;
		begin(1, 64);
		w = start_with(queues, 1, 0, &late_device);
		for (int n = 0; n < 32; n++)
			producer_add(&producer, 0, &s, &index);
		loopback_flush(producer.lb, 0);
		while (!__atomic_load_n(&late_given, __ATOMIC_ACQUIRE))
			sched_yield();
		loopback_set_state(producer.lb, states[i]);
		await_end();
		worker_stop(w);
		worker_free(w);
		EXPECT(late_closed_with == 0, "closed with %u chunks",
		       late_closed_with);
		finish();
	}
}

static struct chunk *half_poll(struct backend *be)
{
	struct chunk *c = late_poll(be);

	for (uint32_t i = 0; c && i < c->nr; i++)
		c->packets[i]->status = i % 2 ? WAVECRYPT_STATUS_RETRY :
						WAVECRYPT_STATUS_OK;
	return c;
}

/* What a device gives back undone it has not done. */
static void device_retries(void)
{
	struct shape s = { .key = 1, .len = 64, .aad_len = 8 };
	uint32_t queues[] = { 0 }, index, done = 0;
	struct worker_stats st;
	struct worker *w;

	late = cpu_backend;
	late.beside = true;
	late.open = late_open;
	late.submit = late_submit;
	late.poll = half_poll;
	late.close = late_close;
	late_has = 0;
	begin(1, 64);
	w = start_with(queues, 1, 0, &late_device);
	for (int n = 0; n < 32; n++)
		producer_add(&producer, 0, &s, &index);
	loopback_flush(producer.lb, 0);
	for (int n = 0; n < 32; n++)
		done += reap(0, &index) == WAVECRYPT_STATUS_OK;
	worker_stop(w);
	worker_stats_get(w, &st);
	EXPECT(st.device_chunks, "no chunk for the device");
	EXPECT(done < 32 && st.packets == done && st.retries == 32 - done,
	       "%u done, %llu and %llu counted", done,
	       (unsigned long long)st.packets, (unsigned long long)st.retries);
	EXPECT(st.device_packets <= st.packets, "%llu done by the device of %llu",
	       (unsigned long long)st.device_packets,
	       (unsigned long long)st.packets);
	EXPECT(st.device_bytes == 64 * st.device_packets, "%llu bytes of %llu packets",
	       (unsigned long long)st.device_bytes,
	       (unsigned long long)st.device_packets);
	worker_free(w);
	finish();
}

/* A stalled channel is served on: that is how it becomes live again. */
static void stalled(void)
{
	struct shape s = { .key = 1, .len = 64, .aad_len = 8 };
	uint32_t queues[] = { 0 }, index;
	struct worker *w;

	begin(1, 16);
	w = start(queues, 1, 0);
	loopback_set_state(producer.lb, WAVECRYPT_STATE_STALLED);
	producer_add(&producer, 0, &s, &index);
	loopback_flush(producer.lb, 0);
	reap_good(0);
	loopback_reaped(producer.lb, 0);
	loopback_set_state(producer.lb, WAVECRYPT_STATE_LIVE);
	producer_add(&producer, 0, &s, &index);
	loopback_flush(producer.lb, 0);
	reap_good(0);
	worker_stop(w);
	EXPECT(worker_end(w) == WORKER_STOPPED, "%d", worker_end(w));
	worker_free(w);
	finish();
}

/*
 * Workers are told where to be, and who starts them stays: it may run on processors that
 * are offline, so far, and could not come back to those.
 */
static void starter_stays(void)
{
	uint32_t queues[] = { 0 };
	unsigned int before = moves;
	struct worker *w;

	begin(1, 16);
	w = start(queues, 1, 0);
	EXPECT(moves == before, "%u times elsewhere", moves - before);
	worker_stop(w);
	worker_free(w);
	finish();
}

/* Stalls may come by the dozen a second: the log is told of one, and of its end. */
static void stalls_are_told(void)
{
	struct shape s = { .key = 1, .len = 64, .aad_len = 8 };
	uint32_t queues[] = { 0 }, index, gave_up, live;
	struct ktap_ear ear;
	struct worker *w;

	begin(1, 16);
	ktap_listen(&ear);
	log_level_set(LOG_NOTICE);
	w = start(queues, 1, 0);
	for (int i = 0; i < 20; i++) {
		loopback_set_state(producer.lb, i % 2 ? WAVECRYPT_STATE_LIVE :
							WAVECRYPT_STATE_STALLED);
		producer_add(&producer, 0, &s, &index);
		loopback_flush(producer.lb, 0);
		reap_good(0);
		loopback_reaped(producer.lb, 0);
	}
	worker_stop(w);
	log_level_set(LOG_ERR);
	ktap_listened(&ear);
	gave_up = ktap_heard(&ear, "gave up waiting");
	live = ktap_heard(&ear, "live again");
	fclose(ear.log);
	EXPECT(gave_up == 1, "%u stalls told", gave_up);
	EXPECT(live == 1, "the end of %u told", live);
	worker_free(w);
	finish();
}

/* Rings that no module writes: the worker leaves, rather than guess. */
static void bad_rings(void)
{
	struct shape s = { .key = 0, .len = 64, .aad_len = 8 };
	uint32_t queues[] = { 0 }, index;
	struct wavecrypt_sq *sq;
	uint32_t *ring;

	for (int kind = 0; kind < 3; kind++) {
		struct worker *w;

		begin(1, 16);
		producer_add(&producer, 0, &s, &index);
		/* One view or two: this one is writable. */
		ring = (void *)(loopback_slot(producer.lb, 0, 0) -
				WAVECRYPT_HEADROOM -
				loopback_channel(producer.lb)->geo
				.region[WAVECRYPT_REGION_SLOTS].offset +
				loopback_channel(producer.lb)->geo.sq_first);
		sq = (void *)ring;
		ring = (void *)(sq + 1);
		if (kind == 0)
			ring[0] = 16;
		if (kind == 1)
			ring[1] = ring[0];	/* the same one twice */
		if (kind == 2)
			sq->tail = 17;
		else
			sq->tail = 1 + kind;
		w = start(queues, 1, 0);
		await_end();
		worker_stop(w);
		EXPECT(worker_end(w) == WORKER_BROKEN, "kind %d: end %d", kind,
		       worker_end(w));
		worker_free(w);
		finish();
	}
}

static bool asks_to_pass_on(void)
{
	const struct wavecrypt_cq *cq = channel_cq(loopback_channel(producer.lb), 0);

	return __atomic_load_n(&cq->pass_on, __ATOMIC_RELAXED);
}

/* Much at once, for longer than a window of loads, and then one by one. */
static void passes_on(void)
{
	const struct shape shape = { .key = 0, .len = 1408, .aad_len = 8 };
	uint32_t first = 0, index;
	bool asked = false;
	struct worker *w;

	begin(1, 4096);
	w = start(&first, 1, NSEC_PER_MSEC);
	for (int i = 0; i < 50 && !asked; i++) {
		uint32_t n = 0;

		while (producer_add(&producer, 0, &shape, &index))
			n++;
		loopback_flush(producer.lb, 0);
		for (; n; n--) {
			reap_good(0);
			asked = asked || asks_to_pass_on();
		}
	}
	EXPECT(asked == pass_on_works(), "asked, or not, against what the processor can do");

	for (int i = 0; i < 10; i++) {
		EXPECT(producer_add(&producer, 0, &shape, &index), "queue full");
		loopback_flush(producer.lb, 0);
		reap_good(0);
		EXPECT(!asks_to_pass_on(), "a worker that is idle asks");
	}
	worker_stop(w);
	worker_free(w);
	finish();
}

static const struct ktap_case cases[] = {
	{ "4000 random packets on one queue", one_stream },
	{ "2000 on the smallest ring", small_ring },
	{ "four queues, two workers", many_streams },
	{ "without spinning, a wake-up per burst", no_spin },
	{ "asleep when idle, awake for work on any queue", sleeps_and_wakes },
	{ "stop finishes what was taken", stops_when_done },
	{ "a successor goes on where one was stopped", successors },
	{ "stale and senseless requests are given back", retries },
	{ "keys that change under load", rekeying },
	{ "a key that goes is noticed, also in sleep", key_epoch },
	{ "memory is of the CPUs that it runs on", memory_is_near },
	{ "so it is with a device, whose driver is called elsewhere", so_with_device },
	{ "a channel that breaks or goes ends the worker", channel_ends },
	{ "no device is closed with chunks when the channel breaks or goes",
	  ends_with_device },
	{ "what a device gives back undone it has not done", device_retries },
	{ "a stalled channel is served on", stalled },
	{ "of stalls one a minute is told", stalls_are_told },
	{ "who starts workers stays where it is", starter_stays },
	{ "who is behind asks for lines to be passed on, who is not does not", passes_on },
	{ "impossible rings end the worker", bad_rings },
	{ 0 },
};

int main(void)
{
	const char *why;

	log_setup("test_worker", LOG_ERR);
	clock_setup();
	why = cpu_backend.probe(&cpu_device);
	if (!EXPECT(!why, "%s", why))
		return 1;
	return ktap_run(cases);
}
