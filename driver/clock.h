/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Time, in nanoseconds, from the same CPU's point of view.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_CLOCK_H
#define _WC_CLOCK_H

#include <linux/types.h>

#ifdef CONFIG_UML
/* User-Mode Linux's local_clock() moves once a tick. */
void wc_clock_init(void);
u64 wc_clock(void);
#else
#include <linux/sched/clock.h>

static inline void wc_clock_init(void)
{
}

static inline u64 wc_clock(void)
{
	return local_clock();
}
#endif

#endif /* _WC_CLOCK_H */
