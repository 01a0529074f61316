/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What sorting is worth to the kernel: the daemon's own scheduler makes a chunk,
 * more of its parts switched on step by step.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef BENCH_SCHEDULE_H
#define BENCH_SCHEDULE_H

#include "batch.h"
#include "sched/bins.h"

/** SCHEDULE_CHUNK - packets of a chunk */
#define SCHEDULE_CHUNK	4096

/**
 * struct traffic - what arrives
 * @six: six combinations of algorithm, direction and key size, or only one
 * @imix: IMIX, or random lengths from 64 to 1408
 */
struct traffic {
	bool six;
	bool imix;
};

/**
 * schedule_calibrate() - how long one group of each kind takes
 *
 * Returns NULL or an error.
 */
const char *schedule_calibrate(struct batch *batch);

/**
 * schedule_measure() - what a chunk takes
 * @batch: to run it
 * @traffic: what it is made of
 * @config: how it is sorted
 * @bytes: out: of payload in the chunk
 * @groups: out: work-groups
 * @us: out: time of the kernel
 *
 * Returns NULL or an error, of which wrong results are one.
 */
const char *schedule_measure(struct batch *batch, const struct traffic *traffic,
			     const struct sched_config *config, uint64_t *bytes,
			     unsigned int *groups, double *us);

#endif
