/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs here measure with: on one CPU, in rounds.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef BENCH_HELPER_SAMPLE_H
#define BENCH_HELPER_SAMPLE_H

#include <err.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

/** sample_pin - have the calling thread stay on a CPU, or end the program */
static inline void sample_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "CPU %d", cpu);
}

static inline int sample_by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/** sample_median - of @nr values, which are sorted by that */
static inline double sample_median(double *values, uint32_t nr)
{
	qsort(values, nr, sizeof(values[0]), sample_by_value);
	return values[nr / 2];
}

#endif
