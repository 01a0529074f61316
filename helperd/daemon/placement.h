/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many workers, which queues each serves, and where it runs.
 *
 * A packet costs a third less when the CPU that submits it and the one that
 * works on it share a last-level cache, so queues are grouped by the L3 of the
 * CPU that they belong to, and a worker stays in its group's, and on its NUMA node,
 * where the queue's memory is. A CPU that is offline has a queue as well, but sends nothing,
 * and sysfs does not say what it shares: it counts for nothing.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_PLACEMENT_H
#define WAVECRYPT_DAEMON_PLACEMENT_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct place - one worker's
 * @cpus: where it may run
 * @group: those with the same number may serve each other's queues
 * @seat: which of these it is
 * @nr_queues: how many queues it serves, to begin with
 * @queues: which
 */
struct place {
	cpu_set_t cpus;
	uint32_t group;
	uint32_t seat;
	uint32_t nr_queues;
	uint32_t *queues;
};

/**
 * struct placement - everybody's
 * @nr: number of workers
 * @nr_groups: number of groups
 * @place: each one's
 */
struct placement {
	uint32_t nr;
	uint32_t nr_groups;
	struct place *place;
};

/**
 * struct placement_wish - what is asked for
 * @queue_cpus: CPU of each queue
 * @nr_queues: number of queues
 * @online: CPUs that are online; NULL: all are
 * @workers: number of workers, or 0 to choose
 * @queues_per_worker: if so, for how many queues there is to be one
 * @cpus: where workers may run; none: anywhere
 * @sysfs: usually "/sys"
 */
struct placement_wish {
	const uint32_t *queue_cpus;
	uint32_t nr_queues;
	const cpu_set_t *online;
	uint32_t workers;
	uint32_t queues_per_worker;
	const cpu_set_t *cpus;
	const char *sysfs;
};

/**
 * placement_make - decide
 * @wish: what is asked for
 * @out: the decision; free with placement_free()
 *
 * There are never more workers than queues of CPUs that are online or than CPUs to run them
 * on, and each serves at least one of these; every queue is served by exactly one.
 *
 * With CPUs named, worker i is pinned to the i-th of them alone. Otherwise a
 * worker may run on every CPU of its group.
 *
 * Return: false without memory.
 */
bool placement_make(const struct placement_wish *wish, struct placement *out);

/** placement_free - free a decision */
void placement_free(struct placement *p);

#endif
