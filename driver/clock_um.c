// SPDX-License-Identifier: GPL-2.0-only
/*
 * A clock for User-Mode Linux, whose own is too coarse and too slow to time
 * single requests: the time-stamp counter, scaled.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/ktime.h>
#include <linux/math64.h>

#include "clock.h"

#define WC_CLOCK_SHIFT	22

static u64 wc_clock_mult;

static u64 wc_clock_ticks(void)
{
	u32 low, high;

	asm volatile("rdtsc" : "=a" (low), "=d" (high));
	return (u64)high << 32 | low;
}

/** wc_clock_init - find out how long a tick is; takes two milliseconds */
void wc_clock_init(void)
{
	u64 ticks = wc_clock_ticks();
	ktime_t start = ktime_get();
	s64 ns;

	do {
		ns = ktime_to_ns(ktime_sub(ktime_get(), start));
	} while (ns < 2 * NSEC_PER_MSEC);
	ticks = wc_clock_ticks() - ticks;
	wc_clock_mult = div64_u64((u64)ns << WC_CLOCK_SHIFT, ticks ?: 1);
}

/** wc_clock - nanoseconds since whenever */
u64 wc_clock(void)
{
	return mul_u64_u64_shr(wc_clock_ticks(), wc_clock_mult, WC_CLOCK_SHIFT);
}
