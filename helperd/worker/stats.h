/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a worker counts.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_WORKER_STATS_H
#define WAVECRYPT_WORKER_STATS_H

#include <stdint.h>

#include "channel/alg.h"

/** WORKER_SIZES - chunk sizes that are counted apart: 1, 2, 3-4, ... 65-128 */
#define WORKER_SIZES	8

/** WORKER_LENGTHS - ranges of payloads: up to 128 bytes, 256, ...; the rest */
#define WORKER_LENGTHS	8

/** WORKER_LENGTH_FIRST - the first ends at this power of two */
#define WORKER_LENGTH_FIRST	7

/** WORKER_TIMES - ranges of durations: up to 1024 ns, 2048, ...; the rest */
#define WORKER_TIMES	16

/** WORKER_TIME_FIRST - the first ends at this power of two */
#define WORKER_TIME_FIRST	10

/**
 * struct worker_stats - what a worker has done; written by it alone
 * @packets: packets completed
 * @bytes: their payload
 * @retries: packets given back undone
 * @chunks: chunks that the lanes did
 * @sizes: how many of them had up to 1, 2, 4, ... packets
 * @bins: packets by kind and range of the longest one in their part of a chunk
 * @times: how many turns with work took up to so long, from finding packets to
 *	publishing results
 * @device_packets: of @packets, those that the device did
 * @device_bytes: their payload
 * @device_chunks: chunks that the device was given
 * @device_returned: of these, chunks that came back
 * @device_failed: of these, chunks that it gave back undone
 * @device_runs: of those that were done, runs of neighbouring slots that were copied
 *	to a device with memory of its own as they are
 * @device_packed: likewise, packets that were collected for it one by one
 * @bells: bells rung
 * @sleeps: times it went to sleep
 * @wakeups: times it was woken by work, not by the clock
 * @moves: times it stepped aside to another CPU
 * @given: queues that it gave to others
 * @turns: turns of its loop
 * @busy_ticks: time spent on packets, see clock_ns_of()
 */
struct worker_stats {
	uint64_t packets;
	uint64_t bytes;
	uint64_t retries;
	uint64_t chunks;
	uint64_t sizes[WORKER_SIZES];
	uint64_t bins[ALG_KINDS][WORKER_LENGTHS];
	uint64_t times[WORKER_TIMES];
	uint64_t device_packets;
	uint64_t device_bytes;
	uint64_t device_chunks;
	uint64_t device_returned;
	uint64_t device_failed;
	uint64_t device_runs;
	uint64_t device_packed;
	uint64_t bells;
	uint64_t sleeps;
	uint64_t wakeups;
	uint64_t moves;
	uint64_t given;
	uint64_t turns;
	uint64_t busy_ticks;
};

#endif
