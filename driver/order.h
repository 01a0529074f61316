/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_ORDER_H
#define _WC_ORDER_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>

/**
 * struct wc_node - a request's place in its transform's order
 * @next: the one submitted after it, or NULL if that is not linked yet
 * @away: when it has left the order: its link on the way to @cpu
 * @cpu: where it was submitted, and completes
 * @done: set, with release, when @err is final
 * @err: what the request completes with
 */
struct wc_node {
	union {
		struct wc_node *next;
		struct llist_node away;
	};
	unsigned int cpu;
	bool done;
	int err;
};

/**
 * struct wc_order - completes requests in the order of their submission
 * @tail: the last one submitted; submitters exchange it
 * @pending: how many were pushed and not completed yet
 * @kicks: how often wc_order_drain() was asked for while somebody was at it;
 *	whoever takes it from 0 drains
 * @head: the oldest one, for who drains only
 * @stub: stands in when there is none
 * @rcu: outlives the transform for as long as a drain may look at it
 *
 * A queue with many producers and one consumer (Vyukov; the kernel's model is
 * drivers/net/wireguard/queueing.c). No lock: a submission is one exchange, on
 * a line that only submitters of the same SA share.
 */
struct wc_order {
	struct wc_node *tail ____cacheline_aligned;
	atomic_t pending;
	atomic_t kicks ____cacheline_aligned;
	struct wc_node *head;
	struct wc_node stub;
	struct rcu_head rcu;
};

struct wc_order *wc_order_alloc(void);
void wc_order_free(struct wc_order *order);
void wc_order_push(struct wc_order *order, struct wc_node *node);
void wc_order_drain(struct wc_order *order);
void wc_order_wait(struct wc_order *order);
void wc_order_init(void);
void wc_order_exit(void);

/**
 * wc_order_done - a request's outcome is known
 * @node: the request
 * @err: the outcome
 *
 * It completes with the next wc_order_drain() at which everything before it
 * has completed. May be called once, from any context.
 */
static inline void wc_order_done(struct wc_node *node, int err)
{
	node->err = err;
	/* Pairs with the acquire in wc_order_pop(): err, and the destination
	 * that whoever called us has written, before done.
	 */
	smp_store_release(&node->done, true);
}

/**
 * wc_order_idle - whether a request may complete in the call that submits it
 * @order: its order
 *
 * It may when nothing submitted earlier is left. A request submitted at the
 * same time on another CPU is neither earlier nor later.
 */
static inline bool wc_order_idle(struct wc_order *order)
{
	/* Pairs with the release in wc_order_complete(): every callback that was
	 * called before has returned.
	 */
	return !atomic_read_acquire(&order->pending);
}

#endif /* _WC_ORDER_H */
