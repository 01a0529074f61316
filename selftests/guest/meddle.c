// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads that do to a channel what no helper would: they write where it is not
 * their turn, ring, call with random arguments, and map and unmap all the time.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "hostile.h"
#include "random.h"

struct meddler {
	struct peer *peer;
	uint64_t seed;
};

static void rest(uint64_t *seed)
{
	usleep(random_below(seed, 2000));
}

/* Completions change while the module reads them. None says "done". */
static void *rewrite_entries(void *arg)
{
	struct meddler *m = arg;
	struct peer_queue q;

	for (;; rest(&m->seed)) {
		peer_queue(m->peer, random_below(&m->seed, m->peer->at.queues), &q);
		for (int i = 0; i < 300; i++) {
			uint64_t bits = random_next(&m->seed);
			struct wavecrypt_cqe *cqe =
				&q.cq_ring[bits >> 48 & (m->peer->at.entries - 1)];

			__atomic_store_n(&cqe->gen, bits >> 40, __ATOMIC_RELAXED);
			__atomic_store_n(&cqe->index, bits & 511, __ATOMIC_RELAXED);
		}
		count(&tally->rewritten, 300);
	}
	return NULL;
}

/* Slots change while the module fills, reads and wipes them. */
static void *rewrite_slots(void *arg)
{
	struct meddler *m = arg;
	uint64_t size = m->peer->at.region[WAVECRYPT_REGION_SLOTS].size;

	for (;; rest(&m->seed)) {
		for (int i = 0; i < 300; i++)
			m->peer->map[WAVECRYPT_REGION_SLOTS][random_below(&m->seed, size)] = i;
		count(&tally->rewritten, 300);
	}
	return NULL;
}

static void *ring(void *arg)
{
	struct meddler *m = arg;

	for (;; rest(&m->seed)) {
		for (int i = 0; i < 100; i++)
			ioctl(m->peer->fd, WAVECRYPT_IOC_BELL,
			      random_below(&m->seed, m->peer->at.queues));
		count(&tally->bells, 100);
	}
	return NULL;
}

/* An address that is good, or bad in some way */
static void *somewhere(uint64_t *seed, void *good)
{
	switch (random_below(seed, 8)) {
	case 0:	return NULL;
	case 1:	return (void *)(uintptr_t)random_next(seed);
	case 2:	return (void *)(uintptr_t)(random_next(seed) | 0xffff800000000000);
	default: return good;
	}
}

static void call(struct peer *peer, int fd, uint64_t *seed)
{
	static const uint32_t entries[] = { 0, 0, 16, 512, 4096, 17, 8192, 1u << 31 };
	struct wavecrypt_seen seen[4];
	struct wavecrypt_wait wait;
	struct wavecrypt_attach at;

	random_fill(seed, seen, sizeof(seen));
	switch (random_below(seed, 16)) {
	case 0 ... 2:
		random_fill(seed, &at, sizeof(at));
		if (random_below(seed, 8)) {
			at.abi = WAVECRYPT_ABI_VERSION;
			at.flags = 0;
			memset(at.reserved, 0, sizeof(at.reserved));
			at.entries = entries[random_below(seed, 8)];
		}
		ioctl(fd, WAVECRYPT_IOC_ATTACH, somewhere(seed, &at));
		break;
	case 3 ... 8:
		for (int i = 0; i < 4; i++)
			seen[i].queue = random_below(seed, peer->at.queues + 1);
		wait.seen = (uintptr_t)somewhere(seed, seen);
		wait.nr = random_below(seed, 4);
		wait.key_epoch = random_below(seed, 3);
		wait.timeout_ns = random_below(seed, 3000000);
		ioctl(fd, WAVECRYPT_IOC_WAIT, somewhere(seed, &wait));
		break;
	case 9 ... 10:
		ioctl(fd, WAVECRYPT_IOC_BELL, random_next(seed));
		break;
	case 11:
		if (fd != peer->fd || !random_below(seed, 50))
			ioctl(fd, WAVECRYPT_IOC_DETACH);
		break;
	default:
		ioctl(fd, random_below(seed, 2) ? random_next(seed) :
		      _IOC(random_below(seed, 4), 'w', random_below(seed, 8),
			   random_below(seed, 256)), somewhere(seed, &at));
		break;
	}
	count(&tally->calls, 1);
}

static void *calls(void *arg)
{
	struct meddler *m = arg;

	for (;; rest(&m->seed)) {
		int fresh = peer_device();

		for (int i = 0; i < 20; i++)
			call(m->peer, random_below(&m->seed, 2) ? m->peer->fd : fresh,
			     &m->seed);
		close(fresh);
	}
	return NULL;
}

/* Pages that a pipe holds outlive their mapping, as those that a GPU has pinned. */
static void pin(int pipe, void *map)
{
	struct iovec iov = { map, 4096 };

	vmsplice(pipe, &iov, 1, SPLICE_F_NONBLOCK | SPLICE_F_GIFT);
}

static void *maps(void *arg)
{
	static const int advices[] = {
		MADV_DONTNEED, MADV_FREE, MADV_REMOVE, MADV_PAGEOUT, MADV_DOFORK,
		MADV_DODUMP, MADV_HUGEPAGE, MADV_MERGEABLE, MADV_POPULATE_WRITE,
	};
	struct meddler *m = arg;
	int pipes[2];

	if (pipe2(pipes, O_CLOEXEC))
		return NULL;
	for (;; rest(&m->seed)) {
		int region = random_below(&m->seed, WAVECRYPT_REGIONS);
		const struct wavecrypt_region *r = &m->peer->at.region[region];
		uint64_t skip = random_below(&m->seed, r->size) & ~4095ull;
		uint64_t len = 4096 + (random_below(&m->seed, r->size) & ~4095ull);
		uint8_t *map = mmap(NULL, len, random_below(&m->seed, 8),
				    random_below(&m->seed, 4) ? MAP_SHARED : MAP_PRIVATE,
				    m->peer->fd, random_below(&m->seed, 8) ?
				    r->offset + skip : random_next(&m->seed) & ~4095ull);

		count(&tally->maps, 1);
		if (map == MAP_FAILED)
			continue;
		madvise(map, len, advices[random_below(&m->seed, 9)]);
		mprotect(map, 4096, random_below(&m->seed, 8));
		pin(pipes[1], map);
		if (random_below(&m->seed, 2))
			munmap(map, 4096);
		else
			map = mremap(map, len, 2 * len, MREMAP_MAYMOVE) ?: map;
		munmap(map, len);
	}
	return NULL;
}

/**
 * meddle - start some of these threads, which go on until the process ends
 * @peer: the helper's end
 * @seed: which ones, and what they do
 */
void meddle(struct peer *peer, uint64_t seed)
{
	static void *(*const ways[])(void *) = {
		rewrite_entries, rewrite_slots, ring, calls, maps,
	};
	pthread_t thread;

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		struct meddler *m;

		if (random_below(&seed, 3))
			continue;
		/* It is the thread's, and goes with it. */
		m = malloc(sizeof(*m));
		if (!m)
			return;
		m->peer = peer;
		m->seed = random_next(&seed);
		pthread_create(&thread, NULL, ways[i], m);
	}
}
