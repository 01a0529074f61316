// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: things on their way through what is measured
 *
 * They are submitted as a network driver would cause it, with softirqs disabled,
 * in bursts no longer than what it takes in at once; between two bursts softirqs
 * may run. While as many are in flight as may be, there is nothing to do but to
 * wait for completions.
 *
 * Whatever happens is a step, and a step's time goes where it belongs: to
 * submission (which is all there is where everything is synchronous); to
 * completion, if completions came in; or it was spent waiting. What is done for a
 * completion before anybody is told is so counted, too.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "bench.h"

/* when nothing was completed for so long, what is in flight is lost */
#define LOST_AFTER	(20 * HZ)

/* how often to let workers run */
#define WORKER_STEPS	64

static u32 in_flight(const struct bench_flow *flow)
{
	return flow->submitted - READ_ONCE(flow->completed);
}

/*
 * Let softirqs run, and now and then a worker that does the driver's work. Return:
 * the time after that, @now being the time before.
 */
static u64 others_step(struct bench_flow *flow, u64 now, bool workers)
{
	u32 completed = READ_ONCE(flow->completed);
	u64 then;

	local_bh_enable();
	if (workers)
		schedule();
	then = bench_cycles();
	if (READ_ONCE(flow->completed) != completed)
		flow->complete += then - now;
	return then;
}

/**
 * bench_flow_init - begin a flow
 * @flow: the flow; its functions are left alone
 * @spec: how many at a time, and when
 */
void bench_flow_init(struct bench_flow *flow, const struct bench_spec *spec)
{
	*flow = (struct bench_flow) {
		.ready = flow->ready,
		.send = flow->send,
		.depth = spec->depth,
		.burst = spec->burst,
		.interval = bench_ns_to_cycles(spec->interval_ns),
	};
}

/**
 * bench_flow_run - let things flow
 * @flow: the flow
 * @nr: most of them to submit
 * @cycles: time after which to submit no more
 *
 * Returns when all that were submitted are completed. They arrive as fast as
 * they can be taken, or, if the flow has an interval, when it is their time:
 * one that has to wait then is late, and its latency counts from when it was due.
 *
 * Return: 0; -EINTR after a signal; -ETIMEDOUT if one was lost, and then nothing
 * that it may still refer to can be freed.
 */
int bench_flow_run(struct bench_flow *flow, u32 nr, u64 cycles)
{
	u64 begin = bench_cycles(), now = begin, arrival = begin, moved = begin, then;
	u32 last = flow->submitted + nr, completed = flow->completed;
	unsigned long progress = jiffies;
	unsigned int step, burst;
	bool stop = false;

	for (step = 1; ; step++) {
		if (flow->submitted == last || arrival - begin >= cycles || flow->over)
			stop = true;
		if (stop && !in_flight(flow))
			break;

		local_bh_disable();
		for (burst = 0; !stop && burst < flow->burst && arrival <= now &&
		     in_flight(flow) < flow->depth && flow->submitted != last &&
		     flow->ready(flow); burst++) {
			flow->send(flow, arrival);
			flow->submitted++;
			arrival = flow->interval ? arrival + flow->interval : now;
		}
		if (burst) {
			then = bench_cycles();
			flow->submit += then - now;
			now = then;
		}
		now = others_step(flow, now, !burst && step % WORKER_STEPS == 0);
		if (!flow->interval)
			arrival = now;

		if (flow->completed != completed || !in_flight(flow)) {
			completed = flow->completed;
			progress = jiffies;
			flow->gap = max(flow->gap, now - moved);
			moved = now;
		} else if (time_after(jiffies, progress + LOST_AFTER)) {
			pr_err("%u of %u were lost\n", in_flight(flow),
			       flow->submitted);
			return -ETIMEDOUT;
		}
		if (step % WORKER_STEPS)
			continue;
		cond_resched();
		if (signal_pending(current))
			stop = true;
	}
	flow->wall += now - begin;
	return signal_pending(current) ? -EINTR : 0;
}
