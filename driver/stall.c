// SPDX-License-Identifier: GPL-2.0-only
/*
 * A helper that does not come back: how that is noticed, and when it is tried again.
 *
 * Whatever waits behind a request of its SA waits for the helper, so a request is
 * done in the kernel when it has been away for some milliseconds. To be wrong about
 * that costs the work once more, and no more. So a helper need not be dead to be
 * given up for a while: that it was kept from running is enough.
 *
 * A helper of which nothing was seen for a while may have died in its sleep. It is
 * given few requests, for a shorter time, until one of them comes back.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/jiffies.h>
#include <linux/ratelimit.h>

#include "channel.h"
#include "compat.h"
#include "queue.h"
#include "range.h"
#include "route.h"
#include "stall.h"
#include "stats.h"
#include "trace.h"

/* A device that goes waits so long, and all that configures networks with it. */
#define WC_STALL_MS_MOST	60000

static unsigned int wc_stall_ms;
wc_param_range(stall_ms, wc_stall_ms, 0, WC_STALL_MS_MOST, 0644);
MODULE_PARM_DESC(stall_ms, "a helper that keeps a request for so long is stalled, in ms (default 0: four times what they took lately, but 3 to 20; with mode=auto four times latency_us at most, and once that for a helper of which nothing was seen lately; at most a minute)");

/* How much longer than lately a request may take before its helper is stalled,
 * and how long that is at least and at most.
 */
#define WC_STALL_TIMES		4
#define WC_STALL_LEAST		WC_STALL_MS(3)
#define WC_STALL_MOST		WC_STALL_MS(20)

/* Who has returned nothing for so long has to be tried, with so many requests. */
#define WC_STALL_TRUST		WC_STALL_MS(10)
#define WC_STALL_TRIED		16

/* Completions are looked for this often even if nobody rings, and no more often than
 * that by the timer.
 */
#define WC_STALL_TICK		WC_STALL_MS(10)
#define WC_STALL_TOCK		WC_STALL_NS(100 * NSEC_PER_USEC)

/* The first pause, in ns, and how often it is doubled at most: 1.3 seconds. */
#define WC_STALL_PAUSE_NS	(10 * NSEC_PER_MSEC)
#define WC_STALL_PAUSES		7

/* A stall that lasts so long is worth a message. */
#define WC_STALL_TELL		WC_STALL_MS(100)

static void wc_stall_arm(struct wc_stall *stall, u32 delay)
{
	hrtimer_start(&stall->timer, ns_to_ktime((u64)delay << 10),
		      HRTIMER_MODE_REL_PINNED_SOFT);
}

/* Look even if nobody rang, by way of the tasklet, of which there is never more
 * than one. The timer may have moved here while the queue's CPU was offline.
 */
static enum hrtimer_restart wc_stall_timer(struct hrtimer *timer)
{
	struct wc_queue *q = container_of(timer, struct wc_queue, stall.timer);

	WRITE_ONCE(q->stall.tick, true);
	if (q->cpu == smp_processor_id())
		wc_kick_here(&q->kick);
	else
		wc_kick(&q->kick, q->cpu);
	return HRTIMER_NORESTART;
}

/** wc_stall_init - before a queue is opened */
void wc_stall_init(struct wc_queue *q)
{
	q->stall.patience = WC_STALL_MOST;
	wc_hrtimer_setup(&q->stall.timer, wc_stall_timer, CLOCK_MONOTONIC,
			 HRTIMER_MODE_REL_PINNED_SOFT);
}

/** wc_stall_exit - when it is closed, and its tasklet starts no timer any more */
void wc_stall_exit(struct wc_queue *q)
{
	hrtimer_cancel(&q->stall.timer);
}

/**
 * wc_stall_most - how long a helper may keep a request at most
 *
 * Return: the time, in units of wc_stall_clock().
 */
u32 wc_stall_most(void)
{
	unsigned int ms = READ_ONCE(wc_stall_ms);

	return ms ? WC_STALL_MS(ms) : WC_STALL_MOST;
}

/**
 * wc_stall_patience - how long the helper may keep a request
 * @q: the queue
 *
 * Return: the time, in units of wc_stall_clock().
 */
u32 wc_stall_patience(const struct wc_queue *q)
{
	u32 patience = READ_ONCE(q->stall.patience);

	if (READ_ONCE(wc_stall_ms))
		return wc_stall_most();
	if (READ_ONCE(wc_mode) == WC_MODE_AUTO) {
		if (READ_ONCE(q->stall.untried))
			return min_t(u64, wc_route_latency_ns() >> 10,
				     wc_stall_most());
		/* What takes longer on average is not worth it. */
		patience = min_t(u64, patience, WC_STALL_TIMES *
						wc_route_latency_ns() >> 10);
	}
	return max_t(u32, patience, WC_STALL_LEAST);
}

/** wc_stall_patience_ms - the same in ms, for people */
u32 wc_stall_patience_ms(const struct wc_queue *q)
{
	return DIV_ROUND_UP_ULL((u64)wc_stall_patience(q) << 10, NSEC_PER_MSEC);
}

/**
 * wc_stall_watch - the first request is about to be lent
 * @q: the queue, which is not watched
 */
void wc_stall_watch(struct wc_queue *q)
{
	struct wc_stall *stall = &q->stall;

	stall->now = wc_stall_clock();
	stall->on = true;
	stall->untried = stall->now - stall->returned > WC_STALL_TRUST;
	stall->credit = q->entries;
	if (stall->untried && READ_ONCE(wc_mode) == WC_MODE_AUTO)
		stall->credit = WC_STALL_TRIED;
	stall->deadline = stall->now + wc_stall_patience(q);
	wc_stall_arm(stall, min(wc_stall_patience(q), WC_STALL_TICK));
}

/* The deadline may have been set when there was more time. */
static void wc_stall_hurry(struct wc_queue *q)
{
	u32 deadline = q->stall.now + wc_stall_patience(q);

	if (time_before32(deadline, q->stall.deadline))
		q->stall.deadline = deadline;
}

/**
 * wc_stall_learn - a batch is coming back
 * @q: the queue
 * @nr: how many
 *
 * Requests mostly return as they went, so that the one that was submitted first of
 * so many stands for all. More time is given sooner than less.
 */
void wc_stall_learn(struct wc_queue *q, u32 nr)
{
	const struct wc_flight *first =
		&q->flight[q->sq_ring[q->head & (q->entries - 1)]];
	struct wc_stall *stall = &q->stall;
	u32 took = stall->now - first->since;
	u32 wanted;

	/* From a stall: for how long it was away says nothing of what follows. */
	if (!first->rq && took > WC_STALL_MOST)
		return;
	wanted = min(WC_STALL_TIMES * min(took, WC_STALL_MOST), WC_STALL_MOST);
	/* Also read from sysfs. */
	WRITE_ONCE(stall->patience, wanted > stall->patience ?
		   stall->patience + DIV_ROUND_UP(wanted - stall->patience, 2) :
		   stall->patience - (stall->patience - wanted) / 8);
	wc_stall_hurry(q);
	if (!first->rq)
		return;
	WRITE_ONCE(stall->untried, false);
	stall->returned = stall->now;
	stall->credit = min(stall->credit + nr, q->entries);
}

/**
 * wc_stall_overdue - whether the helper has kept a request for too long
 * @q: the queue
 *
 * The others may come and go: one that it forgot holds up all that follow it in its
 * order. One that was done here meanwhile counts, too: it is the helper that is late.
 */
bool wc_stall_overdue(struct wc_queue *q)
{
	struct wc_stall *stall = &q->stall;
	u32 now = stall->now, oldest = now, index;

	if (q->closed || q->stalled || !q->lent)
		return false;
	wc_stall_hurry(q);
	if (time_before32(now, stall->deadline))
		return false;
	for (index = 0; index < q->entries; index++) {
		const struct wc_flight *flight = &q->flight[index];

		if (flight->lent && time_before32(flight->since, oldest))
			oldest = flight->since;
	}
	stall->deadline = oldest + wc_stall_patience(q);
	return !time_before32(now, stall->deadline);
}

/**
 * wc_stall_begin - a queue's helper makes no progress
 * @q: the queue
 *
 * Nothing more is lent to it until it has returned everything, and the pause is over.
 */
void wc_stall_begin(struct wc_queue *q)
{
	struct wc_stall *stall = &q->stall;
	u64 now = wc_clock();

	q->stalled = true;
	stall->began = stall->now;
	wc_pause_begin(&stall->pause, now, WC_STALL_PAUSE_NS, WC_STALL_PAUSES,
		       !stall->untried);
	wc_stats_stall();
	trace_wavecrypt_stall(q);
	wc_channel_stall(q);
	if (q->cpu == smp_processor_id())
		wc_route_refuse(wc_route_mine(), now);
}

static void wc_stall_tell(struct wc_queue *q)
{
	struct wc_stall *stall = &q->stall;

	if (stall->told || stall->now - stall->began < WC_STALL_TELL)
		return;
	stall->told = true;
	pr_warn_ratelimited("helper %d stalled on queue %u, its requests are done in the kernel\n",
			    q->ch->owner, q->id);
}

static void wc_stall_end(struct wc_queue *q)
{
	struct wc_stall *stall = &q->stall;

	q->stalled = false;
	stall->pause.until = wc_clock();
	/* It has to show that it is back. */
	stall->on = false;
	stall->returned = stall->now - WC_STALL_TRUST - 1;
	if (q->cpu == smp_processor_id())
		wc_route_resume(wc_route_mine(), stall->pause.until);
	wc_channel_resume(q);
	if (stall->told)
		pr_info_ratelimited("helper %d goes on with queue %u\n",
				    q->ch->owner, q->id);
	stall->told = false;
}

/**
 * wc_stall_check - nothing is overdue: see to when to look next, or to the end of a
 *	stall
 * @q: the queue
 */
void wc_stall_check(struct wc_queue *q)
{
	struct wc_stall *stall = &q->stall;
	s64 pause;

	if (q->closed)
		return;
	if (!q->stalled) {
		if (q->lent)
			wc_stall_arm(stall, clamp_t(s32, stall->deadline - stall->now,
						    WC_STALL_TOCK,
						    WC_STALL_TICK));
		else
			stall->on = false;
		return;
	}
	wc_stall_tell(q);
	pause = (s64)(stall->pause.until - wc_clock()) >> 10;
	if (q->lent || pause > WC_STALL_TICK)
		wc_stall_arm(stall, WC_STALL_TICK);
	else if (pause >= 0)
		wc_stall_arm(stall, pause + 1);
	else
		wc_stall_end(q);
}
