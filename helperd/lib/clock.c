// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "lib/clock.h"

/* Ticks per nanosecond. 1 until measured, and where the tick is 1 ns. */
static double ticks_per_ns = 1.0;

/* Both clocks are read so often, and the time between the two readings that were
 * closest together is that of no interruption.
 */
#define SAMPLES		16

/**
 * struct sample - both clocks at the same time
 * @ns: the one
 * @ticks: the other
 */
struct sample {
	uint64_t ns;
	uint64_t ticks;
};

static struct sample sample(void)
{
	uint64_t closest = UINT64_MAX;
	struct sample best = { 0 };

	for (int i = 0; i < SAMPLES; i++) {
		uint64_t before = clock_ticks(), ns = clock_ns();
		uint64_t apart = clock_ticks() - before;

		if (apart >= closest)
			continue;
		closest = apart;
		best.ns = ns;
		best.ticks = before + apart / 2;
	}
	return best;
}

void clock_setup(void)
{
	struct sample first = sample(), last;

	while (clock_ns() - first.ns < 2 * NSEC_PER_MSEC)
		;
	last = sample();
	ticks_per_ns = (double)(last.ticks - first.ticks) /
		       (last.ns - first.ns);
}

uint64_t clock_ticks_of(uint64_t ns)
{
	return ns * ticks_per_ns;
}

uint64_t clock_ns_of(uint64_t ticks)
{
	return ticks / ticks_per_ns;
}
