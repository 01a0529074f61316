/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_STATS_H
#define _WC_STATS_H

#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/percpu.h>

#include "aead.h"

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
 * @icv_failures: those that ended with -EBADMSG, but for what an asynchronous fallback
 *	says of a request that has no place in an order
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

/* Ranges of times: up to 1024 ns, 2048 ns, and so on; the last is open. */
#define WC_LATENCIES		16
#define WC_LATENCY_SHORTEST	10

/**
 * struct wc_latency - how long some requests took, which stand for all
 * @ranges: how many up to so long
 * @sum: of all of them, in ns
 */
struct wc_latency {
	u64 ranges[WC_LATENCIES];
	u64 sum;
};

/**
 * struct wc_queue_stats - what one CPU's queue has seen
 * @batches: times that completions were taken, of one or more requests
 * @bells: times that it was told to look at completions, by the helper nearly always
 * @wakeups: times that it had to be woken
 * @interrupts: times that it interrupted the CPU, going to sleep
 * @full: requests that stayed inline because no slot, or no place in the key
 *	table, was free
 * @stalls: times that the helper was declared stalled
 * @pressed: requests taken back from it because too many were pending
 * @followed: times that an SA moved here, and waited for what it had pending on
 *	another CPU
 * @overtook: times that it could not wait any longer
 * @inline_latency: of requests that were done within the call
 * @offload_latency: of requests that the helper did, from when they were handed over
 *	until its answer was taken
 */
struct wc_queue_stats {
	u64 batches;
	u64 bells;
	u64 wakeups;
	u64 interrupts;
	u64 full;
	u64 stalls;
	u64 pressed;
	u64 followed;
	u64 overtook;
	struct wc_latency inline_latency;
	struct wc_latency offload_latency;
};

/* Written by their own CPU alone, with BH disabled but where this_cpu_inc() says otherwise. */
struct wc_stats {
	struct wc_alg_stats alg[WC_ALGS][WAVECRYPT_OPS];
	struct wc_queue_stats queue;
};

/* What alloc_percpu() can do */
static_assert(sizeof(struct wc_stats) <= PCPU_MIN_UNIT_SIZE);

extern struct wc_stats __percpu *wc_stats;

/* @order is the transform's of this CPU. */
static inline void wc_stats_inline(const struct wc_tfm *tfm,
				   struct wc_order *order, unsigned int op,
				   unsigned int len)
{
	struct wc_alg_stats *stats = this_cpu_ptr(tfm->stats) + op;

	stats->requests_inline++;
	stats->bytes_inline += len;
	order->tally.requests_inline[op]++;
}

static inline void wc_stats_offloaded(const struct wc_tfm *tfm,
				      unsigned int op, unsigned int len)
{
	struct wc_alg_stats *stats = this_cpu_ptr(tfm->stats) + op;

	stats->requests_offloaded++;
	stats->bytes_offloaded += len;
	__this_cpu_inc(tfm->order->tally.requests_offloaded[op]);
}

static inline void wc_stats_redone(const struct wc_tfm *tfm, unsigned int op)
{
	__this_cpu_inc(tfm->stats[op].redone);
	__this_cpu_inc(tfm->order->tally.redone[op]);
}

static inline void wc_stats_rechecked(const struct wc_tfm *tfm,
				      unsigned int op)
{
	__this_cpu_inc(tfm->stats[op].rechecked);
	__this_cpu_inc(tfm->order->tally.redone[op]);
}

/* An inline request may end with BH enabled, on any CPU: this_cpu_inc(). */
static inline void wc_stats_outcome(const struct wc_tfm *tfm, unsigned int op,
				    int err)
{
	if (unlikely(err == -EBADMSG))
		this_cpu_inc(tfm->stats[op].icv_failures);
}

static inline void wc_stats_batch(void)
{
	__this_cpu_inc(wc_stats->queue.batches);
}

static inline void wc_stats_bell(void)
{
	this_cpu_inc(wc_stats->queue.bells);
}

static inline void wc_stats_wakeup(void)
{
	__this_cpu_inc(wc_stats->queue.wakeups);
}

/* In hard interrupt */
static inline void wc_stats_interrupted(void)
{
	this_cpu_inc(wc_stats->queue.interrupts);
}

static inline void wc_stats_full(void)
{
	__this_cpu_inc(wc_stats->queue.full);
}

static inline void wc_stats_stall(void)
{
	__this_cpu_inc(wc_stats->queue.stalls);
}

static inline void wc_stats_pressed(void)
{
	__this_cpu_inc(wc_stats->queue.pressed);
}

static inline void wc_stats_followed(void)
{
	__this_cpu_inc(wc_stats->queue.followed);
}

static inline void wc_stats_overtook(void)
{
	__this_cpu_inc(wc_stats->queue.overtook);
}

static inline void wc_latency_add(struct wc_latency *latency, u64 ns)
{
	unsigned int range = fls64((ns - !!ns) >> WC_LATENCY_SHORTEST);

	latency->ranges[min(range, WC_LATENCIES - 1U)]++;
	latency->sum += ns;
}

/* Both with BH disabled, for one request in so many */
static inline void wc_stats_inline_took(u64 ns)
{
	wc_latency_add(&this_cpu_ptr(wc_stats)->queue.inline_latency, ns);
}

static inline void wc_stats_offload_took(u64 ns)
{
	wc_latency_add(&this_cpu_ptr(wc_stats)->queue.offload_latency, ns);
}

int wc_stats_alloc(void);
void wc_stats_free(void);
int wc_stats_init(struct device *dev);
void wc_stats_exit(void);

#endif /* _WC_STATS_H */
