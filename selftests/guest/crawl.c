// SPDX-License-Identifier: GPL-2.0-only
/*
 * crawl MS: a helper that answers each request, so long after it has seen it, that
 * it could not do it. Ends when it is killed.
 *
 * crawl MS keep: one that answers at once, and that it has, which is not true. But of
 * each SA it keeps one, for so long, and then the next.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"

#define MOST_QUEUES	64
#define MOST_SAS	16

/**
 * struct kept - a request that has to wait
 * @index: its index
 * @since: when it was seen, or 0 if there is none
 */
struct kept {
	uint32_t index;
	uint64_t since;
};

/**
 * struct crawl - one queue
 * @at: where its parts are
 * @entries: of its rings
 * @seen: requests seen so far
 * @taken: of them, looked at again to be answered
 * @done: answers so far
 * @when: when each that was not taken was seen
 * @kept: what is kept of each SA's
 */
struct crawl {
	struct peer_queue at;
	uint32_t entries;
	uint32_t seen;
	uint32_t taken;
	uint32_t done;
	uint64_t *when;
	struct kept kept[MOST_SAS];
};

static uint64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000ULL + ts.tv_nsec / 1000;
}

static void answer(struct crawl *q, uint32_t index, uint16_t status)
{
	q->at.cq_ring[q->done++ & (q->entries - 1)] = (struct wavecrypt_cqe) {
		q->at.desc[index].gen, index, status,
	};
}

/* Whether there is something to take, that was seen so long ago */
static bool take(struct crawl *q, uint64_t now, uint64_t delay_us, uint32_t *index)
{
	uint32_t pos = q->taken & (q->entries - 1);

	if (q->taken == q->seen || now - q->when[pos] < delay_us)
		return false;
	q->taken++;
	*index = q->at.sq_ring[pos];
	return true;
}

static void serve_late(struct crawl *q, uint64_t now, uint64_t delay_us)
{
	uint32_t index;

	while (take(q, now, delay_us, &index))
		answer(q, index, WAVECRYPT_STATUS_RETRY);
}

static void serve_keeping(struct crawl *q, uint64_t now, uint64_t delay_us)
{
	uint32_t index;

	for (struct kept *kept = q->kept; kept < q->kept + MOST_SAS; kept++) {
		if (!kept->since || now - kept->since < delay_us)
			continue;
		answer(q, kept->index, WAVECRYPT_STATUS_OK);
		kept->since = 0;
	}
	while (take(q, now, 0, &index)) {
		struct kept *kept = &q->kept[q->at.desc[index].key % MOST_SAS];

		if (kept->since)
			answer(q, index, WAVECRYPT_STATUS_OK);
		else
			*kept = (struct kept) { index, now };
	}
}

static void serve(const struct peer *peer, struct crawl *q, uint32_t id, uint64_t delay_us,
		  bool keep)
{
	uint32_t before = q->done;
	uint64_t now = now_us();

	for (; q->seen != __atomic_load_n(&q->at.sq->tail, __ATOMIC_ACQUIRE); q->seen++)
		q->when[q->seen & (q->entries - 1)] = now;
	if (keep)
		serve_keeping(q, now, delay_us);
	else
		serve_late(q, now, delay_us);
	if (q->done == before)
		return;
	__atomic_store_n(&q->at.cq->tail, q->done, __ATOMIC_RELEASE);
	ioctl(peer->fd, WAVECRYPT_IOC_BELL, id);
}

int main(int argc, char **argv)
{
	struct crawl queue[MOST_QUEUES] = { 0 };
	bool keep = argc == 3 && !strcmp(argv[2], "keep");
	struct peer peer;
	int error;

	if (argc != 2 + keep)
		errx(2, "usage: crawl MS [keep]");
	error = peer_open(&peer, 0, 0);
	if (error || peer.at.queues > MOST_QUEUES)
		errx(2, "attaching: error %d", error);
	for (uint32_t i = 0; i < peer.at.queues; i++) {
		struct crawl *q = &queue[i];

		peer_queue(&peer, i, &q->at);
		q->entries = peer.at.entries;
		q->when = calloc(q->entries, sizeof(*q->when));
		if (!q->when)
			err(2, "memory");
	}
	for (;; usleep(100))
		for (uint32_t i = 0; i < peer.at.queues; i++)
			serve(&peer, &queue[i], i, 1000 * strtod(argv[1], NULL), keep);
}
