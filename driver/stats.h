/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_STATS_H
#define _WC_STATS_H

#include <linux/percpu.h>

#include "uapi/wavecrypt.h"

struct device;

/**
 * struct wc_alg_stats - what became of the requests of one algorithm and
 *	direction. Every request is counted in exactly one of @requests_inline,
 *	@requests_offloaded, @redone and @rechecked.
 * @requests_inline: done by the kernel in the first place
 * @bytes_inline: their payload
 * @requests_offloaded: done by the helper
 * @bytes_offloaded: their payload
 * @redone: given to the helper, done by the kernel: the helper went away,
 *	stalled, broke a rule, or said that it could not
 * @rechecked: the helper's ICV did not match, so the kernel judged
 * @icv_failures: those, of whatever way, that ended with -EBADMSG
 */
struct wc_alg_stats {
	u64 requests_inline;
	u64 bytes_inline;
	u64 requests_offloaded;
	u64 bytes_offloaded;
	u64 redone;
	u64 rechecked;
	u64 icv_failures;
};

/**
 * struct wc_queue_stats - what one CPU's queue has seen
 * @batches: times that completions were taken, of one or more requests
 * @bells: times that the helper rang
 * @wakeups: times that it had to be woken
 * @full: requests that stayed inline because no slot or key was free
 * @stalls: times that the helper was declared stalled
 */
struct wc_queue_stats {
	u64 batches;
	u64 bells;
	u64 wakeups;
	u64 full;
	u64 stalls;
};

/* Written by their own CPU alone, with BH disabled. */
struct wc_stats {
	struct wc_alg_stats alg[WAVECRYPT_ALGS][WAVECRYPT_OPS];
	struct wc_queue_stats queue;
};

DECLARE_PER_CPU(struct wc_stats, wc_stats);

static inline void wc_stats_inline(unsigned int alg, unsigned int op,
				   unsigned int len)
{
	__this_cpu_inc(wc_stats.alg[alg][op].requests_inline);
	__this_cpu_add(wc_stats.alg[alg][op].bytes_inline, len);
}

static inline void wc_stats_offloaded(unsigned int alg, unsigned int op,
				      unsigned int len)
{
	__this_cpu_inc(wc_stats.alg[alg][op].requests_offloaded);
	__this_cpu_add(wc_stats.alg[alg][op].bytes_offloaded, len);
}

static inline void wc_stats_redone(unsigned int alg, unsigned int op)
{
	__this_cpu_inc(wc_stats.alg[alg][op].redone);
}

static inline void wc_stats_rechecked(unsigned int alg, unsigned int op)
{
	__this_cpu_inc(wc_stats.alg[alg][op].rechecked);
}

/* An inline request may end with BH enabled, on any CPU: this_cpu_inc(). */
static inline void wc_stats_outcome(unsigned int alg, unsigned int op, int err)
{
	if (unlikely(err == -EBADMSG))
		this_cpu_inc(wc_stats.alg[alg][op].icv_failures);
}

static inline void wc_stats_batch(void)
{
	__this_cpu_inc(wc_stats.queue.batches);
}

static inline void wc_stats_bell(void)
{
	this_cpu_inc(wc_stats.queue.bells);
}

static inline void wc_stats_wakeup(void)
{
	__this_cpu_inc(wc_stats.queue.wakeups);
}

static inline void wc_stats_full(void)
{
	__this_cpu_inc(wc_stats.queue.full);
}

static inline void wc_stats_stall(void)
{
	__this_cpu_inc(wc_stats.queue.stalls);
}

int wc_stats_init(struct device *dev);
void wc_stats_exit(void);

#endif /* _WC_STATS_H */
