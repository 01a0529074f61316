// SPDX-License-Identifier: GPL-2.0-only
/*
 * crawl MS: a helper that answers each request, so long after it has seen it, that
 * it could not do it. Ends when it is killed.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"

#define MOST_QUEUES	64

/**
 * struct crawl - one queue
 * @at: where its parts are
 * @seen: requests seen so far
 * @done: of them, answered
 * @when: when each of those between was seen
 */
struct crawl {
	struct peer_queue at;
	uint32_t seen;
	uint32_t done;
	uint64_t *when;
};

static uint64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000ULL + ts.tv_nsec / 1000;
}

static void serve(const struct peer *peer, struct crawl *q, uint32_t id, uint64_t delay_us)
{
	uint32_t mask = peer->at.entries - 1, before = q->done;
	uint64_t now = now_us();

	for (; q->seen != __atomic_load_n(&q->at.sq->tail, __ATOMIC_ACQUIRE); q->seen++)
		q->when[q->seen & mask] = now;
	for (; q->done != q->seen && now - q->when[q->done & mask] >= delay_us; q->done++) {
		uint32_t index = q->at.sq_ring[q->done & mask];

		q->at.cq_ring[q->done & mask] = (struct wavecrypt_cqe) {
			q->at.desc[index].gen, index, WAVECRYPT_STATUS_RETRY,
		};
	}
	if (q->done == before)
		return;
	__atomic_store_n(&q->at.cq->tail, q->done, __ATOMIC_RELEASE);
	ioctl(peer->fd, WAVECRYPT_IOC_BELL, id);
}

int main(int argc, char **argv)
{
	struct crawl queue[MOST_QUEUES] = { 0 };
	struct peer peer;
	int error;

	if (argc != 2)
		errx(2, "usage: crawl MS");
	error = peer_open(&peer, 0, 0);
	if (error || peer.at.queues > MOST_QUEUES)
		errx(2, "attaching: error %d", error);
	for (uint32_t i = 0; i < peer.at.queues; i++) {
		peer_queue(&peer, i, &queue[i].at);
		queue[i].when = calloc(peer.at.entries, sizeof(*queue[i].when));
		if (!queue[i].when)
			err(2, "memory");
	}
	for (;; usleep(100))
		for (uint32_t i = 0; i < peer.at.queues; i++)
			serve(&peer, &queue[i], i, 1000 * strtoull(argv[1], NULL, 0));
}
