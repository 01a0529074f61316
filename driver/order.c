// SPDX-License-Identifier: GPL-2.0-only
/*
 * Completion in submission order, per transform.
 *
 * ESP numbers packets before it encrypts them, and the peer's replay window
 * may be as short as 32 packets. So requests of one SA leave as they came,
 * even if some of them were done inline, some by a helper, and some by the
 * kernel because the helper died.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/slab.h>

#include "aead.h"
#include "order.h"

/** wc_order_alloc - a new, empty order, or NULL */
struct wc_order *wc_order_alloc(void)
{
	struct wc_order *order = kzalloc(sizeof(*order), GFP_KERNEL);

	if (order) {
		order->tail = &order->stub;
		order->head = &order->stub;
	}
	return order;
}

/**
 * wc_order_free - let go of an order in which nothing is pending
 * @order: the order, or NULL
 *
 * The callback of a transform's last request may free the transform while
 * wc_order_drain() is still running on the CPU that called it.
 */
void wc_order_free(struct wc_order *order)
{
	if (order)
		kfree_rcu(order, rcu);
}

static void wc_order_link(struct wc_order *order, struct wc_node *node)
{
	struct wc_node *prev;

	WRITE_ONCE(node->next, NULL);
	/* Full barrier: whoever gets node from tail sees it initialised. */
	prev = xchg(&order->tail, node);
	/* Until this store the queue ends at prev for who drains; see there. */
	WRITE_ONCE(prev->next, node);
}

/**
 * wc_order_push - a request is submitted
 * @order: its transform's order
 * @node: the request
 *
 * Context: BH disabled.
 */
void wc_order_push(struct wc_order *order, struct wc_node *node)
{
	node->done = false;
	atomic_inc(&order->pending);
	wc_order_link(order, node);
}

/* The oldest request if it is done, unlinked. Only for who drains. */
static struct wc_node *wc_order_pop(struct wc_order *order)
{
	struct wc_node *head = order->head, *next;

	/* Acquires pair with the exchange in wc_order_link(). */
	next = smp_load_acquire(&head->next);
	if (head == &order->stub) {
		if (!next)
			return NULL;
		order->head = next;
		head = next;
		/* As above. */
		next = smp_load_acquire(&head->next);
	}

	/* Pairs with the release in wc_order_done(). */
	if (!smp_load_acquire(&head->done))
		return NULL;

	if (!next) {
		/* It must not go while it is the tail: the next submission
		 * will write to it. Put the stub behind it, unless somebody
		 * is between his exchange and his link; then wait for his
		 * own drain, which comes after both.
		 */
		if (READ_ONCE(order->tail) != head)
			return NULL;
		wc_order_link(order, &order->stub);
		/* As above. */
		next = smp_load_acquire(&head->next);
		if (!next)
			return NULL;
	}
	order->head = next;
	return head;
}

/**
 * wc_order_drain - complete what is at the head and done
 * @order: the order
 *
 * Calls the requests' callbacks, here or, if another CPU is draining, there.
 *
 * Context: BH disabled.
 */
void wc_order_drain(struct wc_order *order)
{
	struct wc_node *node;
	int kicks;

	rcu_read_lock();
	/* Full barrier: done was set before; who drains looks after. */
	if (atomic_fetch_inc(&order->kicks))
		goto out;
	do {
		kicks = atomic_read_acquire(&order->kicks);
		while ((node = wc_order_pop(order))) {
			struct wc_req *rq = container_of(node, struct wc_req,
							 node);

			aead_request_complete(wc_req_aead(rq), node->err);
			/* Pairs with wc_order_idle(). */
			atomic_dec_return_release(&order->pending);
		}
		/* Full barrier if it succeeds: a kick that came in between
		 * makes it fail.
		 */
	} while (atomic_cmpxchg(&order->kicks, kicks, 0) != kicks);
out:
	rcu_read_unlock();
}
