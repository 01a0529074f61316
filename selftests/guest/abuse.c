// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device in the wrong hands: every call that should fail, every lie that a
 * helper can tell, and what becomes of honest requests meanwhile. Run with no
 * helper, as root, in mode offload.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alg.h"
#include "ktap.h"
#include "peer.h"
#include "slots.h"
#include "sysfs.h"

static int opened_device(void)
{
	int fd = peer_device();

	if (fd < 0) {
		printf("Bail out! %s: %s\n", WAVECRYPT_DEVICE, strerror(-fd));
		exit(1);
	}
	return fd;
}

static void opened(struct peer *h, uint32_t flags)
{
	int err = peer_open(h, flags, 0);

	if (err) {
		printf("Bail out! attaching: %s\n", strerror(err));
		exit(1);
	}
}

static void test_open(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct none[2] = { };
	int status;

	if (!fork())
		_exit(setuid(65534) ? 255 : outcome(open(WAVECRYPT_DEVICE, O_RDWR)));
	wait(&status);
	expect(WEXITSTATUS(status) == EACCES, "nobody: %s", strerror(WEXITSTATUS(status)));
	if (!fork())
		_exit(syscall(SYS_capset, &head, none) ? 255 :
		      outcome(open(WAVECRYPT_DEVICE, O_RDWR)));
	wait(&status);
	expect(WEXITSTATUS(status) == EPERM, "root without capabilities: %s",
	       strerror(WEXITSTATUS(status)));
	ktap_test("the device is for root with CAP_NET_ADMIN");
}

static void test_before_attach(void)
{
	struct wavecrypt_wait wait = { };
	int fd = opened_device();

	expect(outcome(ioctl(fd, WAVECRYPT_IOC_DETACH)) == ENOTCONN, "%m");
	expect(outcome(ioctl(fd, WAVECRYPT_IOC_BELL, 0)) == ENOTCONN, "%m");
	expect(outcome(ioctl(fd, WAVECRYPT_IOC_WAIT, &wait)) == ENOTCONN, "%m");
	expect(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED &&
	       errno == ENOTCONN, "%m");
	expect(outcome(ioctl(fd, _IO('w', 99))) != 0, "no such call");
	expect(outcome(ioctl(fd, _IO('x', 1))) == ENOTTY, "%m");
	expect(read(fd, &wait, 1) < 0 && errno == EINVAL, "%m");
	close(fd);
	ktap_test("nothing works before attach");
}

/* The structure of another release: of another size, so that the call's number
 * differs, but with the version in front.
 */
#define ATTACH_OTHER	_IOWR('w', 1, uint8_t[136])

static void test_other_release(void)
{
	uint32_t at[34] = { 1 };
	int fd = opened_device();

	expect(outcome(ioctl(fd, ATTACH_OTHER, at)) == EPROTO, "%m");
	expect(at[0] == WAVECRYPT_ABI_VERSION, "says %u", at[0]);
	expect(outcome(ioctl(fd, ATTACH_OTHER, NULL)) == EFAULT, "%m");
	close(fd);
	ktap_test("a helper of the first release is told which version this is");
}

static void test_attach(void)
{
	static const uint32_t bad[] = { 1, 8, 15, 17, 48, 8192, 1u << 31, UINT32_MAX };
	struct wavecrypt_attach at;
	int fd = opened_device();

	memset(&at, 0, sizeof(at));
	at.abi = WAVECRYPT_ABI_VERSION + 1;
	expect(outcome(ioctl(fd, WAVECRYPT_IOC_ATTACH, &at)) == EPROTO, "%m");
	expect(at.abi == WAVECRYPT_ABI_VERSION, "says %u", at.abi);
	at.abi = WAVECRYPT_ABI_VERSION;
	at.reserved[0] = 1;
	expect(outcome(ioctl(fd, WAVECRYPT_IOC_ATTACH, &at)) == EINVAL, "%m");
	at.reserved[0] = 0;
	expect(outcome(ioctl(fd, ATTACH_OTHER, &at)) == ENOTTY, "another size: %m");
	at.flags = 2;
	expect(outcome(ioctl(fd, WAVECRYPT_IOC_ATTACH, &at)) == EINVAL, "%m");
	at.flags = 0;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		at.entries = bad[i];
		expect(outcome(ioctl(fd, WAVECRYPT_IOC_ATTACH, &at)) == EINVAL,
		       "%u entries: %m", bad[i]);
	}
	expect(outcome(ioctl(fd, WAVECRYPT_IOC_ATTACH, NULL)) == EFAULT, "%m");
	for (at.entries = 16; at.entries <= WAVECRYPT_MAX_ENTRIES; at.entries *= 2) {
		uint32_t entries = at.entries;

		expect(!outcome(ioctl(fd, WAVECRYPT_IOC_ATTACH, &at)),
		       "%u entries: %m", entries);
		expect(at.entries == entries, "%u, not %u", at.entries, entries);
		close(fd);
		fd = opened_device();
	}
	close(fd);
	ktap_test("attach refuses what it does not understand, and takes every size");
}

static void test_one_helper(void)
{
	struct wavecrypt_wait wait = { };
	struct wavecrypt_attach at;
	struct peer first, second;
	int fd = opened_device();
	void *page;

	opened(&first, 0);
	expect(peer_attach(first.fd, 0, 0, &at) == EBUSY, "the same file: %m");
	expect(peer_attach(fd, 0, 0, &at) == EBUSY, "another: %m");
	expect(peer_state(&first) == WAVECRYPT_STATE_LIVE, "state %u", peer_state(&first));

	opened(&second, WAVECRYPT_ATTACH_REPLACE);
	expect(peer_state(&first) == WAVECRYPT_STATE_DETACHED, "state %u",
	       peer_state(&first));
	expect(outcome(ioctl(first.fd, WAVECRYPT_IOC_BELL, 0)) == ESHUTDOWN, "%m");
	expect(outcome(ioctl(first.fd, WAVECRYPT_IOC_WAIT, &wait)) == ESHUTDOWN, "%m");
	expect(peer_attach(first.fd, WAVECRYPT_ATTACH_REPLACE, 0, &at) == EBUSY,
	       "not detached: %m");
	expect(mmap(NULL, 4096, PROT_READ, MAP_SHARED, first.fd, 0) == MAP_FAILED &&
	       errno == ESHUTDOWN, "%m");
	memset(first.map[WAVECRYPT_REGION_SLOTS], 0xff,
	       first.at.region[WAVECRYPT_REGION_SLOTS].size);
	expect(peer_state(&second) == WAVECRYPT_STATE_LIVE, "state %u",
	       peer_state(&second));
	expect(!outcome(ioctl(first.fd, WAVECRYPT_IOC_DETACH)), "%m");
	expect(outcome(ioctl(first.fd, WAVECRYPT_IOC_DETACH)) == ENOTCONN, "%m");
	expect(peer_state(&second) == WAVECRYPT_STATE_LIVE, "state %u",
	       peer_state(&second));
	peer_close(&first);

	/* Whom nothing can be told */
	at = (struct wavecrypt_attach) { .abi = WAVECRYPT_ABI_VERSION,
					 .flags = WAVECRYPT_ATTACH_REPLACE };
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(page, &at, sizeof(at));
	mprotect(page, 4096, PROT_READ);
	expect(outcome(ioctl(fd, WAVECRYPT_IOC_ATTACH, page)) == EFAULT, "%m");
	munmap(page, 4096);
	expect(peer_state(&second) == WAVECRYPT_STATE_LIVE, "state %u",
	       peer_state(&second));

	expect(!outcome(ioctl(second.fd, WAVECRYPT_IOC_DETACH)), "%m");
	expect(!peer_attach(fd, 0, 0, &at), "after detach: %m");
	close(fd);
	peer_close(&second);
	ktap_test("one helper at a time, and a replaced one is out");
}

/* Who may not attach is told before anything else is looked at, memory above all. */
static void test_busy(void)
{
	struct wavecrypt_attach at;
	int fd = opened_device();
	struct peer h;

	opened(&h, 0);
	expect(peer_attach(h.fd, 0, 17, &at) == EBUSY, "the same file: %m");
	expect(peer_attach(h.fd, WAVECRYPT_ATTACH_REPLACE, 17, &at) == EBUSY,
	       "the same file, to replace itself: %m");
	expect(peer_attach(fd, 0, 17, &at) == EBUSY, "another: %m");
	expect(peer_attach(fd, WAVECRYPT_ATTACH_REPLACE, 17, &at) == EINVAL,
	       "who may: %m");
	expect(peer_state(&h) == WAVECRYPT_STATE_LIVE, "state %u", peer_state(&h));
	peer_close(&h);
	close(fd);
	ktap_test("who may not attach is told so first");
}

/* What mmap() of LEN bytes at OFFSET comes to. */
static int map(int fd, uint64_t offset, uint64_t len, int prot, int flags)
{
	void *p = mmap(NULL, len, prot, flags, fd, offset);

	if (p == MAP_FAILED)
		return errno;
	munmap(p, len);
	return 0;
}

static void test_mmap(void)
{
	struct peer h;
	uint64_t end;

	opened(&h, 0);
	for (int i = 0; i < WAVECRYPT_REGIONS; i++) {
		const struct wavecrypt_region *r = &h.at.region[i];
		bool read_only = peer_prot(i) == PROT_READ;

		expect(map(h.fd, r->offset, r->size + 4096, PROT_READ, MAP_SHARED) == EINVAL,
		       "region %d: one page too long", i);
		expect(map(h.fd, r->offset, r->size, PROT_READ, MAP_PRIVATE) == EINVAL,
		       "region %d: private", i);
		expect(map(h.fd, r->offset, r->size, PROT_READ | PROT_EXEC, MAP_SHARED) == EACCES,
		       "region %d: executable", i);
		expect(map(h.fd, r->offset, 4096, PROT_READ, MAP_SHARED) == 0,
		       "region %d: one page", i);
		expect(map(h.fd, r->offset, r->size, PROT_READ | PROT_WRITE, MAP_SHARED) ==
		       (read_only ? EACCES : 0), "region %d: writable", i);
		expect(outcome(mprotect(h.map[i], 4096, PROT_READ | PROT_WRITE)) ==
		       (read_only ? EACCES : 0), "region %d: made writable", i);
		expect(outcome(mprotect(h.map[i], 4096, PROT_READ | PROT_EXEC)) == EACCES,
		       "region %d: made executable", i);
		expect(mremap(h.map[i], r->size, r->size + 4096, MREMAP_MAYMOVE) == MAP_FAILED,
		       "region %d: expanded", i);
	}
	end = h.at.region[WAVECRYPT_REGION_SLOTS].offset + h.at.region[WAVECRYPT_REGION_SLOTS].size;
	expect(map(h.fd, end, 4096, PROT_READ, MAP_SHARED) == EINVAL, "beyond the end");
	expect(map(h.fd, 1ull << 50, 4096, PROT_READ, MAP_SHARED) == EINVAL, "far beyond");
	peer_close(&h);
	ktap_test("mappings: within their region, shared, and no more than allowed");
}

static void *waiter(void *arg)
{
	struct peer *h = arg;
	struct wavecrypt_seen seen = { .queue = 0 };
	struct wavecrypt_wait wait = {
		.seen = (uintptr_t)&seen, .nr = 1, .timeout_ns = 10ull * 1000000000,
	};

	int result;

	/* The other thread's look may come in between. */
	do {
		result = outcome(ioctl(h->fd, WAVECRYPT_IOC_WAIT, &wait));
	} while (result == EBUSY);
	return (void *)(intptr_t)result;
}

static void nothing(int sig)
{
	(void)sig;
}

static void test_wait(void)
{
	struct wavecrypt_seen seen[2] = { { .queue = 0 }, { .queue = 0 } };
	struct wavecrypt_wait wait = { .seen = (uintptr_t)seen, .nr = 1 };
	struct sigaction sa = { .sa_handler = nothing };
	struct peer h;
	pthread_t thread;
	void *result;

	opened(&h, 0);
	expect(outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, NULL)) == EFAULT, "%m");
	expect(outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, &wait)) == ETIME, "a poll: %m");
	wait.timeout_ns = 1000000;
	expect(outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, &wait)) == ETIME, "a millisecond: %m");
	wait.key_epoch = 12345;
	expect(!outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, &wait)), "another key epoch: %m");
	wait.key_epoch = 0;
	seen[0].tail = 77;
	expect(!outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, &wait)), "another tail: %m");
	seen[0].tail = 0;
	wait.nr = 2;
	expect(outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, &wait)) ==
	       (h.at.queues > 1 ? EBUSY : EINVAL), "a queue twice: %m");
	wait.nr = h.at.queues + 1;
	expect(outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, &wait)) == EINVAL, "%m");
	wait.nr = UINT32_MAX;
	expect(outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, &wait)) == EINVAL, "%m");
	wait.nr = 1;
	seen[0].queue = h.at.queues;
	expect(outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, &wait)) == EINVAL, "%m");
	seen[0].queue = 0;
	wait.seen = 8;
	expect(outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, &wait)) == EFAULT, "%m");
	wait.seen = (uintptr_t)seen;

	/* Another thread sleeps: a second one may not, until it is woken. */
	sigaction(SIGUSR1, &sa, NULL);
	pthread_create(&thread, NULL, waiter, &h);
	wait.timeout_ns = 1;
	while (outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, &wait)) == ETIME)
		;
	expect(errno == EBUSY, "%m");
	wait.timeout_ns = 0;
	expect(outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, &wait)) == ETIME, "a poll meanwhile: %m");
	wait.timeout_ns = 1;
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, &result);
	expect((intptr_t)result == EINTR, "%s", strerror((intptr_t)result));

	/* Detaching wakes it as well. */
	pthread_create(&thread, NULL, waiter, &h);
	while (outcome(ioctl(h.fd, WAVECRYPT_IOC_WAIT, &wait)) == ETIME)
		;
	expect(!outcome(ioctl(h.fd, WAVECRYPT_IOC_DETACH)), "%m");
	pthread_join(thread, &result);
	expect((intptr_t)result == ESHUTDOWN, "%s", strerror((intptr_t)result));
	peer_close(&h);
	ktap_test("waiting: bad arguments, two at a time, signals, detach");
}

/* The sum of what each queue has counted */
static uint64_t of_queues(const struct peer *h, const char *counter)
{
	uint64_t sum = 0;

	for (uint32_t q = 0; q < h->at.queues; q++) {
		struct peer_queue queue;
		char name[64];

		peer_queue(h, q, &queue);
		snprintf(name, sizeof(name), SYSFS "queue%u/%s", queue.sq->cpu, counter);
		sum += number_in(name);
	}
	return sum;
}

/* Go to sleep so often, for so long, on every queue. How many interrupts? */
static uint64_t sleeps(const struct peer *h, unsigned int times, uint64_t ns)
{
	struct wavecrypt_seen *seen = calloc(h->at.queues, sizeof(*seen));
	struct wavecrypt_wait wait = {
		.seen = (uintptr_t)seen, .nr = h->at.queues, .timeout_ns = ns,
	};
	uint64_t before = of_queues(h, "interrupts");

	for (unsigned int i = 0; i < times; i++) {
		int result;

		for (uint32_t q = 0; q < h->at.queues; q++) {
			struct peer_queue queue;

			peer_queue(h, q, &queue);
			seen[q].queue = q;
			seen[q].tail = __atomic_load_n(&queue.sq->tail, __ATOMIC_ACQUIRE);
		}
		result = outcome(ioctl(h->fd, WAVECRYPT_IOC_WAIT, &wait));
		expect(result == ETIME, "%s", strerror(result));
	}
	free(seen);
	return of_queues(h, "interrupts") - before;
}

static void test_idle(void)
{
	struct peer h;
	uint64_t n;

	opened(&h, 0);
	n = sleeps(&h, 100, 0) + sleeps(&h, 100, 1) + sleeps(&h, 20, 1000000);
	expect(!n, "%" PRIu64 " interrupts", n);
	peer_close(&h);
	ktap_test("going to sleep disturbs no CPU that is idle");
}

static void test_bell(void)
{
	struct peer h;

	opened(&h, 0);
	for (uint32_t q = 0; q < h.at.queues; q++)
		expect(!outcome(ioctl(h.fd, WAVECRYPT_IOC_BELL, q)), "queue %u: %m", q);
	expect(outcome(ioctl(h.fd, WAVECRYPT_IOC_BELL, h.at.queues)) == EINVAL, "%m");
	expect(outcome(ioctl(h.fd, WAVECRYPT_IOC_BELL, ~0ul)) == EINVAL, "%m");
	expect(outcome(ioctl(h.fd, _IO('w', 99))) == ENOTTY, "%m");
	peer_close(&h);
	ktap_test("no such queue, no such call");
}

static void test_silent(void)
{
	uint64_t before;
	struct peer h;

	opened(&h, 0);
	before = of_queues(&h, "bells");
	for (unsigned int i = 0; i < 1000; i++)
		expect(!outcome(ioctl(h.fd, WAVECRYPT_IOC_BELL, i % h.at.queues)), "%m");
	expect(of_queues(&h, "bells") == before, "%" PRIu64 " interrupts",
	       of_queues(&h, "bells") - before);
	peer_close(&h);
	ktap_test("the bell disturbs no CPU that there is nothing for");
}

/* Nobody has written there yet. */
static bool zeroes(const uint8_t *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (from[i])
			return false;
	return true;
}

/* The same file again, with rings that lie elsewhere. What was mapped before stays
 * what it was, also where nobody has looked yet: none of the new channel's memory.
 */
static void attaches_anew(struct peer *h)
{
	const struct wavecrypt_region *slots = &h->at.region[WAVECRYPT_REGION_SLOTS];
	struct peer old = *h;
	int result;

	expect(peer_attach(h->fd, 0, 0, &h->at) == EBUSY, "before it detaches: %m");
	result = outcome(ioctl(h->fd, WAVECRYPT_IOC_DETACH));
	expect(!result, "detaching: %s", strerror(result));
	expect(outcome(ioctl(h->fd, WAVECRYPT_IOC_BELL, 0)) == ENOTCONN, "%m");
	result = peer_attach(h->fd, 0, 16, &h->at);
	expect(!result, "attaching anew: %s", strerror(result));
	if (result || peer_map(h)) {
		*h = old;
		return;
	}
	expect(peer_state(&old) == WAVECRYPT_STATE_BROKEN, "state %u", peer_state(&old));
	expect(peer_state(h) == WAVECRYPT_STATE_LIVE, "state %u", peer_state(h));
	memset(old.map[WAVECRYPT_REGION_SLOTS], 0xff, slots->size);
	memset(old.map[WAVECRYPT_REGION_COMPLETE], 0xff,
	       old.at.region[WAVECRYPT_REGION_COMPLETE].size);
	expect(zeroes(h->map[WAVECRYPT_REGION_SLOTS],
		      h->at.region[WAVECRYPT_REGION_SLOTS].size) &&
	       zeroes(h->map[WAVECRYPT_REGION_COMPLETE],
		      h->at.region[WAVECRYPT_REGION_COMPLETE].size) &&
	       peer_state(h) == WAVECRYPT_STATE_LIVE, "the old mappings write to the new channel");
	peer_unmap(&old);
	expect(!outcome(ioctl(h->fd, WAVECRYPT_IOC_BELL, 0)), "%m");
}

static void test_anew(void)
{
	struct peer_queue q;
	struct peer h;

	opened(&h, 0);
	peer_queue(&h, 0, &q);
	__atomic_store_n(&q.cq->tail, 1, __ATOMIC_RELEASE);
	expect(!outcome(ioctl(h.fd, WAVECRYPT_IOC_BELL, 0)), "%m");
	while (peer_state(&h) == WAVECRYPT_STATE_LIVE)
		sched_yield();
	expect(peer_state(&h) == WAVECRYPT_STATE_BROKEN, "state %u", peer_state(&h));
	attaches_anew(&h);
	peer_close(&h);
	ktap_test("broken: detaches, and attaches anew with the same file");
}

static void test_fork(void)
{
	struct peer h;
	int status;

	opened(&h, 0);
	if (!fork()) {
		/* Not inherited: this read is a segmentation fault. */
		volatile uint8_t byte;

		signal(SIGSEGV, _exit);
		byte = h.map[WAVECRYPT_REGION_SLOTS][0];
		_exit(byte);
	}
	wait(&status);
	expect(WIFEXITED(status) && WEXITSTATUS(status) == SIGSEGV, "status %x", status);
	/* Memory that is mapped outlives the file. */
	close(h.fd);
	expect(peer_state(&h) == WAVECRYPT_STATE_LIVE, "state %u", peer_state(&h));
	peer_close(&h);
	opened(&h, 0);
	peer_close(&h);
	ktap_test("a child inherits nothing, and the last user detaches");
}

/* More than a slot has room for; and a CPU that does nothing else is busy */
#define TOO_LONG	64000
_Static_assert(TOO_LONG > WAVECRYPT_MAX_LEN, "too long");

/* One honest request, on a thread of its own; a liar answers it. */
struct request {
	int fd;
	bool encrypt;
	uint32_t len;
	uint8_t in[TOO_LONG + ALG_AAD + ALG_ICV];
	uint8_t out[TOO_LONG + ALG_AAD + ALG_ICV];
	int result;
};

static void *do_request(void *arg)
{
	struct request *r = arg;
	size_t plain = r->len + ALG_AAD, sealed = plain + ALG_ICV;

	errno = 0;
	r->result = r->encrypt ? alg_crypt(r->fd, 1, r->in, plain, r->out, sealed) :
				 alg_crypt(r->fd, 0, r->in, sealed, r->out, plain);
	return NULL;
}

/* What a submission looks like from the helper's side. */
struct seen {
	uint32_t nr;
	uint32_t queue;
	uint32_t index;
	const struct wavecrypt_desc *desc;
	struct wavecrypt_cq *cq;
	struct wavecrypt_cqe *ring;
	uint8_t *data;
};

/* The submission of that number, from 0, on whatever queue; there is one. */
static void see(const struct peer *h, struct seen *s, uint32_t nr)
{
	for (uint32_t q = 0;; q = (q + 1) % h->at.queues) {
		const uint8_t *part = h->map[WAVECRYPT_REGION_SUBMIT] + h->at.sq_first +
				      q * h->at.sq_stride;
		const struct wavecrypt_sq *sq = (const void *)part;
		const uint32_t *ring = (const void *)(sq + 1);

		if (__atomic_load_n(&sq->tail, __ATOMIC_ACQUIRE) != nr + 1)
			continue;
		s->nr = nr;
		s->queue = q;
		s->index = ring[nr % h->at.entries];
		s->desc = (const struct wavecrypt_desc *)(part + h->at.desc_first) + s->index;
		s->cq = (void *)(h->map[WAVECRYPT_REGION_COMPLETE] + q * h->at.cq_stride);
		s->ring = (void *)(s->cq + 1);
		s->data = h->map[WAVECRYPT_REGION_SLOTS] + s->desc->data;
		return;
	}
}

static void say(const struct seen *s, uint32_t pos, uint32_t gen, uint32_t index,
		uint32_t status)
{
	s->ring[pos] = (struct wavecrypt_cqe) { gen, index, status };
}

static void publish(const struct peer *h, const struct seen *s, uint32_t tail)
{
	__atomic_store_n(&s->cq->tail, tail, __ATOMIC_RELEASE);
	ioctl(h->fd, WAVECRYPT_IOC_BELL, s->queue);
}

static void lie_gen(const struct peer *h, const struct seen *s)
{
	say(s, 0, s->desc->gen - 1, s->index, WAVECRYPT_STATUS_OK);
	publish(h, s, 1);
}

static void lie_index(const struct peer *h, const struct seen *s)
{
	say(s, 0, s->desc->gen, s->index ^ 1, WAVECRYPT_STATUS_OK);
	publish(h, s, 1);
}

static void lie_range(const struct peer *h, const struct seen *s)
{
	say(s, 0, s->desc->gen, 0xffff, WAVECRYPT_STATUS_OK);
	publish(h, s, 1);
}

static void lie_status(const struct peer *h, const struct seen *s)
{
	say(s, 0, s->desc->gen, s->index, 7);
	publish(h, s, 1);
}

static void lie_tail(const struct peer *h, const struct seen *s)
{
	say(s, 0, s->desc->gen, s->index, WAVECRYPT_STATUS_OK);
	publish(h, s, h->at.entries + 1);
}

static void lie_back(const struct peer *h, const struct seen *s)
{
	publish(h, s, UINT32_MAX);
}

static void done(const struct peer *h, const struct seen *s)
{
	say(s, s->nr % h->at.entries, s->desc->gen, s->index, WAVECRYPT_STATUS_OK);
	publish(h, s, s->nr + 1);
}

static void lie_icv(const struct peer *h, const struct seen *s)
{
	memset(s->data + s->desc->len, 0, 20);
	done(h, s);
}

static void admit_retry(const struct peer *h, const struct seen *s)
{
	say(s, 0, s->desc->gen, s->index, WAVECRYPT_STATUS_RETRY);
	publish(h, s, 1);
}

static void leave(const struct peer *h, const struct seen *s)
{
	(void)s;
	ioctl(h->fd, WAVECRYPT_IOC_DETACH);
}

/* The answer with a liar in between is the one without. */
static void test_lie(int fd, bool encrypt, uint32_t state, const char *name,
		     void (*lie)(const struct peer *, const struct seen *))
{
	struct request honest = { .fd = fd, .encrypt = true, .len = 256 };
	struct request lied = { .fd = fd, .len = 256 };
	struct peer h;
	struct seen s;
	pthread_t thread;
	char test[100];

	memset(honest.in, 0xa5, sizeof(honest.in));
	do_request(&honest);
	expect(!honest.result, "%s", strerror(-honest.result));
	lied.encrypt = encrypt;
	memcpy(lied.in, encrypt ? honest.in : honest.out, sizeof(lied.in));

	opened(&h, 0);
	pthread_create(&thread, NULL, do_request, &lied);
	see(&h, &s, 0);
	lie(&h, &s);
	pthread_join(thread, NULL);
	expect(!lied.result, "%s", strerror(-lied.result));
	expect(!memcmp(lied.out + ALG_AAD, (encrypt ? honest.out : honest.in) + ALG_AAD,
		       256 + (encrypt ? ALG_ICV : 0)), "a wrong result");
	/* If that was done by the kernel already, the lie has yet to be looked at. */
	for (int i = 0; peer_state(&h) != state && i < 1000; i++)
		usleep(1000);
	expect(peer_state(&h) == state, "state %u, not %u", peer_state(&h), state);
	if (state == WAVECRYPT_STATE_BROKEN)
		expect(outcome(ioctl(h.fd, WAVECRYPT_IOC_BELL, 0)) == ESHUTDOWN, "%m");
	peer_close(&h);

	/* And the next helper is none the worse for it. */
	opened(&h, 0);
	expect(peer_state(&h) == WAVECRYPT_STATE_LIVE, "state %u", peer_state(&h));
	peer_close(&h);
	snprintf(test, sizeof(test), "a helper that %s: the request does not notice", name);
	ktap_test(test);
}

/* In a row, on one CPU, after which it is the helper's fault */
#define WRONG_ICVS	16

/* Request @nr of a channel, which is answered as it should be only if @honest is given */
static void answered(const struct peer *h, struct request *r, uint32_t nr,
		     const struct request *honest)
{
	pthread_t thread;
	struct seen s;

	pthread_create(&thread, NULL, do_request, r);
	see(h, &s, nr);
	if (honest) {
		memcpy(s.data, honest->in + ALG_AAD, 256);
		memcpy(s.data + 256, honest->out + ALG_AAD + 256, ALG_ICV);
		done(h, &s);
	} else {
		lie_icv(h, &s);
	}
	pthread_join(thread, NULL);
}

static bool lives(const struct peer *h, uint32_t nr)
{
	bool live = peer_state(h) == WAVECRYPT_STATE_LIVE;

	expect(live, "state %u after %u", peer_state(h), nr);
	return live;
}

/*
 * A packet may have been another when the helper had it, if its memory is a user's. Who
 * wants that has more that are forged than that come out right.
 */
static void test_wrong_icvs(int fd)
{
	struct request honest = { .fd = fd, .encrypt = true, .len = 256 };
	struct request lied = { .fd = fd, .len = 256 }, forged;
	cpu_set_t all, one;
	uint32_t nr = 0;
	struct peer h;

	do_request(&honest);
	memcpy(lied.in, honest.out, sizeof(lied.in));
	forged = lied;
	forged.in[ALG_AAD + 256] ^= 1;
	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	opened(&h, 0);
	for (int i = 0; i < 2 * WRONG_ICVS && lives(&h, nr); i++) {
		answered(&h, &lied, nr++, NULL);
		expect(!lied.result, "%s", strerror(-lied.result));
		answered(&h, &forged, nr++, NULL);
		expect(forged.result == -EBADMSG, "forged: %d", forged.result);
	}
	/* One is right, before there are so many in a row. It is given no more after them. */
	for (int i = 0; i < 2 * WRONG_ICVS && lives(&h, nr); i++) {
		answered(&h, &lied, nr++, i == WRONG_ICVS - 1 ? &honest : NULL);
		expect(!lied.result, "%s", strerror(-lied.result));
		expect(!memcmp(lied.out + ALG_AAD, honest.in + ALG_AAD, 256),
		       "a wrong result");
	}
	for (int i = 0; peer_state(&h) != WAVECRYPT_STATE_BROKEN && i < 1000; i++)
		usleep(1000);
	expect(peer_state(&h) == WAVECRYPT_STATE_BROKEN, "state %u", peer_state(&h));
	peer_close(&h);
	sched_setaffinity(0, sizeof(all), &all);
	ktap_test("a helper that calls each authentic packet forged is not asked for long");
}

static void set_parameter(const char *name, const char *value)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/sys/module/wavecrypt/parameters/%s", name);
	fd = open(path, O_WRONLY);
	expect(fd >= 0 && write(fd, value, strlen(value)) > 0, "%s %s: %m", name, value);
	close(fd);
}

/* Each slot's place is there before it is used: where the loopback has it. */
static void test_slots(const char *mtu, enum wavecrypt_slots slots)
{
	struct peer h;

	set_parameter("mtu", mtu);
	opened(&h, 0);
	for (uint32_t q = 0; q < h.at.queues; q++) {
		uint64_t low = q * h.at.slot_stride, end = low + h.at.slot_stride;
		struct peer_queue queue;
		uint32_t index = 0;

		peer_queue(&h, q, &queue);
		for (int i = 0; i < WAVECRYPT_SLOTS_CLASSES; i++) {
			uint32_t nr = wavecrypt_slots_nr(i, h.at.entries, slots);

			for (; nr; nr--, low += wavecrypt_sizes[i].size, index++)
				expect(queue.desc[index].data == low + WAVECRYPT_HEADROOM,
				       "queue %u: slot %u at %u, not %lu", q, index,
				       queue.desc[index].data, low + WAVECRYPT_HEADROOM);
		}
		expect(index == h.at.entries, "%u slots", index);
		expect(low <= end, "queue %u: %lu bytes too many", q, low - end);
	}
	peer_close(&h);
	set_parameter("mtu", "0");
	ktap_test(slots == WAVECRYPT_SLOTS_JUMBO ?
		  "every slot's place is known at attach, with jumbo packets" :
		  "every slot's place is known at attach");
}

/* A helper that does not do what the request is for is not asked. */
static void test_algs(void)
{
	struct request r = { .fd = alg_open(ALG_DRIVER), .encrypt = true, .len = 256 };
	struct peer h = { .fd = opened_device() };
	uint64_t algs;

	expect(r.fd >= 0 && !alg_key(r.fd, 0x11), "a key");
	h.at.abi = WAVECRYPT_ABI_VERSION;
	h.at.algs[0] = ~(1ull << WAVECRYPT_ALG_CBC_SHA1);
	h.at.algs[WAVECRYPT_ALG_WORDS - 1] = ~0ull;
	expect(!outcome(ioctl(h.fd, WAVECRYPT_IOC_ATTACH, &h.at)), "%m");
	algs = h.at.algs[0];
	expect(algs && algs < 1ull << WAVECRYPT_ALGS &&
	       !(algs & (1ull << WAVECRYPT_ALG_CBC_SHA1 | 1)), "algorithms %lx", algs);
	expect(!h.at.algs[WAVECRYPT_ALG_WORDS - 1], "algorithms that there are not");
	h.map[WAVECRYPT_REGION_SUBMIT] = mmap(NULL, h.at.region[WAVECRYPT_REGION_SUBMIT].size,
					      PROT_READ, MAP_SHARED, h.fd,
					      h.at.region[WAVECRYPT_REGION_SUBMIT].offset);
	do_request(&r);
	expect(!r.result, "%s", strerror(-r.result));
	for (uint32_t q = 0; q < h.at.queues; q++) {
		struct peer_queue queue;

		peer_queue(&h, q, &queue);
		expect(!queue.sq->tail, "queue %u: %u requests", q, queue.sq->tail);
	}
	peer_close(&h);
	close(r.fd);
	ktap_test("what a helper cannot do is not sent to it");
}

static void set_mode(const char *mode)
{
	set_parameter("mode", mode);
}

/* How many keys a helper finds in its table, or that there is anything but zeros */
static uint32_t keys_shown(const struct peer *h)
{
	const struct wavecrypt_key *keys = (const void *)h->map[WAVECRYPT_REGION_KEYS];
	static const struct wavecrypt_key none;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < h->at.keys; i++)
		nr += !!memcmp(&keys[i], &none, sizeof(none));
	return nr;
}

/* Nor is there more of an AES-128 key than its rounds: eleven keys. */
static bool keys_end(const struct peer *h)
{
	const struct wavecrypt_key *keys = (const void *)h->map[WAVECRYPT_REGION_KEYS];
	const size_t rounds = 11 * 16;

	for (uint32_t i = 0; i < h->at.keys; i++)
		if (!zeroes(keys[i].enc + rounds, sizeof(keys[i].enc) - rounds) ||
		    !zeroes(keys[i].dec + rounds, sizeof(keys[i].dec) - rounds))
			return false;
	return true;
}

/* One request that the helper gives back, or lies about. */
static void one_request(const struct peer *h, int fd,
			void (*answer)(const struct peer *, const struct seen *))
{
	struct request r = { .fd = fd, .encrypt = true, .len = 256 };
	pthread_t thread;
	struct seen s;

	pthread_create(&thread, NULL, do_request, &r);
	see(h, &s, 0);
	answer(h, &s);
	pthread_join(thread, NULL);
	expect(!r.result, "%s", strerror(-r.result));
}

/* A key is shown from its first request that may be offloaded on, for as long as
 * it is one and the helper keeps to the rules.
 */
static void test_places(void)
{
	int fd = alg_open(ALG_DRIVER);
	struct request r = { .fd = fd, .encrypt = true, .len = 256 };
	struct peer h;

	expect(fd >= 0 && !alg_key(fd, 0x11), "a key");
	opened(&h, 0);
	set_mode("auto");
	do_request(&r);
	expect(!r.result, "%s", strerror(-r.result));
	expect(!keys_shown(&h), "%u keys of a request that may sleep", keys_shown(&h));
	set_mode("offload");
	expect(!keys_shown(&h), "%u keys before a request", keys_shown(&h));
	one_request(&h, fd, admit_retry);
	expect(keys_shown(&h) == 1, "%u keys", keys_shown(&h));
	expect(keys_end(&h), "more than a key");
	expect(alg_setkey(fd, "bad", 3), "a key of three bytes");
	expect(!keys_shown(&h), "%u keys after one that was refused", keys_shown(&h));
	peer_close(&h);
	ktap_test("a key takes its place with its first request, and leaves it when it goes");

	expect(!alg_key(fd, 0x22), "another key");
	opened(&h, 0);
	one_request(&h, fd, lie_status);
	expect(peer_state(&h) == WAVECRYPT_STATE_BROKEN, "state %u", peer_state(&h));
	for (int i = 0; keys_shown(&h) && i < 1000; i++)
		usleep(1000);
	expect(!keys_shown(&h), "%u keys", keys_shown(&h));
	expect(!alg_key(fd, 0x33), "a third key");
	do_request(&r);
	expect(!r.result, "%s", strerror(-r.result));
	expect(!keys_shown(&h), "%u keys", keys_shown(&h));
	peer_close(&h);
	close(fd);
	ktap_test("a helper that broke a rule is shown no keys");
}

/* What the router has to say of requests that are too long: whether it has tried to
 * offload them.
 */
static bool tried_too_long(void)
{
	FILE *file = fopen("/sys/kernel/debug/wavecrypt/route", "re");
	unsigned int max_len, trial_ms, lines = 0;
	char line[256], why[16];
	bool tried = false;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%*u %*s encrypt %u %*s %15s %*u %*u %*u %u", &max_len, why,
			   &trial_ms) != 3 || max_len < WAVECRYPT_MAX_LEN)
			continue;
		lines++;
		tried = tried || !strcmp(why, "trial") || trial_ms;
	}
	expect(lines, "the router knows nothing of them");
	if (file)
		fclose(file);
	return tried;
}

/* What fits no slot takes no place, counts as nothing, and is not tried. */
static void test_too_long(void)
{
	int fd = alg_open(ALG_DRIVER);
	struct request r = { .fd = fd, .encrypt = true, .len = TOO_LONG };
	bool tried = false;
	struct peer h;
	uint64_t full;

	expect(fd >= 0 && !alg_key(fd, 0x11), "a key");
	opened(&h, 0);
	full = of_queues(&h, "full");
	do_request(&r);
	expect(!r.result, "%s", strerror(-r.result));
	expect(of_queues(&h, "full") == full, "full: %" PRIu64 " more",
	       of_queues(&h, "full") - full);
	expect(!keys_shown(&h), "%u keys", keys_shown(&h));
	set_mode("auto");
	for (int i = 0; i < 2000 && !tried; i++) {
		do_request(&r);
		tried = i % 100 == 99 && tried_too_long();
	}
	expect(!tried, "the router has tried them");
	set_mode("offload");
	peer_close(&h);
	close(fd);
	ktap_test("a request that fits no slot is the kernel's, and takes no place");
}

/* One more than there are large slots among 16, at most */
#define FULL_MOST	9

/* So many requests have come to the helper, or found no slot. */
static bool submitted(const struct peer *h, uint64_t nr, uint64_t full_before)
{
	uint64_t sum = of_queues(h, "full") - full_before;

	for (uint32_t q = 0; q < h->at.queues; q++) {
		struct peer_queue queue;

		peer_queue(h, q, &queue);
		sum += __atomic_load_n(&queue.sq->tail, __ATOMIC_ACQUIRE);
	}
	return sum >= nr;
}

/* There are so many slots for payloads of that length. Who finds none is counted. */
static void test_full(const char *mtu, int slots)
{
	int fd = alg_open(ALG_DRIVER), nr = slots + 1;
	struct request r[FULL_MOST];
	pthread_t thread[FULL_MOST];
	cpu_set_t all, one;
	uint64_t full;
	struct peer h;

	expect(fd >= 0 && !alg_key(fd, 0x11), "a key");
	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	set_parameter("stall_ms", "60000");
	set_parameter("mtu", mtu);
	expect(!peer_open(&h, 0, 16), "attaching: %m");
	set_parameter("mtu", "0");
	full = of_queues(&h, "full");
	for (int i = 0; i < nr; i++) {
		r[i] = (struct request){ .fd = fd, .encrypt = true, .len = 4096 };
		expect(of_queues(&h, "full") == full, "full with %d requests", i);
		pthread_create(&thread[i], NULL, do_request, &r[i]);
		for (int ms = 0; ms < 10000 && !submitted(&h, i + 1, full); ms++)
			usleep(1000);
	}
	expect(of_queues(&h, "full") == full + 1, "full: %" PRIu64 " more, not 1",
	       of_queues(&h, "full") - full);
	ioctl(h.fd, WAVECRYPT_IOC_DETACH);
	for (int i = 0; i < nr; i++) {
		pthread_join(thread[i], NULL);
		expect(!r[i].result && !memcmp(r[i].out, r[0].out, sizeof(r[0].out)),
		       "request %d: %s", i, strerror(-r[i].result));
	}
	set_parameter("stall_ms", "0");
	sched_setaffinity(0, sizeof(all), &all);
	peer_close(&h);
	close(fd);
	ktap_test(slots == FULL_MOST - 1 ?
		  "jumbo packets: half of all slots are theirs" :
		  "a request that finds no slot is counted, and done by the kernel");
}

static void test_lies(void)
{
	int fd = alg_open(ALG_DRIVER);

	expect(fd >= 0, "%s", strerror(-fd));
	expect(!alg_key(fd, 0x11), "a key");
	test_lie(fd, true, WAVECRYPT_STATE_BROKEN, "uses a stale generation", lie_gen);
	test_lie(fd, true, WAVECRYPT_STATE_BROKEN, "completes what it does not have", lie_index);
	test_lie(fd, true, WAVECRYPT_STATE_BROKEN, "completes beyond the ring", lie_range);
	test_lie(fd, true, WAVECRYPT_STATE_BROKEN, "makes up a status", lie_status);
	test_lie(fd, true, WAVECRYPT_STATE_BROKEN, "runs ahead", lie_tail);
	test_lie(fd, true, WAVECRYPT_STATE_BROKEN, "runs backwards", lie_back);
	test_lie(fd, false, WAVECRYPT_STATE_LIVE, "calls an authentic packet forged", lie_icv);
	test_wrong_icvs(fd);
	test_lie(fd, true, WAVECRYPT_STATE_LIVE, "cannot do it", admit_retry);
	test_lie(fd, false, WAVECRYPT_STATE_LIVE, "cannot undo it", admit_retry);
	test_lie(fd, true, WAVECRYPT_STATE_DETACHED, "leaves", leave);
	close(fd);
}

/* Only a CPU that has submitted since it was interrupted last is interrupted. */
static void test_quiet(void)
{
	struct request honest = { .encrypt = true, .len = 256 };
	pthread_t thread;
	struct seen s;
	struct peer h;
	uint64_t n;

	honest.fd = alg_open(ALG_DRIVER);
	expect(honest.fd >= 0 && !alg_key(honest.fd, 0x11), "a key");
	opened(&h, 0);
	pthread_create(&thread, NULL, do_request, &honest);
	see(&h, &s, 0);
	admit_retry(&h, &s);
	pthread_join(thread, NULL);
	expect(!honest.result, "%s", strerror(-honest.result));
	n = sleeps(&h, 100, 0);
	expect(!n, "%" PRIu64 " interrupts by polls", n);
	n = sleeps(&h, 100, 1) + sleeps(&h, 20, 1000000);
	expect(n == 1, "%" PRIu64 " interrupts after one submission", n);
	peer_close(&h);
	close(honest.fd);
	ktap_test("going to sleep disturbs CPUs that submitted, once");
}

static void test_keys(void)
{
	/* An authenc key that is right, to be cut and bent. */
	static const uint8_t good[8 + 20 + 16] = { 8, 0, 1, 0, 0, 0, 0, 16 };
	static const struct {
		size_t at;
		uint8_t byte;
	} bends[] = {
		{ 0, 7 }, { 0, 9 }, { 0, 255 }, { 1, 255 }, { 2, 2 }, { 4, 255 },
		{ 7, 15 }, { 7, 17 }, { 7, 0 }, { 7, 200 },
	};
	int ours = alg_open(ALG_DRIVER);
	int generic = alg_open("authenc(hmac(sha1-generic),cbc(aes-generic))");
	uint8_t key[sizeof(good)];

	/* As 7.2 calls it */
	if (generic == -ENOENT)
		generic = alg_open("authenc(hmac-sha1-lib,cbc(aes-lib))");
	expect(ours >= 0 && generic >= 0, "%d %d", ours, generic);
	for (size_t len = 0; len <= sizeof(good); len++)
		expect(alg_setkey(ours, good, len) == alg_setkey(generic, good, len),
		       "%zu bytes: %d, not %d", len, alg_setkey(ours, good, len),
		       alg_setkey(generic, good, len));
	for (size_t i = 0; i < sizeof(bends) / sizeof(*bends); i++) {
		memcpy(key, good, sizeof(key));
		key[bends[i].at] = bends[i].byte;
		expect(alg_setkey(ours, key, sizeof(key)) ==
		       alg_setkey(generic, key, sizeof(key)), "byte %zu is %u: %d, not %d",
		       bends[i].at, bends[i].byte, alg_setkey(ours, key, sizeof(key)),
		       alg_setkey(generic, key, sizeof(key)));
	}
	close(ours);
	close(generic);
	ktap_test("malformed keys: the errors of the generic implementation");
}

/* What attaching comes to, for one who then looks at all keys, of which there is none */
static int attach(uint32_t entries)
{
	struct peer h;
	int err = peer_open(&h, 0, entries);

	if (err)
		return err;
	return zeroes(h.map[WAVECRYPT_REGION_KEYS],
		      h.at.region[WAVECRYPT_REGION_KEYS].size) ? 0 : EEXIST;
}

int main(int argc, char **argv)
{
	struct wavecrypt_attach at;

	/* attach ENTRIES, replace ENTRIES: what that comes to, as exit status */
	if (argc == 3 && !strcmp(argv[1], "attach"))
		return attach(atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "replace"))
		return peer_attach(opened_device(), WAVECRYPT_ATTACH_REPLACE, atoi(argv[2]),
				   &at);
	/* attaching: that call's number, its structure's size and first field */
	if (argc == 2 && !strcmp(argv[1], "attaching")) {
		printf("%lu %zu %u\n", (unsigned long)WAVECRYPT_IOC_ATTACH,
		       sizeof(struct wavecrypt_attach), WAVECRYPT_ABI_VERSION);
		return 0;
	}

	puts("KTAP version 1");
	test_open();
	test_before_attach();
	test_other_release();
	test_attach();
	test_one_helper();
	test_busy();
	test_mmap();
	test_wait();
	test_idle();
	test_bell();
	test_silent();
	test_anew();
	test_fork();
	test_slots("1500", WAVECRYPT_SLOTS_ETHERNET);
	test_slots("9000", WAVECRYPT_SLOTS_JUMBO);
	test_algs();
	test_places();
	test_too_long();
	test_full("1500", 2);
	test_full("9000", FULL_MOST - 1);
	test_lies();
	test_quiet();
	test_keys();
	return ktap_end();
}
