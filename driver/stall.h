/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_STALL_H
#define _WC_STALL_H

#include <linux/hrtimer.h>

#include "clock.h"
#include "pause.h"

struct wc_queue;

/* The clock is read once in so many submissions, a power of two. They go to the helper
 * together, or do not (submit.c): as many as lanes like.
 */
#define WC_STALL_EVERY	16

/**
 * struct wc_stall - how a queue finds out that its helper does not come back
 * @now: wc_stall_clock() when somebody looked last. What is submitted then until
 *	somebody looks again is taken to be as old as that.
 * @on: the timer is running
 * @untried: nothing has come back since it was started
 * @credit: how many requests may be lent
 * @returned: when one came back in time, last
 * @patience: how long the helper may keep a request, by what they took lately
 * @deadline: no request in flight is overdue before that
 * @timer: has the tasklet look
 * @tick: it has expired; set on any CPU
 * @began: when the present stall did
 * @told: it has lasted, and been logged
 * @pause: from a stall on until the helper is tried again
 *
 * Times are in units of wc_stall_clock(), unless they say what else. Belongs to
 * the queue's CPU, as it does.
 */
struct wc_stall {
	u32 now;
	bool on;
	bool untried;
	bool tick;
	bool told;
	u32 credit;
	u32 returned;
	u32 patience;
	u32 deadline;
	u32 began;
	struct wc_pause pause;
	struct hrtimer timer;
};

/* Times in units of wc_stall_clock() */
#define WC_STALL_NS(ns)		((u32)((u64)(ns) >> 10))
#define WC_STALL_MS(ms)		WC_STALL_NS((u64)(ms) * NSEC_PER_MSEC)

/* Units of 1024 ns, of which 32 bits last for an hour. */
static inline u32 wc_stall_clock(void)
{
	return wc_clock() >> 10;
}

/* How long it is since then, in ns */
static inline u64 wc_stall_ago(u32 since)
{
	return (u64)(u32)(wc_stall_clock() - since) << 10;
}

void wc_stall_init(struct wc_queue *q);
void wc_stall_exit(struct wc_queue *q);
void wc_stall_watch(struct wc_queue *q);
void wc_stall_learn(struct wc_queue *q, u32 nr);
bool wc_stall_overdue(struct wc_queue *q);
void wc_stall_begin(struct wc_queue *q);
void wc_stall_check(struct wc_queue *q);
u32 wc_stall_most(void);
u32 wc_stall_patience(const struct wc_queue *q);
u32 wc_stall_patience_ms(const struct wc_queue *q);

#endif /* _WC_STALL_H */
