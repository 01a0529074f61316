/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An OpenCL device with memory of its own, as an engine of the kernels' tests.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef BENCH_DEVICE_H
#define BENCH_DEVICE_H

#include <stdbool.h>

#include "engine.h"

/** bench_table_source - table.cl, as one string */
extern const char bench_table_source[];

/**
 * device_find() - choose a device
 * @wanted: what its name must contain, its number among the GPUs (from 0), or NULL
 *	for the first GPU, or if there is none the first device at all
 *
 * Returns NULL or an error. The same for those below.
 */
const char *device_find(const char *wanted);

/** device_name(), device_driver() - what it calls itself */
const char *device_name(void);
const char *device_driver(void);

/** device_is_wide() - does it want the wide shape? */
bool device_is_wide(void);

/**
 * device_start() - build a kernel for the device
 * @engine: which then runs it: copies all there, runs, copies back
 * @source: of the kernel
 * @kernel: its name
 * @shape: what it is to be built for
 * @more: options for its compiler, besides the shape's
 * @build_s: out: seconds that took
 */
const char *device_start(struct engine *engine, const char *source, const char *kernel,
			 const struct wavecrypt_gpu_shape *shape, const char *more,
			 double *build_s);

/**
 * device_time() - how long the kernel takes, over what run() last copied there
 * @nr: groups
 * @equal: with the same payload, IV and key for all packets, instead
 * @times: of so many launches, after two more
 * @us: out: the median, in microseconds, as the device reports it
 */
const char *device_time(struct engine *engine, unsigned int nr, bool equal,
			unsigned int times, double *us);

/**
 * device_copies() - how fast the copy engines move pinned memory, both ways at once
 * @size: bytes of a copy
 * @queues: so many of them, in each of which a copy there and one back take turns
 * @gbit: out: Gbit/s each way
 *
 * The device has to be open.
 */
const char *device_copies(size_t size, unsigned int queues, double *gbit);

#endif
