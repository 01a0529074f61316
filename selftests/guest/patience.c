// SPDX-License-Identifier: GPL-2.0-only
/*
 * When is a helper stalled? One request at a time goes to a helper that takes as
 * long as it is told: one that takes some milliseconds is waited for, one that is
 * stopped, or takes long, is not, and is tried again less and less often, unless it goes
 * well in between. One that is late is so even if nobody waits for it any more. And one
 * that keeps what the first CPU sent does what the second sends. Run with no helper, as
 * root, in mode offload.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "alg.h"
#include "ktap.h"
#include "peer.h"
#include "sysfs.h"
#include "wait.h"

#define PARAMETERS "/sys/module/wavecrypt/parameters/"
#define STALL_MS PARAMETERS "stall_ms"

/* What the module's documentation says, in ms */
#define FIRST	20
#define LEAST	3
#define MOST	20
/* From the first to the longest pause: 10 ms to 1.3 s; and how long that takes, in ms */
#define PAUSES	7
#define ALL	3000
/* An answer after LONG is late even where those after PATIENT, on a busy machine, are not. */
#define PATIENT	(5 * MOST)
#define LONG	(25 * MOST)
/* After so long without, in ms, pauses get shorter, to less than SOON with what an answer takes. */
#define WORTH	100
#define SOON	(LONG + 200)

/* The same in mode auto, with latency_us as it is; and for who has returned nothing for
 * longer than TRUSTED
 */
#define LATENCY_US	1000
#define MOST_AUTO	4
#define UNTRIED		1
#define TRUSTED		10

/* What a busy machine adds, in one of TRIES */
#define BUSY	40
#define STOPS	7
#define TRIES	3

/* How late an answer is that does not come until the delay is another */
#define NEVER	UINT32_MAX

/* What has not happened after so long, in seconds, never does. */
#define EVER	30

/* Queues that are served, as far as there are so many: the first one's answers are late */
#define SERVED	2

/* Requests that are pending, and how many of them a submission has to do at most */
#define MANY	64
#define TURN	16

static uint64_t now_ms(void)
{
	return now_us() / 1000;
}

static void set_mode(const char *mode)
{
	FILE *file = fopen(PARAMETERS "mode", "we");

	if (!file || fputs(mode, file) < 0 || fclose(file))
		err(2, "mode");
}

static unsigned int deadline_ms(void)
{
	return number_in(SYSFS "queue0/stall_ms");
}

static unsigned int times_stalled(void)
{
	return number_in(SYSFS "queue0/stalls");
}

static bool becomes(const char *wanted)
{
	uint64_t end = now_ms() + 10000;

	while (!state_is(wanted))
		if (now_ms() > end)
			return false;
	return true;
}

/* Say of a queue's next request, if there is one, that it could not be done. */
static void answer(const struct peer *peer, uint32_t id, uint32_t *seen,
		   unsigned int delay_ms)
{
	struct peer_queue q;
	uint32_t index;

	peer_queue(peer, id, &q);
	if (delay_ms == NEVER || __atomic_load_n(&q.sq->tail, __ATOMIC_ACQUIRE) == *seen)
		return;
	usleep(1000 * delay_ms);
	index = q.sq_ring[*seen & (peer->at.entries - 1)];
	q.cq_ring[*seen & (peer->at.entries - 1)] = (struct wavecrypt_cqe) {
		q.desc[index].gen, index, WAVECRYPT_STATUS_RETRY,
	};
	__atomic_store_n(&q.cq->tail, ++*seen, __ATOMIC_RELEASE);
	ioctl(peer->fd, WAVECRYPT_IOC_BELL, id);
}

/* A helper that says so of each request when its time has come. */
static void help(const unsigned int *delay_ms)
{
	uint32_t seen[SERVED] = { 0 };
	struct peer peer;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (peer_open(&peer, 0, 0))
		_exit(1);
	for (;; sched_yield())
		for (uint32_t id = 0; id < SERVED && id < peer.at.queues; id++)
			answer(&peer, id, &seen[id],
			       id ? 0 : __atomic_load_n(delay_ms, __ATOMIC_RELAXED));
}

/* How long a request took */
static uint64_t request(int fd)
{
	static const uint8_t in[ALG_AAD + 256];
	uint8_t out[sizeof(in) + ALG_ICV];
	uint64_t start = now_ms();
	int result = alg_crypt(fd, 1, in, sizeof(in), out, sizeof(out));

	expect(!result, "%s", strerror(-result));
	return now_ms() - start;
}

static int by_size(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void test_slow(int fd, unsigned int *delay_ms)
{
	expect(deadline_ms() == FIRST, "%u ms", deadline_ms());
	for (int i = 0; i < 1000 && deadline_ms() >= MOST; i++)
		request(fd);
	printf("# figure: stalled after %u ms, when requests were quick\n", deadline_ms());
	expect(deadline_ms() >= LEAST && deadline_ms() < MOST, "%u ms", deadline_ms());
	__atomic_store_n(delay_ms, MOST / 4, __ATOMIC_RELAXED);
	/* The first ones may be too late for the time that it had until then. */
	for (int i = 0; i < 1000 && deadline_ms() < MOST; i++)
		request(fd);
	expect(deadline_ms() == MOST, "%u ms", deadline_ms());
	ktap_test("requests are waited for as long as they take, some times over");
	set_mode("auto");
	expect(deadline_ms() == MOST_AUTO, "%u ms", deadline_ms());
	set_mode("offload");
	ktap_test("in mode auto no longer than that is worth");
}

static void test_stopped(int fd, pid_t helper, unsigned int *delay_ms)
{
	uint64_t took[STOPS];

	__atomic_store_n(delay_ms, 0, __ATOMIC_RELAXED);
	for (int i = 0; i < STOPS; i++) {
		unsigned int before = times_stalled();

		kill(helper, SIGSTOP);
		took[i] = request(fd);
		expect(times_stalled() > before && state_is("stalled"), "not stalled");
		request(fd);
		expect(state_is("stalled"), "not stalled any more");
		kill(helper, SIGCONT);
		expect(becomes("live"), "still stalled");
	}
	qsort(took, STOPS, sizeof(*took), by_size);
	printf("# figure: stopped, a request of its took %" PRIu64 " ms (median)\n",
	       took[STOPS / 2]);
	expect(took[STOPS / 2] < MOST + BUSY, "%" PRIu64 " ms", took[STOPS / 2]);
	ktap_test("stopped: stalled soon, until it goes on");
}

/* However late it may be on average, others count on that it is no later than this. */
static void test_untried(int fd, pid_t helper)
{
	usleep(2000 * TRUSTED);
	kill(helper, SIGSTOP);
	request(fd);
	set_mode("auto");
	expect(deadline_ms() == UNTRIED, "%u ms", deadline_ms());
	write_number(PARAMETERS "latency_us", 4000000);
	expect(deadline_ms() == MOST, "%u ms", deadline_ms());
	write_number(PARAMETERS "latency_us", LATENCY_US);
	set_mode("offload");
	kill(helper, SIGCONT);
	expect(becomes("live"), "still stalled");
	ktap_test("in mode auto untried: as late as others may be on average, to a bound");
}

/* Tried again after each answer, it would be stalled thirty times while it is 2 * PAUSES times
 * at most. Where it has hardly been stalled by then, the machine stood still.
 */
static void test_crawling(int fd, unsigned int *delay_ms)
{
	unsigned int before = times_stalled(), times;
	uint64_t start = now_ms(), took;

	__atomic_store_n(delay_ms, 5 * MOST, __ATOMIC_RELAXED);
	do {
		request(fd);
		took = now_ms() - start;
		times = times_stalled() - before;
	} while (took < ALL || (times < 2 && took < 10 * ALL));
	printf("# figure: an answer after %u ms each: stalled %u times in %" PRIu64 " ms\n",
	       5 * MOST, times, took);
	expect(times >= 2, "%u times", times);
	expect(times * ALL <= 2 * PAUSES * took, "%u times in %" PRIu64 " ms", times, took);
	__atomic_store_n(delay_ms, 0, __ATOMIC_RELAXED);
	expect(becomes("live"), "still stalled");
	ktap_test("slow: tried again less and less often");
}

/* It is of use in between: in the end it is tried again as soon as it has answered. */
static void test_now_and_then(int fd, unsigned int *delay_ms)
{
	uint64_t since, until, took = UINT64_MAX;

	write_number(STALL_MS, PATIENT);
	for (int i = 0; i < 3 * PAUSES && took > SOON; i++) {
		until = now_ms() + 2 * WORTH;
		while (now_ms() < until)
			request(fd);
		__atomic_store_n(delay_ms, LONG, __ATOMIC_RELAXED);
		since = now_ms();
		request(fd);
		__atomic_store_n(delay_ms, 0, __ATOMIC_RELAXED);
		expect(becomes("live"), "still stalled");
		took = now_ms() - since;
	}
	printf("# figure: slow for once, after %u ms: stalled for %" PRIu64 " ms\n",
	       2 * WORTH, took);
	expect(took <= SOON, "%" PRIu64 " ms", took);
	write_number(STALL_MS, 0);
	ktap_test("slow now and then: tried again sooner and sooner");
}

static void test_parameter(int fd, pid_t helper)
{
	uint64_t took = 0;
	bool so = false;

	write_number(STALL_MS, 400);
	expect(deadline_ms() == 400, "%u ms", deadline_ms());
	for (int i = 0; i < TRIES && !so; i++) {
		kill(helper, SIGSTOP);
		took = request(fd);
		so = took >= 390 && took < 400 + 20 * BUSY;
		kill(helper, SIGCONT);
		expect(becomes("live"), "still stalled");
	}
	expect(so, "%" PRIu64 " ms", took);
	write_number(STALL_MS, 0);
	ktap_test("stall_ms, if set, says how long");
}

static void *request_apart(void *fd)
{
	request(*(int *)fd);
	return NULL;
}

/* A request is on its way to a helper that is stopped. */
static pthread_t request_stuck(int *fd, pid_t helper)
{
	pthread_t stuck;

	kill(helper, SIGSTOP);
	pthread_create(&stuck, NULL, request_apart, fd);
	wait_until(EVER, number_in(SYSFS "queue0/depth"), "nothing is submitted");
	return stuck;
}

/* Who finds that traffic stands still has set it too high. */
static void test_lowered(int fd, pid_t helper)
{
	uint64_t start;
	pthread_t stuck;

	write_number(STALL_MS, 20000);
	stuck = request_stuck(&fd, helper);
	start = now_ms();
	write_number(STALL_MS, 10);
	pthread_join(stuck, NULL);
	expect(now_ms() - start < 10000, "%" PRIu64 " ms", now_ms() - start);
	kill(helper, SIGCONT);
	expect(becomes("live"), "still stalled");
	write_number(STALL_MS, 0);
	ktap_test("stall_ms, if lowered, is so for what waits");
}

/* It goes on, and as many may be pending as usual. */
static void unbound(pid_t helper)
{
	kill(helper, SIGCONT);
	expect(becomes("live"), "still stalled");
	set_mode("offload");
	write_number(PARAMETERS "pending", 0);
	write_number(STALL_MS, 0);
}

/* A stopped helper has one, and the next, of which there may not be two, does it before
 * itself. Then nothing is in flight, but the slot is still lent.
 */
static void test_pressed(int fd, pid_t helper)
{
	unsigned int stalled = times_stalled(), pressed = number_in(SYSFS "queue0/pressed");
	pthread_t first;

	write_number(STALL_MS, 4000);
	write_number(PARAMETERS "pending", 1);
	first = request_stuck(&fd, helper);
	set_mode("inline");
	request(fd);
	pthread_join(first, NULL);
	expect(number_in(SYSFS "queue0/pressed") > pressed, "not taken back");
	expect(!number_in(SYSFS "queue0/depth"), "in flight");
	expect(becomes("stalled") && times_stalled() == stalled + 1, "not stalled");
	unbound(helper);
	ktap_test("stopped: stalled, too, when what it has was done meanwhile");
}

/* Many more are pending than may be from now on. Who submits does some of them, not all:
 * interrupts' work waits meanwhile.
 */
static void test_lowered_bound(int fd, pid_t helper)
{
	pthread_t stuck[MANY], next[MANY];
	unsigned int pressed = number_in(SYSFS "queue0/pressed"), before, now, nr = 0;

	write_number(STALL_MS, 20000);
	kill(helper, SIGSTOP);
	for (int i = 0; i < MANY; i++)
		pthread_create(&stuck[i], NULL, request_apart, &fd);
	wait_until(EVER, number_in(SYSFS "queue0/depth") >= MANY, "not all are submitted");
	write_number(PARAMETERS "pending", 1);
	set_mode("inline");
	for (now = pressed; now - pressed < MANY && nr < MANY; nr++) {
		before = now;
		pthread_create(&next[nr], NULL, request_apart, &fd);
		wait_until(EVER, (now = number_in(SYSFS "queue0/pressed")) != before,
			   "none is done");
		expect(now - before <= TURN, "%u at once", now - before);
	}
	for (int i = 0; i < MANY; i++)
		pthread_join(stuck[i], NULL);
	for (unsigned int i = 0; i < nr; i++)
		pthread_join(next[i], NULL);
	unbound(helper);
	ktap_test("pending, if lowered, is so soon, but not at once");
}

static void run_on(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		err(2, "CPU %d", cpu);
}

/* What it keeps of the first CPU's keeps it from no other's. */
static void test_others(int fd, unsigned int *delay_ms)
{
	static const char name[] = "stalled on one queue: the others go on";
	uint64_t answered;

	if (sysconf(_SC_NPROCESSORS_ONLN) < SERVED) {
		ktap_skip(name, "there is one CPU");
		return;
	}
	__atomic_store_n(delay_ms, NEVER, __ATOMIC_RELAXED);
	request(fd);
	expect(state_is("stalled"), "not stalled");
	/* The others' answers take what they take. */
	write_number(STALL_MS, 20000);
	answered = number_in(SYSFS "queue1/batches");
	run_on(1);
	for (int i = 0; i < MANY; i++)
		request(fd);
	run_on(0);
	answered = number_in(SYSFS "queue1/batches") - answered;
	expect(answered == MANY, "%" PRIu64 " of %d", answered, MANY);
	expect(state_is("stalled"), "not stalled any more");
	__atomic_store_n(delay_ms, 0, __ATOMIC_RELAXED);
	expect(becomes("live"), "still stalled");
	write_number(STALL_MS, 0);
	ktap_test(name);
}

int main(void)
{
	unsigned int *delay_ms = mmap(NULL, sizeof(*delay_ms), PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = alg_open(ALG_DRIVER);
	pid_t helper;

	if (delay_ms == MAP_FAILED || fd < 0 || alg_key(fd, 0x11))
		err(2, "preparing");
	helper = fork();
	if (!helper)
		help(delay_ms);
	if (helper < 0 || !becomes("live"))
		err(2, "preparing");
	run_on(0);

	puts("KTAP version 1");
	test_slow(fd, delay_ms);
	test_stopped(fd, helper, delay_ms);
	test_untried(fd, helper);
	test_crawling(fd, delay_ms);
	test_now_and_then(fd, delay_ms);
	test_parameter(fd, helper);
	test_lowered(fd, helper);
	test_pressed(fd, helper);
	test_lowered_bound(fd, helper);
	test_others(fd, delay_ms);
	kill(helper, SIGKILL);
	return ktap_end();
}
