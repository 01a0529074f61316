/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_ROUTE_H
#define _WC_ROUTE_H

#include "aead.h"
#include "clock.h"

/**
 * struct wc_route_class - requests that cost much the same: one algorithm, one
 *	direction, one range of lengths, on one CPU
 * @inline_ns: what one costs this CPU inline
 * @submit_ns: what one costs it to hand to the helper
 * @complete_ns: what it costs to take one back
 * @offload: offload it when this CPU is busy
 * @backoff: how long the next trial of the other way waits, as a power of two
 * @trial_at: when that may be
 * @work: its part of the present epoch's work
 *
 * Costs are moving averages of samples, 0 as long as there is none.
 */
struct wc_route_class {
	u32 inline_ns;
	u32 submit_ns;
	u32 complete_ns;
	bool offload;
	u8 backoff;
	u64 trial_at;
	u64 work;
};

bool wc_route_offload(const struct wc_tfm *tfm, struct wc_req *rq);
bool wc_route_sampled(void);
struct wc_route_class *wc_route_class(unsigned int alg, enum wavecrypt_op op,
				      unsigned int len);
void wc_route_init(void);
void wc_route_exit(void);

/**
 * wc_route_learn - a sample was measured
 * @cost: one of a class's costs
 * @start: when it began, from wc_clock()
 *
 * An interrupt may have fallen into it, hence the bound.
 */
static inline void wc_route_learn(u32 *cost, u64 start)
{
	u32 old = READ_ONCE(*cost);
	u32 ns = min_t(u64, wc_clock() - start, old ? 4 * old : U16_MAX);

	WRITE_ONCE(*cost, old ? old - old / 8 + ns / 8 : max(ns, 8U));
}

#endif /* _WC_ROUTE_H */
