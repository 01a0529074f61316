/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_ORDER_H
#define _WC_ORDER_H

#include <linux/list.h>
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>

#include "uapi/wavecrypt.h"

struct wc_order;

/* The parameter "pending" can be no higher. */
#define WC_ORDER_MOST	4096

/**
 * struct wc_node - a request's place in its order
 * @next: the one submitted after it, or NULL
 * @away: link on the way to its CPU, when somebody else has finished it
 * @after: another CPU's order, that it waits for; or NULL
 * @upto: until so many have completed there
 * @until: but no longer, in units of wc_stall_clock()
 * @done: @err is final
 * @phase: in which it was submitted (wc_orders_turn())
 * @depth: of so many requests, one by the other's, callbacks led to it
 * @err: what the request completes with
 */
struct wc_node {
	struct wc_node *next;
	struct llist_node away;
	const struct wc_order *after;
	u32 upto;
	u32 until;
	bool done;
	u8 phase;
	u8 depth;
	int err;
};

/**
 * struct wc_tally - what became of the requests of one transform, by direction, as
 *	one CPU has counted them
 * @requests_inline: as in &struct wc_alg_stats
 * @requests_offloaded: as there
 * @redone: as there, with those rechecked
 */
struct wc_tally {
	u64 requests_inline[WAVECRYPT_OPS];
	u64 requests_offloaded[WAVECRYPT_OPS];
	u64 redone[WAVECRYPT_OPS];
};

/**
 * struct wc_order - completes the requests that one CPU submits to one transform,
 *	in that order
 * @head: the oldest one that has not left, or NULL
 * @tail: the youngest one, if there is any
 * @submitted: how many there were; also read by other CPUs
 * @completed: how many callbacks have returned; also read by other CPUs
 * @cpu: the CPU
 * @deferred: how many are with an asynchronous fallback
 * @busy: there may be something to complete: it is in one of its CPU's lists, or is
 *	being looked at
 * @link: in that list
 * @looked: when the CPU last said that it shares the transform, in jiffies
 * @tally: what the CPU has counted; also read by other CPUs
 *
 * As much its CPU's own as a queue (&struct wc_queue): no lock, no atomic operation.
 */
struct wc_order {
	struct wc_node *head;
	struct wc_node *tail;
	u32 submitted;
	u32 completed;
	unsigned int cpu;
	u16 deferred;
	bool busy;
	struct list_head link;
	u32 looked;
	struct wc_tally tally;
};

/**
 * struct wc_home - how a transform's &wc_tfm.home has come to be
 * @lock: to change it
 * @began: when its moves were counted from, in units of wc_stall_clock()
 * @moves: how many there were
 * @last: while it is shared: who said so last
 * @since: and when that was another one, in jiffies
 */
struct wc_home {
	spinlock_t lock;	/* see above */
	u32 began;
	u32 moves;
	u32 last;
	u32 since;
};

/**
 * struct wc_orders - those of one transform
 * @order: one for each CPU
 * @home: which of them is used
 * @rcu: they outlive the transform, as long as one may be looked at
 */
struct wc_orders {
	struct wc_order __percpu *order;
	struct wc_home home;
	struct rcu_head rcu;
};

extern unsigned int wc_order_pending;
extern unsigned int wc_order_entries;

void wc_order_expect(u32 entries);
struct wc_orders *wc_orders_alloc(void);
void wc_orders_free(struct wc_orders *orders);
void wc_orders_wait(const struct wc_orders *orders);
void wc_orders_turn(void);
bool wc_orders_over(void);
bool wc_orders_idle(void);
bool wc_order_deep(void);
void wc_order_follow(struct wc_node *node, const struct wc_order *after);
void wc_order_push(struct wc_order *order, struct wc_node *node);
void wc_order_done(struct wc_order *order, struct wc_node *node, int err);
void wc_order_send(const struct wc_order *order, struct wc_node *node, int err);
void wc_order_hasten(struct wc_node *node);
void wc_order_advance(struct wc_order *order);
void wc_order_run(unsigned int cpu);
void wc_order_init(void);
void wc_order_exit(void);

/**
 * wc_order_idle - whether a request may complete in the call that submits it
 * @order: its order
 *
 * It may when nothing submitted earlier is left, and no callback is running.
 */
static inline bool wc_order_idle(const struct wc_order *order)
{
	return READ_ONCE(order->submitted) == READ_ONCE(order->completed);
}

/** wc_order_most - how many may be pending */
static inline u32 wc_order_most(void)
{
	return READ_ONCE(wc_order_pending) ?: READ_ONCE(wc_order_entries);
}

/** wc_order_length - how many are, on this CPU */
static inline u32 wc_order_length(const struct wc_order *order)
{
	return order->submitted - order->completed;
}

/**
 * wc_order_excess - how many too many there are with one more
 * @order: the order
 *
 * Return: that number, or 0 or less.
 */
static inline s32 wc_order_excess(const struct wc_order *order)
{
	return wc_order_length(order) + 1 - wc_order_most();
}

#endif /* _WC_ORDER_H */
