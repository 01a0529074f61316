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
#include "channel/channel.h"
#include "sched/bins.h"
#include "worker/stats.h"

/**
 * enum worker_end - why a worker stopped
 * @WORKER_RUNNING: it has not
 * @WORKER_STOPPED: it was asked to
 * @WORKER_BROKEN: the module says that we broke a rule, or it broke one
 * @WORKER_HUNG: the device did, and packets are with it that it may still write
 *	to: the channel has to be given up
 * @WORKER_DETACHED: another helper took over
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
 * @crew: workers that share queues, or NULL: it keeps its own
 * @seat: which member of the crew it is to be
 * @queues: numbers of the queues that it serves, to begin with
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
	struct crew *crew;
	uint32_t seat;
	uint32_t *queues;
	uint32_t nr_queues;
	uint64_t spin_ns;
	uint32_t batch_max;
	uint64_t patience_ns;
	uint64_t again_ns;
	bool lead;
	int end_fd;
};

struct crew;
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
 * Returns when it has: what a device holds of it comes back within its time limit, or
 * the device hung. A driver that does not return from a call has no limit: a daemon
 * that is asked to end meanwhile does, by leave_watch().
 */
void worker_stop(struct worker *w);

/** worker_end - has it stopped, and why? */
enum worker_end worker_end(const struct worker *w);

/** worker_asleep - is it waiting for work? */
bool worker_asleep(const struct worker *w);

/** worker_stats_get - a consistent enough copy of its counters */
void worker_stats_get(const struct worker *w, struct worker_stats *out);

/**
 * worker_queues - the queues that it has now
 * @w: the worker
 * @ids: where to put their numbers, with room for all of its crew's
 *
 * Return: how many.
 */
uint32_t worker_queues(const struct worker *w, uint32_t *ids);

/** worker_crew_queues - how many queues its crew has */
uint32_t worker_crew_queues(const struct worker *w);

/** worker_config_of - what it was started with */
const struct worker_config *worker_config_of(const struct worker *w);

/** worker_free - free a worker that was stopped */
void worker_free(struct worker *w);

#endif
