// SPDX-License-Identifier: GPL-2.0-only
/*
 * The opencl backend under a worker, on whatever OpenCL device there is (PoCL,
 * on most machines), against libcrypto; and what becomes of packets when any of
 * OpenCL's functions fails.
 *
 * The environment says where compiled kernels are kept: WAVECRYPT_TEST_CACHE.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/cpu.h"
#include "backends/opencl/opencl.h"
#include "clock.h"
#include "faults.h"
#include "ktap.h"
#include "log.h"
#include "producer.h"
#include "worker.h"

#define ENTRIES		256

/* Longer than anything here takes, so that only a hang exceeds it. */
#define PATIENCE_NS	(120 * NSEC_PER_SEC)

/* A function is made to fail at so many of the times that it is called. */
#define TIMES		3

static struct config config;

static struct backend_choice choice = {
	.lanes = &cpu_backend,
	.device = &opencl_backend,
};

static struct producer producer;
static struct worker *worker;
static int end_fd;

/**
 * struct tally - what came back
 * @good: packets that are what they have to be
 * @retries: packets given back undone
 */
struct tally {
	uint32_t good;
	uint32_t retries;
};

static void configure(enum opencl_way way)
{
	const char *cache = getenv("WAVECRYPT_TEST_CACHE");

	config_init(&config);
	strcpy(config.opencl_device, "cpu");
	snprintf(config.opencl_cache, sizeof(config.opencl_cache), "%s",
		 cache ? cache : "");
	config.opencl_memory = way;
	config.opencl_groups = 1;
	config.device_chunk = 64;
	config.device_chunks = 2;
	config.device_retry_ms = 1;
	config.device_timeout_ms = 60000;
	config.balance = false;
	config.spin_us = 1;
}

static void begin(void)
{
	struct worker_config wc = { .nr_queues = 2 };
	uint32_t queues[] = { 0, 1 };

	random_seed(7);
	producer_init(&producer, 2, ENTRIES);
	end_fd = eventfd(0, EFD_CLOEXEC);
	wc.ch = loopback_channel(producer.lb);
	wc.queues = queues;
	wc.end_fd = end_fd;
	sched_getaffinity(0, sizeof(wc.cpus), &wc.cpus);
	worker_settings(&wc, &config, &choice, 0);
	worker = worker_start(&wc);
	EXPECT(worker, "not started");
}

static void end(void)
{
	struct channel *ch = loopback_channel(producer.lb);

	worker_stop(worker);
	worker_free(worker);
	ch->ops->close(ch);
	producer_exit(&producer);
	close(end_fd);
}

static bool reap(uint32_t queue, struct tally *t)
{
	uint32_t index;
	int status = loopback_reap(producer.lb, queue, &index);

	if (status == -EAGAIN)
		return false;
	if (status == WAVECRYPT_STATUS_OK)
		t->good += EXPECT(producer_good(&producer, queue, index),
				  "entry %u of queue %u", index, queue);
	else
		t->retries += EXPECT(status == WAVECRYPT_STATUS_RETRY,
				     "status %d", status);
	loopback_put(producer.lb, queue, index);
	loopback_reaped(producer.lb, queue);
	return true;
}

/*
 * Play packets, and wait until all are back: of one shape, or any up to a
 * length.
 */
static struct tally play_some(uint32_t nr, const struct shape *one,
			      uint32_t longest)
{
	uint64_t last = clock_ns();
	struct tally t = { 0 };
	uint32_t in = 0, index;

	while (t.good + t.retries < nr) {
		bool moved = false;

		for (uint32_t q = 0; q < 2; q++) {
			for (int i = 0; i < 64 && in < nr; i++) {
				struct shape s = one ? *one :
					shape_random(&producer, longest);

				if (!producer_add(&producer, q, &s, &index))
					break;
				in++;
			}
			loopback_flush(producer.lb, q);
			while (reap(q, &t))
				moved = true;
		}
		if (moved)
			last = clock_ns();
		else
			sched_yield();
		if (!EXPECT(clock_ns() - last < PATIENCE_NS,
			    "%u of %u packets are not back",
			    nr - t.good - t.retries, nr))
			break;
	}
	return t;
}

static struct tally play(uint32_t nr, uint32_t longest)
{
	return play_some(nr, NULL, longest);
}

static uint64_t device_packets(void)
{
	struct worker_stats st;

	worker_stats_get(worker, &st);
	return st.device_packets;
}

/* Most packets are the device's, but for those whose key is not there yet. */
static void end_to_end(enum opencl_way way)
{
	const char *why;
	struct tally t;

	configure(way);
	context_forget();
	why = opencl_backend.probe(&config);
	if (!EXPECT(!why, "%s", why))
		return;
	begin();
	play(200, 200);
	t = play(3000, 1600);
	EXPECT(t.good == 3000, "%u good, %u given back", t.good, t.retries);
	EXPECT(device_packets() > 2900, "%llu packets on the device",
	       (unsigned long long)device_packets());
	t = play(40, PRODUCER_SLOT);
	EXPECT(t.good == 40, "%u of 40 long ones good", t.good);
	end();
}

static void copy_runs(void)
{
	end_to_end(OPENCL_COPY);
}

static void shared(void)
{
	end_to_end(OPENCL_SHARED);
}

static void persistent(void)
{
	end_to_end(OPENCL_PERSISTENT);
}

/* How many commands copy packets there, of so many in neighbouring slots? */
static uint32_t copies(bool runs)
{
	const struct shape same = { .len = 1408, .aad_len = 8 };
	unsigned int call = 0;
	struct tally t;

	configure(OPENCL_COPY);
	config.opencl_runs = runs;
	context_forget();
	EXPECT(!opencl_backend.probe(&config), "not there");
	begin();
	play(400, 200);
	while (strcmp(faults_name(call), "EnqueueReadBuffer"))
		call++;
	faults_reset();
	t = play_some(2000, &same, 0);
	EXPECT(t.good == 2000, "%u good", t.good);
	end();
	return faults_count(call);
}

/* Packed, each chunk comes back by one command; runs are commands besides. */
static void copy_packed(void)
{
	uint32_t packed, runs;

	faults_install();
	packed = copies(false);
	runs = copies(true);
	faults_remove();
	EXPECT(packed && runs > packed, "%u commands with runs, %u without",
	       runs, packed);
}

/* A key that is replaced while packets are under way is never mistaken. */
static void rekeyed(void)
{
	enum opencl_way ways[] = { OPENCL_COPY, OPENCL_SHARED };

	for (int i = 0; i < 2; i++) {
		configure(ways[i]);
		context_forget();
		EXPECT(!opencl_backend.probe(&config), "not there");
		begin();
		for (uint32_t round = 0; round < 40; round++) {
			uint64_t before = device_packets();
			struct tally t = play(100, 300);

			EXPECT(t.good == 100, "round %u: %u good", round,
			       t.good);
			if (round % 4 == 3)
				EXPECT(device_packets() > before,
				       "round %u: none on the device", round);
			else if (round % 4 == 0)
				producer_rekey(&producer, random_below(16));
		}
		end();
	}
}

/* Lanes and device together, each with what is cheapest there. */
static void balanced(void)
{
	struct tally t;

	configure(OPENCL_COPY);
	config.balance = true;
	context_forget();
	EXPECT(!opencl_backend.probe(&config), "not there");
	begin();
	t = play(3000, 1600);
	EXPECT(t.good == 3000, "%u good, %u given back", t.good, t.retries);
	end();
}

/* Wait until the device works again, as it should when nothing fails. */
static void await_device(void)
{
	uint64_t until = clock_ns() + PATIENCE_NS, before = device_packets();

	while (device_packets() == before && clock_ns() < until)
		play(64, 100);
	EXPECT(device_packets() > before, "it is not back");
}

/* Which functions are called at all, once it is in use, and how often? */
static void count_calls(uint32_t *count)
{
	context_forget();
	faults_reset();
	EXPECT(!opencl_backend.probe(&config), "not there");
	faults_reset();
	begin();
	play(300, 300);
	producer_rekey(&producer, 1);
	play(100, 300);
	end();
	for (unsigned int i = 0; i < FAULTS_CALLS; i++)
		count[i] = faults_count(i);
}

/* One call fails while packets are under way, and all are answered. */
static void fail_at_work(unsigned int call, uint32_t after)
{
	struct tally t, u;

	faults_reset();
	if (opencl_backend.probe(&config)) {
		context_forget();
		EXPECT(!opencl_backend.probe(&config), "not there");
	}
	faults_reset();
	faults_fail(call, after);
	begin();
	t = play(300, 300);
	producer_rekey(&producer, 1);
	u = play(100, 300);
	EXPECT(t.good + t.retries == 300 && u.good + u.retries == 100,
	       "%s, call %u: %u of 400 answered", faults_name(call), after,
	       t.good + t.retries + u.good + u.retries);
	if (config.opencl_memory == OPENCL_COPY && !config.opencl_runs)
		EXPECT(!t.retries && !u.retries,
		       "%s, call %u: %u given back, whose payload is intact",
		       faults_name(call), after, t.retries + u.retries);
	end();
}

/* Which of @count calls fails in round @k: the first two, the last. */
static uint32_t which_call(uint32_t k, uint32_t count)
{
	return k < TIMES - 1 ? k : count - 1;
}

static void failures_at_work(enum opencl_way way)
{
	uint32_t count[FAULTS_CALLS], tried = 0;

	configure(way);
	config.opencl_runs = false;
	opencl_api_load();
	faults_install();
	EXPECT(!faults_all_seen(), "cl%s is not seen", faults_all_seen());
	count_calls(count);
	for (unsigned int i = 0; i < FAULTS_CALLS; i++)
		for (uint32_t k = 0; k < count[i] && k < TIMES; k++) {
			fail_at_work(i, which_call(k, count[i]));
			tried++;
		}
	EXPECT(tried > 20, "only %u calls", tried);
	faults_reset();
	context_forget();
	EXPECT(!opencl_backend.probe(&config), "not there");
	faults_remove();
}

static void failures_copy(void)
{
	failures_at_work(OPENCL_COPY);
}

static void failures_shared(void)
{
	failures_at_work(OPENCL_SHARED);
}

/* One call fails while the device is being found and measured. */
static void failures_at_start(void)
{
	uint32_t count[FAULTS_CALLS];

	configure(OPENCL_COPY);
	faults_install();
	context_forget();
	EXPECT(!opencl_backend.probe(&config), "not there");
	for (unsigned int i = 0; i < FAULTS_CALLS; i++)
		count[i] = faults_count(i);
	for (unsigned int i = 0; i < FAULTS_CALLS; i++) {
		/* How often is asked whether it is done yet differs every time. */
		uint32_t after = count[i] / 2 < 100 ? count[i] / 2 : 100;
		const char *why;

		if (!count[i])
			continue;
		faults_reset();
		context_forget();
		faults_reset();
		faults_fail(i, after);
		why = opencl_backend.probe(&config);
		EXPECT(!why || strlen(why) > 10, "\"%s\"", why);
		context_forget();
		EXPECT(faults_happened(), "%s, call %u: not made",
		       faults_name(i), after);
	}
	faults_reset();
	context_forget();
	faults_remove();
}

/* A device that is not there is used as soon as it is. */
static void comes_later(void)
{
	struct tally t;

	configure(OPENCL_COPY);
	context_forget();
	faults_install();
	faults_fail(0, 0);
	EXPECT(opencl_backend.probe(&config), "there");
	faults_fail(0, 0);
	begin();
	t = play(300, 300);
	EXPECT(t.good == 300, "%u good without it", t.good);
	await_device();
	end();
	faults_remove();
}

/* A chunk fails: packets whose payload is intact are done by the lanes. */
static void comes_back(void)
{
	struct worker_stats st;
	struct tally t;

	configure(OPENCL_COPY);
	config.opencl_runs = false;
	context_forget();
	EXPECT(!opencl_backend.probe(&config), "not there");
	faults_install();
	begin();
	play(300, 300);
	faults_abort();
	t = play(300, 300);
	EXPECT(t.good == 300, "%u good, %u given back", t.good, t.retries);
	worker_stats_get(worker, &st);
	EXPECT(st.device_failed >= 1, "no chunk has failed");
	await_device();
	end();
	faults_remove();
}

/* It hangs with copies of packets: the lanes do the packets themselves. */
static void hangs_harmlessly(void)
{
	struct tally t;

	configure(OPENCL_COPY);
	config.opencl_runs = false;
	context_forget();
	EXPECT(!opencl_backend.probe(&config), "not there");
	config.device_timeout_ms = 10;
	faults_install();
	begin();
	play(300, 300);
	faults_hang(true);
	t = play(300, 300);
	EXPECT(t.good == 300, "%u good, %u given back", t.good, t.retries);
	faults_hang(false);
	config.device_timeout_ms = 60000;
	await_device();
	end();
	faults_remove();
}

/* It hangs with the packets themselves: nobody may have them back. */
static void hangs(void)
{
	struct pollfd fd;
	struct shape s;
	uint32_t index;

	configure(OPENCL_SHARED);
	context_forget();
	EXPECT(!opencl_backend.probe(&config), "not there");
	config.device_timeout_ms = 10;
	faults_install();
	begin();
	play(300, 300);
	faults_hang(true);
	for (int i = 0; i < 100; i++) {
		s = shape_random(&producer, 300);
		producer_add(&producer, 0, &s, &index);
	}
	loopback_flush(producer.lb, 0);
	fd = (struct pollfd) { .fd = end_fd, .events = POLLIN };
	EXPECT(poll(&fd, 1, PATIENCE_NS / 1000000) == 1, "it goes on");
	EXPECT(worker_end(worker) == WORKER_HUNG, "ended with %d",
	       worker_end(worker));
	end();
	faults_remove();
}

static void cache(void)
{
	const char *dir = getenv("WAVECRYPT_TEST_CACHE");
	unsigned int source = 0;

	while (strcmp(faults_name(source), "CreateProgramWithSource"))
		source++;
	configure(OPENCL_COPY);
	EXPECT(dir && dir[0], "WAVECRYPT_TEST_CACHE is not set");
	faults_install();
	context_forget();
	EXPECT(!opencl_backend.probe(&config), "not there");
	EXPECT(!faults_count(source), "compiled again");
	faults_reset();
	context_forget();
	chmod(dir, 0777);
	EXPECT(!opencl_backend.probe(&config), "not there");
	EXPECT(faults_count(source) == 1,
	       "a directory that others may write to was believed");
	chmod(dir, 0700);
	faults_remove();
}

static const struct ktap_case cases[] = {
	{ "copied in runs: each algorithm, direction, key size, many lengths",
	  copy_runs },
	{ "copied packed, and how many commands that saves", copy_packed },
	{ "shared memory: the same", shared },
	{ "persistent kernel: the same", persistent },
	{ "keys are replaced", rekeyed },
	{ "lanes and device together", balanced },
	{ "compiled kernels are kept, where nobody else can put any", cache },
	{ "any call fails while it is being opened", failures_at_start },
	{ "any call fails at work, with copies: all packets are done",
	  failures_copy },
	{ "any call fails at work, in shared memory: all are answered",
	  failures_shared },
	{ "a device that comes later is used", comes_later },
	{ "a device that failed comes back", comes_back },
	{ "a device hangs with copies: all packets are done",
	  hangs_harmlessly },
	{ "a device hangs with packets: the channel is given up", hangs },
	{ 0 },
};

int main(void)
{
	const char *why = cpu_backend.probe(NULL);

	log_setup("test_opencl", getenv("VERBOSE") ? LOG_DEBUG : LOG_CRIT);
	clock_setup();
	if (why) {
		EXPECT(false, "%s", why);
		return 1;
	}
	return ktap_run(cases);
}
