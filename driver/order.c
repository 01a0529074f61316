// SPDX-License-Identifier: GPL-2.0-only
/*
 * Completion in submission order, per transform and CPU.
 *
 * ESP numbers packets before it encrypts them, and the peer's replay window
 * may be as short as 32 packets. So what a CPU submits to an SA leaves as it came,
 * even if some of it was done inline, some by a helper, and some by the kernel
 * because the helper died.
 *
 * And it leaves from the CPU that it was submitted on: transmit queues are per
 * CPU, too, and a flow that alternated between them would overtake itself. CPUs
 * that share an SA know nothing of each other here, so that there may be any number
 * of them; between them there is the skew of a few packets that they have anyhow.
 * Only what moved here from another CPU waits for what it has left there (home.c).
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/netdevice.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "aead.h"
#include "budget.h"
#include "compat.h"
#include "cpu.h"
#include "kick.h"
#include "order.h"
#include "range.h"
#include "route.h"
#include "stall.h"
#include "stats.h"
#include "trace.h"

/* As set, and if nothing is: twice what a queue can have in flight. */
unsigned int wc_order_pending;
unsigned int wc_order_entries = 1024;

wc_param_range(pending, wc_order_pending, 0, WC_ORDER_MOST, 0644);
MODULE_PARM_DESC(pending, "most requests pending per SA and CPU, up to 4096; who submits one more does the oldest first (default 0: twice the entries)");

/* An order has its turn for so many requests. */
#define WC_ORDER_TURN	16

/* What was decrypted goes into a queue of XFRM's (gro_cells), which drops what is beyond
 * net.core.netdev_max_backlog. Each time that softirqs have their turns NAPI_POLL_WEIGHT are
 * taken out, and two tasklets come here, of an order and of a queue: for each of them so
 * many more may complete. Those for which nobody came before fill half of that queue.
 */
#define WC_ORDER_REFILL	(NAPI_POLL_WEIGHT / 2)

/* Who waits for another CPU looks whether it is done this often. */
#define WC_ORDER_LOOK_NS	(50 * NSEC_PER_USEC)

/**
 * struct wc_order_cpu - what is to complete on a CPU
 * @cpu: the CPU
 * @depth: while one of their callbacks is running, for which others have to wait, its
 *	request's and one more; or 0
 * @room: how many that were decrypted may complete now
 * @submitted: how many requests there were, by phase; also read by other CPUs
 * @completed: how many callbacks have returned, likewise
 * @busy: orders that may have something
 * @waiting: orders that have, but the first waits for another CPU
 * @crowded: orders that have, but the first waits for room
 * @timer: runs while there are such
 * @away: requests that somebody else has finished, youngest first
 * @kick: takes those, and goes on with what is left
 *
 * @away and @kick are anybody's, the others the CPU's own, as its orders are.
 */
struct wc_order_cpu {
	unsigned int cpu;
	u8 depth;
	int room;
	u32 submitted[2];
	u32 completed[2];
	struct list_head busy;
	struct list_head waiting;
	struct list_head crowded;
	struct hrtimer timer;
	struct llist_head away;
	struct wc_kick kick;
};

static DEFINE_PER_CPU_ALIGNED(struct wc_order_cpu, wc_order_cpus);

/* The one that requests are submitted in, 0 or 1 */
static u8 wc_order_phase __read_mostly;

/** wc_order_expect - a queue can have so many in flight from now on */
void wc_order_expect(u32 entries)
{
	WRITE_ONCE(wc_order_entries, min_t(u32, 2 * entries, WC_ORDER_MOST));
}

/** wc_orders_alloc - orders for a new transform, or NULL */
struct wc_orders *wc_orders_alloc(void)
{
	struct wc_orders *orders = kzalloc(sizeof(*orders), GFP_KERNEL_ACCOUNT);
	unsigned int cpu;

	if (!orders)
		return NULL;
	orders->order = alloc_percpu_gfp(struct wc_order, GFP_KERNEL_ACCOUNT);
	if (!orders->order) {
		kfree(orders);
		return NULL;
	}
	for_each_possible_cpu(cpu)
		per_cpu_ptr(orders->order, cpu)->cpu = cpu;
	spin_lock_init(&orders->home.lock);
	return orders;
}

static void wc_orders_free_rcu(struct rcu_head *rcu)
{
	struct wc_orders *orders = container_of(rcu, struct wc_orders, rcu);

	free_percpu(orders->order);
	kfree(orders);
}

/**
 * wc_orders_free - let go of orders in which nothing is pending
 * @orders: the orders
 *
 * The callback of a transform's last request may free the transform, and its
 * order is looked at once more afterwards.
 */
void wc_orders_free(struct wc_orders *orders)
{
	call_rcu(&orders->rcu, wc_orders_free_rcu);
}

/**
 * wc_orders_wait - wait until everything that was submitted before has completed
 * @orders: the orders
 *
 * Rare, and short by the stall watchdog, so that nobody has to wake us.
 *
 * Context: process, may sleep.
 */
void wc_orders_wait(const struct wc_orders *orders)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct wc_order *order = per_cpu_ptr(orders->order, cpu);
		u32 submitted = READ_ONCE(order->submitted);

		/* Pairs with the release in wc_order_complete(). */
		while ((s32)(smp_load_acquire(&order->completed) - submitted) < 0)
			schedule_timeout_uninterruptible(1);
	}
}

/**
 * wc_orders_turn - a new phase begins
 *
 * What is submitted after the next grace period belongs to it, and nothing does that
 * was submitted before. The one before the last has to be over.
 *
 * Context: one at a time.
 */
void wc_orders_turn(void)
{
	WRITE_ONCE(wc_order_phase, !wc_order_phase);
}

/**
 * wc_orders_over - whether all has completed that was submitted in the phase before
 *
 * However many transforms there are, it takes the same time.
 *
 * Context: as wc_orders_turn(), and a grace period after that.
 */
bool wc_orders_over(void)
{
	u8 phase = !wc_order_phase;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct wc_order_cpu *c = per_cpu_ptr(&wc_order_cpus, cpu);

		/* Pairs with the release in wc_order_complete(). */
		if (smp_load_acquire(&c->completed[phase]) !=
		    READ_ONCE(c->submitted[phase]))
			return false;
	}
	return true;
}

/**
 * wc_orders_idle - whether there was a moment at which nothing was pending, anywhere
 *
 * As neither number ever falls: when all have completed that were submitted by the
 * time that the last of these was looked at, so they had when the first was.
 *
 * Context: any.
 */
bool wc_orders_idle(void)
{
	u32 pending = 0;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct wc_order_cpu *c = per_cpu_ptr(&wc_order_cpus, cpu);

		/* Pairs with the release in wc_order_complete(), and comes before
		 * the other numbers are read.
		 */
		pending -= smp_load_acquire(&c->completed[0]);
		/* the same */
		pending -= smp_load_acquire(&c->completed[1]);
	}
	for_each_possible_cpu(cpu) {
		const struct wc_order_cpu *c = per_cpu_ptr(&wc_order_cpus, cpu);

		pending += READ_ONCE(c->submitted[0]);
		pending += READ_ONCE(c->submitted[1]);
	}
	return !pending;
}

/**
 * wc_order_deep - whether a request has to be done in the call
 *
 * Tunnels that lead into each other, by routes that are wrong, are found out by the depth
 * to which the kernel calls itself, which drops the packet. What is completed later
 * begins from the top, and would go round for ever.
 *
 * Context: BH disabled.
 */
bool wc_order_deep(void)
{
	return this_cpu_read(wc_order_cpus.depth) >= XMIT_RECURSION_LIMIT;
}

/**
 * wc_order_follow - a request is to wait for those that another CPU has pending
 * @node: the request, before it is pushed
 * @after: that CPU's order of the same transform
 *
 * Twice as long as a helper may keep them: one may have just been submitted, and
 * its CPU be kept from taking it back.
 *
 * Context: any.
 */
void wc_order_follow(struct wc_node *node, const struct wc_order *after)
{
	u32 upto = READ_ONCE(after->submitted);

	/* Pairs with the release in wc_order_complete(). */
	if ((s32)(upto - smp_load_acquire(&after->completed)) <= 0)
		return;
	node->after = after;
	node->upto = upto;
	node->until = wc_stall_clock() + 2 * wc_stall_most();
	wc_stats_followed();
}

/* Whether those have completed, or it has waited for too long */
static bool wc_order_followed(struct wc_node *node)
{
	/* Pairs with the release in wc_order_complete(). */
	if ((s32)(node->upto - smp_load_acquire(&node->after->completed)) > 0) {
		if (time_before32(wc_stall_clock(), node->until))
			return false;
		wc_stats_overtook();
	}
	node->after = NULL;
	return true;
}

/**
 * wc_order_push - a request is submitted
 * @order: its order: this CPU's
 * @node: the request
 *
 * Context: BH disabled, and wc_cpu_up().
 */
void wc_order_push(struct wc_order *order, struct wc_node *node)
{
	struct wc_order_cpu *here = this_cpu_ptr(&wc_order_cpus);

	node->next = NULL;
	node->done = false;
	node->phase = READ_ONCE(wc_order_phase);
	node->depth = here->depth;
	WRITE_ONCE(here->submitted[node->phase],
		   here->submitted[node->phase] + 1);
	if (order->head)
		order->tail->next = node;
	else
		order->head = node;
	order->tail = node;
	WRITE_ONCE(order->submitted, order->submitted + 1);
}

/**
 * wc_order_done - a request's outcome is known
 * @order: its order
 * @node: the request
 * @err: the outcome
 *
 * It completes with the next wc_order_run() of its CPU at which everything before
 * it has completed, and not before.
 *
 * Context: as wc_order_push(), or wc_cpu_enter().
 */
void wc_order_done(struct wc_order *order, struct wc_node *node, int err)
{
	node->err = err;
	node->done = true;
	/* Who is not the first does not change anything. */
	if (node != order->head || order->busy)
		return;
	order->busy = true;
	list_add_tail(&order->link,
		      &per_cpu_ptr(&wc_order_cpus, order->cpu)->busy);
}

/**
 * wc_order_send - the same as wc_order_done() for who is not on that CPU
 * @order: the order
 * @node: the request, with an asynchronous fallback until now
 * @err: the outcome
 *
 * Both may be gone on return, if BH is enabled.
 *
 * Context: BH disabled.
 */
void wc_order_send(const struct wc_order *order, struct wc_node *node, int err)
{
	unsigned int cpu = order->cpu;
	struct wc_order_cpu *there = per_cpu_ptr(&wc_order_cpus, cpu);

	node->err = err;
	/* Full barrier: the result comes before. Only the first one kicks. */
	if (llist_add(&node->away, &there->away))
		wc_kick(&there->kick, cpu);
}

static bool wc_order_decrypts(const struct wc_node *node)
{
	return container_of(node, struct wc_req, node)->op == WAVECRYPT_OP_DECRYPT;
}

/* The end of a request, and maybe of its transform; an RCU read lock is held. */
static void wc_order_complete(struct wc_order_cpu *here, struct wc_order *order,
			      struct wc_node *node)
{
	struct wc_req *rq = container_of(node, struct wc_req, node);
	u32 *completed = &here->completed[node->phase];

	if (unlikely(rq->since))
		wc_route_waited(wc_route_mine(), wc_stall_ago(rq->since));
	trace_wavecrypt_complete(rq, node->err);
	here->depth = node->depth + 1;
	aead_request_complete(wc_req_aead(rq), node->err);
	here->depth = 0;
	/* Pairs with the acquire in wc_orders_wait() and elsewhere. */
	smp_store_release(&order->completed, order->completed + 1);
	/* Pairs with the acquire in wc_orders_over() and wc_orders_idle(). */
	smp_store_release(completed, *completed + 1);
}

/* Whether one that is done has to wait for room; but not where too many are pending, which
 * who submits pays for.
 */
static bool wc_order_crowds(const struct wc_order_cpu *here,
			    const struct wc_order *order,
			    const struct wc_node *node)
{
	return !here->room && wc_order_decrypts(node) &&
	       wc_order_excess(order) <= 0;
}

/* An order of the list has its turn. It stays there only if that was too short: one that is
 * not has nothing pending, maybe, and may go.
 */
static void wc_order_turn(struct wc_order_cpu *here, struct wc_order *order)
{
	struct list_head *list = &here->busy;
	struct wc_node *node;
	unsigned int n;

	list_del(&order->link);
	for (n = 0; n < WC_ORDER_TURN; n++) {
		node = order->head;
		if (!node || !node->done)
			break;
		if (wc_order_crowds(here, order, node)) {
			list = &here->crowded;
			break;
		}
		if (unlikely(node->after) && !wc_order_followed(node)) {
			list = &here->waiting;
			break;
		}
		order->head = node->next;
		here->room -= here->room && wc_order_decrypts(node);
		wc_order_complete(here, order, node);
	}
	order->busy = order->head && order->head->done;
	if (order->busy)
		list_add_tail(&order->link, list);
}

/* Look again at those that wait for another CPU. */
static void wc_order_look(struct wc_order_cpu *here)
{
	list_splice_tail_init(&here->waiting, &here->busy);
}

static void wc_order_arm(struct wc_order_cpu *here)
{
	if (unlikely(!list_empty(&here->waiting)) &&
	    !hrtimer_is_queued(&here->timer))
		hrtimer_start(&here->timer, ns_to_ktime(WC_ORDER_LOOK_NS),
			      HRTIMER_MODE_REL_PINNED_SOFT);
}

/* What has not had its turn, or room, is the tasklet's. */
static void wc_order_go_on(struct wc_order_cpu *here)
{
	if (!list_empty(&here->busy) || !list_empty(&here->crowded))
		wc_kick_here(&here->kick);
}

/* It may have moved here while its CPU was offline. */
static enum hrtimer_restart wc_order_timer(struct hrtimer *timer)
{
	struct wc_order_cpu *there = container_of(timer, struct wc_order_cpu,
						  timer);

	wc_kick(&there->kick, there->cpu);
	return HRTIMER_NORESTART;
}

/**
 * wc_order_hasten - too many are pending for one of them to wait for another CPU
 * @node: the request
 *
 * Context: BH disabled, wc_cpu_up(), and the order this CPU's.
 */
void wc_order_hasten(struct wc_node *node)
{
	if (likely(!node->after))
		return;
	node->after = NULL;
	wc_stats_overtook();
	wc_order_look(this_cpu_ptr(&wc_order_cpus));
}

/**
 * wc_order_advance - complete what is done of the order that somebody submits to
 * @order: the order
 *
 * Of no other: their callbacks may want locks that the submitter holds, such as a
 * tunnel's that this SA protects (L2TP's). The tasklet has them. Inside of another
 * request's callback even this is not possible, but soon after.
 *
 * Context: BH disabled, and wc_cpu_up().
 */
void wc_order_advance(struct wc_order *order)
{
	struct wc_order_cpu *here = this_cpu_ptr(&wc_order_cpus);

	if (here->depth || !order->busy)
		return;
	/* It keeps its place among those that wait for room. */
	if (!wc_order_crowds(here, order, order->head)) {
		rcu_read_lock();
		wc_order_turn(here, order);
		rcu_read_unlock();
		wc_order_arm(here);
	}
	/* Callbacks may have submitted elsewhere, and room have come to an end. */
	wc_order_go_on(here);
}

/**
 * wc_order_run - complete what is done on a CPU
 * @cpu: the CPU
 *
 * As much as may be at a time; the tasklet goes on. Orders have turns.
 *
 * Context: as wc_order_done(), with @cpu.
 */
void wc_order_run(unsigned int cpu)
{
	struct wc_order_cpu *here = per_cpu_ptr(&wc_order_cpus, cpu);
	struct wc_budget budget = { };

	here->room = min(here->room + WC_ORDER_REFILL,
			 max(wc_max_backlog() / 2, WC_ORDER_REFILL));
	/* Who had none is first. */
	list_splice_init(&here->crowded, &here->busy);
	/* Whoever runs comes to it. */
	if (here->depth || list_empty(&here->busy))
		return;
	rcu_read_lock();
	do {
		wc_order_turn(here, list_first_entry(&here->busy,
						     struct wc_order, link));
	} while (!list_empty(&here->busy) && !wc_budget_spent(&budget));
	rcu_read_unlock();
	wc_order_arm(here);
	wc_order_go_on(here);
}

/* What others have finished takes its place among what is done. */
static void wc_order_fetch(struct wc_order_cpu *here)
{
	struct wc_req *rq, *next;
	struct llist_node *away;

	away = llist_reverse_order(llist_del_all(&here->away));
	llist_for_each_entry_safe(rq, next, away, node.away) {
		rq->order->deferred--;
		wc_stats_outcome(wc_req_tfm(rq), rq->op, rq->node.err);
		wc_order_done(rq->order, &rq->node, rq->node.err);
	}
}

static void wc_order_tasklet(struct tasklet_struct *tasklet)
{
	struct wc_order_cpu *here = from_tasklet(here, tasklet, kick.tasklet);

	if (!wc_cpu_enter(here->cpu)) {
		wc_kick(&here->kick, here->cpu);
		return;
	}
	wc_order_fetch(here);
	wc_order_look(here);
	wc_order_run(here->cpu);
	wc_cpu_leave(here->cpu);
}

/** wc_order_init - before the first transform */
void wc_order_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct wc_order_cpu *c = per_cpu_ptr(&wc_order_cpus, cpu);

		c->cpu = cpu;
		INIT_LIST_HEAD(&c->busy);
		INIT_LIST_HEAD(&c->waiting);
		INIT_LIST_HEAD(&c->crowded);
		wc_hrtimer_setup(&c->timer, wc_order_timer, CLOCK_MONOTONIC,
				 HRTIMER_MODE_REL_PINNED_SOFT);
		init_llist_head(&c->away);
		wc_kick_init(&c->kick, wc_order_tasklet, wc_kick_heard);
	}
}

/** wc_order_exit - after the last one */
void wc_order_exit(void)
{
	unsigned int cpu;

	/* No request is pending, but tasklets may be about to run, some where they do
	 * not belong; from here on none is scheduled there.
	 */
	cpus_read_lock();
	/* Who sent the last one, and only then kicks */
	synchronize_rcu();
	for_each_possible_cpu(cpu) {
		struct wc_order_cpu *c = per_cpu_ptr(&wc_order_cpus, cpu);

		/* Nobody starts it any more. */
		hrtimer_cancel(&c->timer);
		wc_kick_hush(&c->kick);
	}
	/* Who was heard last */
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		wc_kick_end(&per_cpu_ptr(&wc_order_cpus, cpu)->kick);
	cpus_read_unlock();
}
