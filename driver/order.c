// SPDX-License-Identifier: GPL-2.0-only
/*
 * Completion in submission order, per transform.
 *
 * ESP numbers packets before it encrypts them, and the peer's replay window
 * may be as short as 32 packets. So requests of one SA leave as they came,
 * even if some of them were done inline, some by a helper, and some by the
 * kernel because the helper died.
 *
 * They leave from the CPU that they were submitted on: transmit queues are per
 * CPU, too, and a flow that alternated between them would overtake itself. So
 * whoever finds a request complete hands it to its CPU, in order. Between CPUs
 * that share an SA that leaves the skew of a few packets that they have anyhow.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/interrupt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "aead.h"
#include "order.h"
#include "trace.h"

/**
 * struct wc_order_cpu - requests that are to complete on a CPU
 * @away: those, youngest first
 * @running: one is completing: others have to wait for their turn
 * @tasklet: completes them
 * @csd: runs the tasklet here, from any other CPU
 */
struct wc_order_cpu {
	struct llist_head away;
	bool running;
	struct tasklet_struct tasklet;
	call_single_data_t csd;
};

static DEFINE_PER_CPU(struct wc_order_cpu, wc_order_cpus);

/** wc_order_alloc - a new, empty order, or NULL */
struct wc_order *wc_order_alloc(void)
{
	struct wc_order *order = kzalloc(sizeof(*order), GFP_KERNEL_ACCOUNT);

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
	node->cpu = smp_processor_id();
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

/* The end of a request, and maybe of its transform; an RCU read lock is held. */
static void wc_order_complete(struct wc_node *node)
{
	struct wc_req *rq = container_of(node, struct wc_req, node);
	struct wc_order *order = rq->order;

	trace_wavecrypt_complete(rq, node->err);
	aead_request_complete(wc_req_aead(rq), node->err);
	/* Pairs with wc_order_idle(). */
	atomic_dec_return_release(&order->pending);
}

static void wc_order_tasklet(struct tasklet_struct *tasklet)
{
	struct wc_order_cpu *here = from_tasklet(here, tasklet, tasklet);
	struct wc_node *node, *next;
	struct llist_node *away;

	rcu_read_lock();
	here->running = true;
	/* Full barrier: the list is not empty before others have to wait. */
	away = llist_reverse_order(llist_del_all(&here->away));
	llist_for_each_entry_safe(node, next, away, away)
		wc_order_complete(node);
	here->running = false;
	rcu_read_unlock();
}

static void wc_order_ipi(void *info)
{
	struct wc_order_cpu *there = info;

	tasklet_schedule(&there->tasklet);
}

/* Complete a request that has left the order, here and now if it may be. */
static void wc_order_leave(struct wc_node *node)
{
	struct wc_order_cpu *there = per_cpu_ptr(&wc_order_cpus, node->cpu);
	bool here = node->cpu == smp_processor_id();

	/* Not before those that wait here already, nor inside of another. */
	if (here && !there->running && llist_empty(&there->away)) {
		there->running = true;
		wc_order_complete(node);
		there->running = false;
		return;
	}
	/* Only the first one rings. If the CPU is offline its tasklet can run
	 * on this one.
	 */
	if (llist_add(&node->away, &there->away) &&
	    (here || smp_call_function_single_async(node->cpu, &there->csd)))
		wc_order_ipi(there);
}

/**
 * wc_order_drain - complete what is at the head and done
 * @order: the order, of which a request is pending, or an RCU read lock held
 *	since one was
 *
 * Calls the callbacks of requests that were submitted on this CPU, and has
 * other CPUs call those of theirs.
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
		while ((node = wc_order_pop(order)))
			wc_order_leave(node);
		/* Full barrier if it succeeds: a kick that came in between
		 * makes it fail.
		 */
	} while (atomic_cmpxchg(&order->kicks, kicks, 0) != kicks);
out:
	rcu_read_unlock();
}

/**
 * wc_order_wait - wait until everything that was submitted has completed
 * @order: the order
 *
 * Rare, and short by the stall watchdog, so that nobody has to wake us.
 *
 * Context: process, may sleep.
 */
void wc_order_wait(struct wc_order *order)
{
	while (!wc_order_idle(order))
		schedule_timeout_uninterruptible(1);
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

	/* No request is pending; tasklets may be about to return. */
	for_each_possible_cpu(cpu)
		tasklet_kill(&per_cpu_ptr(&wc_order_cpus, cpu)->tasklet);
}
