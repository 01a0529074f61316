/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A worker: a thread that serves some queues, alone.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_WORKER_WORKER_H
#define WAVECRYPT_WORKER_WORKER_H

#include <sched.h>
#include <stdint.h>

#include "backends/backend.h"
#include "channel/alg.h"
#include "channel/channel.h"
#include "sched/bins.h"

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
 * @device_failed: of these, chunks that it gave back undone
 * @bells: bells rung
 * @sleeps: times it went to sleep
 * @wakeups: times it was woken by work, not by the clock
 * @moves: times it stepped aside to another CPU
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
	uint64_t device_failed;
	uint64_t bells;
	uint64_t sleeps;
	uint64_t wakeups;
	uint64_t moves;
	uint64_t turns;
	uint64_t busy_ticks;
};

/**
 * enum worker_end - why a worker stopped
 * @WORKER_RUNNING: it has not
 * @WORKER_STOPPED: it was asked to
 * @WORKER_BROKEN: the module says that we broke a rule, or it broke one
 * @WORKER_HUNG: the device did, and packets are with it that it may still write
 *	to: the channel has to be given up
 * @WORKER_DETACHED: another helper took over, or the module goes
 * @WORKER_FAILED: an error of this machine; a message was logged
 */
enum worker_end {
	WORKER_RUNNING,
	WORKER_STOPPED,
	WORKER_BROKEN,
	WORKER_HUNG,
	WORKER_DETACHED,
	WORKER_FAILED,
};

/**
 * struct worker_config - how a worker is to work
 * @ch: channel
 * @lanes: what works in the worker's own time, and can do every packet
 * @device: what works beside it, or NULL
 * @sched: how packets are sorted
 * @balance: share the packets between the two by what they cost; otherwise the
 *	device does all that it can
 * @retry_ns: wait before a device that failed is tried again
 * @cpus: CPUs that it may run on
 * @queues: numbers of the queues that it serves
 * @nr_queues: how many
 * @spin_ns: how long to poll when nothing comes before sleeping
 * @batch_max: most packets in a chunk for the lanes, up to %CHUNK_MAX
 * @patience_ns: see &bell.max_patience
 * @again_ns: see &bell.again
 * @lead: of several workers, the one to log what all of them see
 * @end_fd: an eventfd to signal when it ends, or -1
 */
struct worker_config {
	struct channel *ch;
	struct device *lanes;
	struct device *device;
	struct sched_config sched;
	bool balance;
	uint64_t retry_ns;
	cpu_set_t cpus;
	uint32_t *queues;
	uint32_t nr_queues;
	uint64_t spin_ns;
	uint32_t batch_max;
	uint64_t patience_ns;
	uint64_t again_ns;
	bool lead;
	int end_fd;
};

struct worker;

/**
 * worker_start - start a worker
 * @config: how; copied, but for what it points to
 *
 * Return: the worker, or NULL with a message logged.
 */
struct worker *worker_start(const struct worker_config *config);

/**
 * worker_stop - have it finish what it took, publish that, and end
 *
 * Returns when it has.
 */
void worker_stop(struct worker *w);

/** worker_end - has it stopped, and why? */
enum worker_end worker_end(const struct worker *w);

/** worker_asleep - is it waiting for work? */
bool worker_asleep(const struct worker *w);

/** worker_stats_get - a consistent enough copy of its counters */
void worker_stats_get(const struct worker *w, struct worker_stats *out);

/** worker_config_of - what it was started with */
const struct worker_config *worker_config_of(const struct worker *w);

/** worker_free - free a worker that was stopped */
void worker_free(struct worker *w);

#endif
