// SPDX-License-Identifier: GPL-2.0-only
/*
 * Completion in submission order, per transform.
 *
 * ESP numbers packets before it encrypts them, and the peer's replay window
 * may be as short as 32 packets. So requests of one SA leave as they came,
 * even if some of them were done inline, some by a helper, and some by the
 * kernel because the helper died.
 *
 * And all of them leave from one CPU, as long as any is pending, whichever CPUs
 * they came from: transmit queues are per CPU, too, and a batch sent from one
 * CPU would overtake the batch before it, sent from another.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "aead.h"
#include "order.h"

/**
 * struct wc_order_cpu - orders that other CPUs have sent here to be drained
 * @away: the orders, each with a reference
 * @tasklet: drains them
 * @csd: runs the tasklet here, from any other CPU
 */
struct wc_order_cpu {
	struct llist_head away;
	struct tasklet_struct tasklet;
	call_single_data_t csd;
};

static DEFINE_PER_CPU(struct wc_order_cpu, wc_order_cpus);

/** wc_order_alloc - a new, empty order, or NULL */
struct wc_order *wc_order_alloc(void)
{
	struct wc_order *order = kzalloc(sizeof(*order), GFP_KERNEL);

	if (order) {
		kref_init(&order->ref);
		order->tail = &order->stub;
		order->head = &order->stub;
	}
	return order;
}

static void wc_order_release(struct kref *ref)
{
	struct wc_order *order = container_of(ref, struct wc_order, ref);

	kfree_rcu(order, rcu);
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
		kref_put(&order->ref, wc_order_release);
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
	if (atomic_inc_return(&order->pending) == 1)
		WRITE_ONCE(order->cpu, smp_processor_id());
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

static void wc_order_drain_here(struct wc_order *order)
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

static void wc_order_tasklet(struct tasklet_struct *tasklet)
{
	struct wc_order_cpu *here = from_tasklet(here, tasklet, tasklet);
	struct llist_node *away = llist_del_all(&here->away);
	struct wc_order *order, *next;

	llist_for_each_entry_safe(order, next, away, away) {
		/* Full barrier: what is done from now on is sent again. */
		xchg(&order->sent, false);
		wc_order_drain_here(order);
		kref_put(&order->ref, wc_order_release);
	}
}

static void wc_order_ipi(void *info)
{
	struct wc_order_cpu *there = info;

	tasklet_schedule(&there->tasklet);
}

static void wc_order_send(struct wc_order *order, unsigned int cpu)
{
	struct wc_order_cpu *there = per_cpu_ptr(&wc_order_cpus, cpu);

	/* Full barrier: done was set before. Who was sent already and has not
	 * arrived drains after.
	 */
	if (xchg(&order->sent, true))
		return;
	/* Its transform went: nothing is left to complete. */
	if (!kref_get_unless_zero(&order->ref))
		return;
	/* Only the first one rings. If the CPU went offline, this one does
	 * what it was sent.
	 */
	if (llist_add(&order->away, &there->away) &&
	    smp_call_function_single_async(cpu, &there->csd))
		wc_order_ipi(there);
}

/**
 * wc_order_drain - complete what is at the head and done
 * @order: the order, of which a request is pending or an RCU read lock held
 *	since one was
 *
 * Calls the requests' callbacks, now, or soon on the CPU they complete on.
 *
 * Context: BH disabled.
 */
void wc_order_drain(struct wc_order *order)
{
	unsigned int cpu = READ_ONCE(order->cpu);

	if (cpu == smp_processor_id() || !cpu_online(cpu))
		wc_order_drain_here(order);
	else
		wc_order_send(order, cpu);
}

/** wc_order_init - before the first transform */
void wc_order_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct wc_order_cpu *c = per_cpu_ptr(&wc_order_cpus, cpu);

		init_llist_head(&c->away);
		tasklet_setup(&c->tasklet, wc_order_tasklet);
		INIT_CSD(&c->csd, wc_order_ipi, c);
	}
}

/** wc_order_exit - after the last one */
void wc_order_exit(void)
{
	unsigned int cpu;

	/* Orders that are still on their way have nothing left to complete.
	 * The list is empty when the tasklet has run for all that was sent.
	 */
	for_each_possible_cpu(cpu) {
		struct wc_order_cpu *c = per_cpu_ptr(&wc_order_cpus, cpu);

		while (!llist_empty(&c->away))
			usleep_range(1000, 2000);
		tasklet_kill(&c->tasklet);
	}
}
