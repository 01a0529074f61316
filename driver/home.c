// SPDX-License-Identifier: GPL-2.0-only
/*
 * Flows that move from one CPU to another.
 *
 * A CPU's requests are in order among themselves (order.c). So that a flow does
 * not overtake itself when its process, or its card's interrupt, goes to another
 * CPU, a transform has a home: the CPU that submitted last. What another one
 * submits moves the home there, and waits until what is pending at the old one has
 * completed.
 *
 * CPUs that share a transform would move it with every packet. There is no order
 * between their flows, and whatever made them wait for each other would cost more
 * than all else. So when the home moves too often it is given up, and nobody waits
 * for anybody, until but one of them has submitted for a while.
 *
 * At home, or where there is none, all this is to read a line that nobody writes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/spinlock.h>

#include "home.h"
#include "stall.h"

/* So many moves within such a time, and it is shared: about as many as could wait for
 * each other, one after the other.
 */
#define WC_HOME_MOVES	16
#define WC_HOME_WINDOW	WC_STALL_MS(2)

/* It is not any more when nobody else has submitted for so long. */
#define WC_HOME_QUIET	max_t(u32, HZ / 20, 2)

static bool wc_home_restless(struct wc_home *home)
{
	u32 now = wc_stall_clock();

	if (now - home->began > WC_HOME_WINDOW) {
		home->began = now;
		home->moves = 0;
	}
	return ++home->moves > WC_HOME_MOVES;
}

/* Somebody says that he shares it. Whether he is the only one by now: */
static bool wc_home_quiet(struct wc_home *home, struct wc_order *order)
{
	u32 now = jiffies;

	order->looked = now;
	if (home->last == order->cpu)
		return now - home->since > WC_HOME_QUIET;
	home->last = order->cpu;
	home->since = now;
	return false;
}

/**
 * wc_home_move - a CPU submits to a transform that is not at home there
 * @tfm: the transform
 * @order: the CPU's order of it
 * @node: what is submitted; it is about to be pushed. Waits for what is pending at
 *	the old home, if anything is.
 *
 * Whoever submitted there has made that visible here, or there is no order between
 * the two.
 *
 * Context: BH disabled, and wc_cpu_up().
 */
void wc_home_move(struct wc_tfm *tfm, struct wc_order *order,
		  struct wc_node *node)
{
	struct wc_home *home = &tfm->orders->home;
	u32 old, next = order->cpu;

	spin_lock(&home->lock);
	old = tfm->home;
	if (old == WC_HOME_SHARED) {
		if (!wc_home_quiet(home, order))
			next = WC_HOME_SHARED;
	} else if (old < nr_cpu_ids && old != next && wc_home_restless(home)) {
		home->last = next;
		home->since = jiffies;
		next = WC_HOME_SHARED;
	}
	if (next != old)
		WRITE_ONCE(tfm->home, next);
	spin_unlock(&home->lock);
	if (next < nr_cpu_ids && old < nr_cpu_ids && next != old)
		wc_order_follow(node, per_cpu_ptr(tfm->order, old));
}
