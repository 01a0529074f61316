/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_ROUTE_H
#define _WC_ROUTE_H

#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/percpu.h>

#include "aead.h"
#include "clock.h"
#include "pause.h"

enum wc_mode {
	WC_MODE_AUTO,
	WC_MODE_INLINE,
	WC_MODE_OFFLOAD,
};

extern unsigned int wc_mode;

/* Ranges of lengths: up to 128 bytes, 256, and so on; the last is that of requests that
 * no slot has room for.
 */
#define WC_ROUTE_LENGTHS	9
#define WC_ROUTE_SHORTEST	7
#define WC_ROUTE_TOO_LONG	(WC_ROUTE_LENGTHS - 1)
static_assert(WAVECRYPT_MAX_LEN <= 1 << (WC_ROUTE_TOO_LONG - 1 + WC_ROUTE_SHORTEST));

#define WC_ROUTE_CLASSES						\
	(WC_ALGS * WAVECRYPT_OPS * WC_ROUTE_LENGTHS)

/* One request in so many is looked at, and stands for the others. A prime, so
 * that it is now this, now that one of what comes in a pattern.
 */
#define WC_ROUTE_SAMPLE		61

/* What requests wait is an average of the last ones that were looked at, about so
 * many: if the helper keeps one, there are more than those that follow it meanwhile.
 */
#define WC_ROUTE_WAITS		64

/**
 * struct wc_route_turn - when something is tried the other way
 * @at: not before, in wc_clock() ns
 * @backoff: how much longer it waits the next time, as a power of two
 *
 * One word: a CPU has a thousand of them.
 */
struct wc_route_turn {
	u64 at : 60;
	u64 backoff : 4;
};

/**
 * struct wc_route_class - requests that cost much the same: one algorithm, one
 *	direction, one range of lengths, on one CPU
 * @next: the next one of those that there have been requests of
 * @known: it is one of them
 * @requests: how many there were in the present epoch, of those that are looked at
 * @weight: what one is taken to cost inline in the present epoch; while all requests
 *	count the same in each
 * @inline_ns: what one costs this CPU inline
 * @submit_ns: what one costs it to hand to the helper
 * @complete_ns: what it costs to take one back
 * @samples: how many @submit_ns has seen, up to 255
 * @offload: offload it when this CPU is busy
 * @trial: that is being tried the other way
 * @alone: when it is next, by itself
 * @together: when all that are done inline are, if it has the most work of these
 * @work: its part of an epoch's work
 *
 * Costs are moving averages of samples, 0 as long as there is none.
 */
struct wc_route_class {
	struct wc_route_class *next;
	u32 requests;
	u32 weight;
	u32 inline_ns;
	u32 submit_ns;
	u32 complete_ns;
	u8 samples;
	bool known;
	bool offload;
	bool trial;
	struct wc_route_turn alone;
	struct wc_route_turn together;
	u64 work;
};

/**
 * struct wc_route - what a CPU knows
 * @countdown: requests until the next sample
 * @returned: completions so far
 * @offloads: there are classes to be offloaded when it does
 * @counts: there is a trial, or may be one soon, of one of several, for which each
 *	request counts
 * @counting: when there may be one
 * @busy: offloading may pay
 * @seen: jiffies when it did last
 * @sampled: when the last sample was taken
 * @start: when the present epoch began
 * @work: work submitted in it, in ns
 * @inline_rate: last average rate with everything inline, 0 if not known
 * @rate: sum of the rates of the epochs counted in @epochs
 * @offloaded: something was offloaded in one of these, more than a little
 * @epochs: how many since the last change, negative: to be skipped, while
 *	what was in flight at the change is still coming back
 * @lows: how many of the last ones had too low a rate
 * @slow: in how many of these @waited was too much
 * @waits: requests since offloading began, of which the older ones count less
 * @waited: how long these were pending, in ns
 * @refused: when the helper was found to be too slow for any of it
 * @trial: there are classes that are tried
 * @asked: something is offloaded from now on, and nothing has come back yet
 * @together: the class of those with the most work, if several are
 * @before: average rate before the trial
 * @usual: moving average of the rate since something else was decided, 0 if not known
 * @unanswered: what @returned was then
 * @generation: of the parameters, as it knows them
 * @class: all classes, as wc_route_index() has them
 * @known: those that there have been requests of. They are few, whatever is
 *	registered.
 *
 * Its own CPU's alone, with BH disabled.
 */
struct wc_route {
	u32 countdown;
	u32 returned;
	bool offloads;
	bool counts;
	bool busy;
	unsigned long seen;
	u64 sampled;
	u64 start;
	u64 work;
	u32 inline_rate;
	u32 rate;
	bool offloaded;
	int epochs;
	u8 lows;
	u8 slow;
	u32 waits;
	u64 waited;
	struct wc_pause refused;
	bool trial;
	bool asked;
	u32 before;
	u32 usual;
	u32 unanswered;
	unsigned int generation;
	struct wc_route_class *together;
	struct wc_route_turn counting;
	struct wc_route_class *class;
	struct wc_route_class *known;
};

DECLARE_PER_CPU(struct wc_route, wc_routes);

bool wc_route_busy(struct wc_route *route);
void wc_route_refuse(struct wc_route *route, u64 now);
void wc_route_resume(struct wc_route *route, u64 now);
u64 wc_route_latency_ns(void);
bool wc_route_shares(void);
u64 wc_route_sample(struct wc_route *route, struct wc_route_class *class);
int wc_route_init(void);
void wc_route_exit(void);

/**
 * wc_route_mine - what this CPU knows
 *
 * Context: BH disabled.
 */
static inline struct wc_route *wc_route_mine(void)
{
	return this_cpu_ptr(&wc_routes);
}

static inline unsigned int wc_route_index(unsigned int alg, unsigned int op,
					  unsigned int length)
{
	return (alg * WAVECRYPT_OPS + op) * WC_ROUTE_LENGTHS + length;
}

/**
 * wc_route_class - the class that a request belongs to
 * @route: this CPU's
 * @alg: its algorithm
 * @op: its direction
 * @len: bytes of payload
 */
static inline struct wc_route_class *
wc_route_class(struct wc_route *route, unsigned int alg, enum wavecrypt_op op,
	       unsigned int len)
{
	unsigned int length = fls((len - !!len) >> WC_ROUTE_SHORTEST);

	if (unlikely(len > WAVECRYPT_MAX_LEN))
		length = WC_ROUTE_TOO_LONG;
	return &route->class[wc_route_index(alg, op, length)];
}

/**
 * wc_route_account - a request is about to be done, this way or that
 * @route: this CPU's
 * @class: the request's
 *
 * Context: BH disabled.
 * Return: when it began if what it costs is to be learnt, or 0.
 */
static inline u64 wc_route_account(struct wc_route *route,
				   struct wc_route_class *class)
{
	class->requests++;
	if (likely(route->countdown--))
		return 0;
	return wc_route_sample(route, class);
}

/**
 * wc_route_minds - whether a request is to be looked at, be it that it may be offloaded,
 *	be it that it stands for others, be it that all are counted
 * @route: this CPU's
 *
 * Of one that is not there is nothing to account for but wc_route_pass().
 *
 * Context: BH disabled.
 */
static inline bool wc_route_minds(const struct wc_route *route)
{
	return route->offloads || route->counts || !route->countdown ||
	       READ_ONCE(wc_mode) == WC_MODE_OFFLOAD;
}

/** wc_route_pass - a request that is not looked at is about to be done inline */
static inline void wc_route_pass(struct wc_route *route)
{
	route->countdown--;
}

/**
 * wc_route_offload - whether a request that could be offloaded should be
 * @route: this CPU's
 * @class: the request's
 *
 * Context: BH disabled.
 */
static inline bool wc_route_offload(struct wc_route *route,
				    const struct wc_route_class *class)
{
	unsigned int mode = READ_ONCE(wc_mode);

	if (likely(mode == WC_MODE_AUTO))
		return class->offload && wc_route_busy(route);
	return mode == WC_MODE_OFFLOAD;
}

/**
 * wc_route_returned - whether to learn what this completion costs
 * @route: this CPU's
 *
 * Context: BH disabled.
 */
static inline bool wc_route_returned(struct wc_route *route)
{
	return !(++route->returned % WC_ROUTE_SAMPLE);
}

/**
 * wc_route_waited - a request that was offloaded, and stands for many, completes
 * @route: this CPU's
 * @ns: how long it was pending
 *
 * Be it that the helper had it, be it that it waited for its turn: one that is kept
 * has all wait that follow it.
 */
static inline void wc_route_waited(struct wc_route *route, u64 ns)
{
	route->waited += min_t(u64, ns, NSEC_PER_SEC);
	if (++route->waits < WC_ROUTE_WAITS)
		return;
	route->waited /= 2;
	route->waits /= 2;
}

/**
 * wc_route_learn - a sample was measured
 * @cost: one of a class's costs
 * @start: when it began, from wc_clock()
 *
 * An interrupt may have fallen into it, hence the bound on what is learned; or a move to
 * a CPU whose clock is behind, where clocks are not stable.
 *
 * Return: what it took, in ns.
 */
static inline u64 wc_route_learn(u32 *cost, u64 start)
{
	u32 old = READ_ONCE(*cost);
	u64 took = max_t(s64, wc_clock() - start, 0);
	u32 ns = min_t(u64, took, old ? 4 * old : U16_MAX);

	WRITE_ONCE(*cost, old ? old - old / 8 + ns / 8 : max(ns, 8U));
	return took;
}

#endif /* _WC_ROUTE_H */
