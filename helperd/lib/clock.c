// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "lib/clock.h"

/* Ticks per nanosecond. 1 until measured, and where the tick is 1 ns. */
static double ticks_per_ns = 1.0;

void clock_setup(void)
{
	uint64_t ns = clock_ns(), ticks = clock_ticks(), elapsed;

	do {
		elapsed = clock_ns() - ns;
	} while (elapsed < 2000 * NSEC_PER_USEC);
	ticks_per_ns = (double)(clock_ticks() - ticks) / elapsed;
}

uint64_t clock_ticks_of(uint64_t ns)
{
	return ns * ticks_per_ns;
}

uint64_t clock_ns_of(uint64_t ticks)
{
	return ticks / ticks_per_ns;
}
