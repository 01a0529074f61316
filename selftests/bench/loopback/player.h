/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that plays the kernel on some queues: submits packets, takes what
 * comes back, checks it, and notes how long it took.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BENCH_PLAYER_H
#define WAVECRYPT_BENCH_PLAYER_H

#include "histogram.h"
#include "traffic.h"

/** PLAYER_CANARY - bytes behind a packet that PLAYER_CHECK looks at, too */
#define PLAYER_CANARY	8

/**
 * enum player_data - what is done with a packet's bytes
 * @PLAYER_CHECK: copied in, and compared with libcrypto's result
 * @PLAYER_COPY: copied in and out, as the module does
 * @PLAYER_NONE: nothing; whatever the slot holds is worked on again
 */
enum player_data {
	PLAYER_CHECK,
	PLAYER_COPY,
	PLAYER_NONE,
};

/** player_room - what a slot has room for besides the payload; the ICV fills its tail */
static inline uint32_t player_room(enum player_data data)
{
	return data == PLAYER_CHECK ? PLAYER_CANARY : 0;
}

/**
 * struct player_config - how to play
 * @lb: channel
 * @traffic: packets
 * @first: first queue
 * @step: distance to the next one, until there are no more
 * @cpu: CPU to run on, or -1
 * @data: what is done with a packet's bytes
 * @depth: most packets in flight on a queue
 * @rate: packets a second for each queue, arriving at random (Poisson);
 *	0: as fast as they are completed
 * @burst: packets that arrive together
 * @batch: completions taken, or packets submitted, before the other is looked
 *	at
 * @seed: for what is random
 */
struct player_config {
	struct loopback *lb;
	const struct traffic *traffic;
	uint32_t first;
	uint32_t step;
	int cpu;
	enum player_data data;
	uint32_t depth;
	double rate;
	uint32_t burst;
	uint32_t batch;
	uint64_t seed;
};

/**
 * struct player_stats - what came of it
 * @packets: packets that came back
 * @bytes: their payload
 * @retries: of these, given back undone
 * @wrong: of these, that are not what they have to be
 */
struct player_stats {
	uint64_t packets;
	uint64_t bytes;
	uint64_t retries;
	uint64_t wrong;
};

struct player;

/** player_start - start playing; NULL: no memory, no thread */
struct player *player_start(const struct player_config *config);

/** player_measure - note latencies from now on, or no longer */
void player_measure(struct player *p, bool on);

/** player_stats - what came back until now */
void player_stats(const struct player *p, struct player_stats *out);

/** player_cpu_ns - CPU time that it has used */
uint64_t player_cpu_ns(const struct player *p);

/**
 * player_stop - submit no more, wait for everything in flight, and end
 *
 * Return: NULL, or what went wrong: packets were lost, or the other end lied.
 */
const char *player_stop(struct player *p);

/** player_latency - what was noted, in ticks; valid when it was stopped */
const struct histogram *player_latency(const struct player *p);

/** player_free - free one that was stopped */
void player_free(struct player *p);

#endif
