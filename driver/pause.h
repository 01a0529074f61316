/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pauses that grow while what they are for keeps happening.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_PAUSE_H
#define _WC_PAUSE_H

#include <linux/time64.h>
#include <linux/types.h>

/* What happens later than so many pauses after one has nothing to do with it. */
#define WC_PAUSE_FORGOTTEN	8

/* If the helper is of use, and the last pause longer ago than this (ns), the next one is
 * half as long: its machine may keep it from running now and then.
 */
#define WC_PAUSE_WORTH		(100 * NSEC_PER_MSEC)

/**
 * struct wc_pause - the last one
 * @power: how often it was doubled
 * @until: its end, in wc_clock() ns
 */
struct wc_pause {
	u8 power;
	u64 until;
};

/**
 * wc_pause_begin - it has happened: once more, or for once
 * @pause: the last one, which this one replaces
 * @now: wc_clock()
 * @first: length of the first one in ns
 * @most: how often that is doubled, at most
 * @use: what it is for was of use since the last one
 */
static inline void wc_pause_begin(struct wc_pause *pause, u64 now, u64 first,
				  u8 most, bool use)
{
	if (now > pause->until + WC_PAUSE_FORGOTTEN * (first << pause->power))
		pause->power = 0;
	else if (use && now > pause->until + WC_PAUSE_WORTH)
		pause->power -= !!pause->power;
	else if (pause->power < most)
		pause->power++;
	pause->until = now + (first << pause->power);
}

#endif /* _WC_PAUSE_H */
