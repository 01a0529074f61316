// SPDX-License-Identifier: GPL-2.0-only
/*
 * A clock for User-Mode Linux, whose own is too coarse and too slow to time
 * single requests: the time-stamp counter, scaled.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/processor.h>

#include "clock.h"

#define WC_CLOCK_SHIFT	22

static u64 wc_clock_mult;

static u64 wc_clock_ticks(void)
{
	u32 low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high));
	return (u64)high << 32 | low;
}

/* Both clocks are read so often; the host may interrupt in between. */
#define WC_CLOCK_SAMPLES	16

/* Both clocks at the same time: the two readings that were closest together */
static s64 wc_clock_sample(u64 *ticks)
{
	u64 closest = U64_MAX;
	s64 best = 0;
	int i;

	for (i = 0; i < WC_CLOCK_SAMPLES; i++) {
		u64 before = wc_clock_ticks();
		s64 ns = ktime_get_ns();
		u64 apart = wc_clock_ticks() - before;

		if (apart >= closest)
			continue;
		closest = apart;
		*ticks = before + apart / 2;
		best = ns;
	}
	return best;
}

/** wc_clock_init - find out how long a tick is; takes two milliseconds */
void wc_clock_init(void)
{
	u64 first = 0, last = 0;
	s64 start = wc_clock_sample(&first), ns;

	while (ktime_get_ns() - start < 2 * NSEC_PER_MSEC)
		cpu_relax();
	ns = wc_clock_sample(&last) - start;
	wc_clock_mult = div64_u64((u64)ns << WC_CLOCK_SHIFT,
				  (last - first) ?: 1);
}

/** wc_clock - nanoseconds since whenever */
u64 wc_clock(void)
{
	return mul_u64_u64_shr(wc_clock_ticks(), wc_clock_mult, WC_CLOCK_SHIFT);
}
