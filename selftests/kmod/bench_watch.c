// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: watching a flow that somebody disturbs
 *
 * Whoever is about to disturb says so in the parameter "mark", with a number that
 * is not the one before. A line is printed for the time from each mark to the next.
 * Who needs the flow no longer sets "over".
 * What others on the same CPU notice is how late a timer of theirs is that runs as
 * theirs do, in softirq, and how long the requests of another flow take, which has
 * its own transform, and of which one at a time goes between those that are watched.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/bitops.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/version.h>

#include "bench.h"

#define BYSTANDER_NS	(200 * NSEC_PER_USEC)
#define OTHER_NS	(500 * NSEC_PER_USEC)

static unsigned int bench_mark;
static u64 bench_marked;

static int set_mark(const char *text, const struct kernel_param *param)
{
	WRITE_ONCE(bench_marked, bench_cycles());
	return param_set_uint(text, param);
}

static const struct kernel_param_ops mark_ops = {
	.set = set_mark,
	.get = param_get_uint,
};
module_param_cb(mark, &mark_ops, &bench_mark, 0600);
MODULE_PARM_DESC(mark, "number of the disturbance that begins now");

static bool bench_over;
module_param_named(over, bench_over, bool, 0600);
MODULE_PARM_DESC(over, "the flow that is watched is to end");

static unsigned int bench_watches;
module_param_named(watches, bench_watches, uint, 0400);
MODULE_PARM_DESC(watches, "flows that were watched so far, or are");

static unsigned int bucket_of(u64 cycles)
{
	unsigned int octave = fls64(cycles);

	if (octave < 4)
		return cycles;
	return 8 * (octave - 3) + (cycles >> (octave - 4)) - 8;
}

/* the most that is in a bucket */
static u64 bucket_end(unsigned int bucket)
{
	if (bucket < 8)
		return bucket;
	return ((8ull + bucket % 8 + 1) << (bucket / 8 - 1)) - 1;
}

static u64 percentile(const struct bench_watch *watch, u32 per_mille)
{
	u64 left = div_u64((u64)watch->requests * (1000 - per_mille), 1000);
	unsigned int i = BENCH_BUCKETS;

	while (i-- && watch->bucket[i] <= left)
		left -= watch->bucket[i];
	return min(bucket_end(i), watch->most);
}

static void print(const struct bench_watch *watch, u64 now)
{
	struct bench_output *out = watch->out;

	bench_print(out, "{\"mark\":%u,\"requests\":%u,\"pending\":%u,\"late_ns\":%lld",
		    watch->mark, watch->requests, watch->pending, watch->late_ns);
	bench_print(out, ",\"held_ns\":%lld", bench_held_most());
	bench_print_time(out, "wall", now - watch->begin);
	/* one may have completed since the mark was made */
	bench_print_time(out, "standstill",
			 max_t(s64, watch->standstill, now - watch->last));
	if (watch->requests) {
		bench_print_time(out, "p50", percentile(watch, 500));
		bench_print_time(out, "p99", percentile(watch, 990));
	}
	bench_print_time(out, "max", watch->most);
	bench_print_time(out, "other", watch->other_most);
	bench_print(out, "}\n");
}

static void renew(struct bench_watch *watch, unsigned int mark, u64 begin)
{
	watch->mark = mark;
	watch->begin = begin;
	watch->last = begin;
	watch->standstill = 0;
	watch->most = 0;
	watch->other_most = 0;
	watch->requests = 0;
	watch->pending = 0;
	watch->late_ns = 0;
	memset(watch->bucket, 0, sizeof(watch->bucket));
}

/**
 * bench_watch_submitted - a request is about to be submitted
 * @watch: who looks on
 * @pending: how many are then
 */
void bench_watch_submitted(struct bench_watch *watch, u32 pending)
{
	unsigned int mark = READ_ONCE(bench_mark);
	u64 marked;

	if (mark != watch->mark) {
		marked = READ_ONCE(bench_marked);
		print(watch, marked);
		renew(watch, mark, marked);
	}
	watch->pending = max(watch->pending, pending);
}

/** bench_watch_over - whether the flow is to end */
bool bench_watch_over(void)
{
	return READ_ONCE(bench_over);
}

/**
 * bench_watch_completed - a request has completed
 * @watch: who looks on
 * @arrival: when it was due, in cycles
 */
void bench_watch_completed(struct bench_watch *watch, u64 arrival)
{
	u64 now = bench_cycles(), took = now - arrival;

	if (now > watch->last)
		watch->standstill = max(watch->standstill, now - watch->last);
	watch->last = now;
	watch->most = max(watch->most, took);
	watch->bucket[bucket_of(took)]++;
	watch->requests++;
}

/**
 * bench_watch_other_due - see whether the next request is to be another flow's
 * @watch: who looks on
 * @arrival: if so, set to when it was due, in cycles
 */
bool bench_watch_other_due(struct bench_watch *watch, u64 *arrival)
{
	u64 now = bench_cycles();

	if (now < watch->other_due)
		return false;
	*arrival = watch->other_due;
	watch->other_due = now + bench_ns_to_cycles(OTHER_NS);
	return true;
}

/**
 * bench_watch_other_completed - a request of another flow has completed
 * @watch: who looks on
 * @arrival: when it was due, in cycles
 */
void bench_watch_other_completed(struct bench_watch *watch, u64 arrival)
{
	watch->other_most = max(watch->other_most, bench_cycles() - arrival);
}

static enum hrtimer_restart pass(struct hrtimer *timer)
{
	struct bench_watch *watch = container_of(timer, struct bench_watch, bystander);
	ktime_t now = ktime_get();

	watch->late_ns = max(watch->late_ns,
			     ktime_to_ns(ktime_sub(now, hrtimer_get_expires(timer))));
	hrtimer_forward(timer, now, ns_to_ktime(BYSTANDER_NS));
	return HRTIMER_RESTART;
}

/**
 * bench_watch_begin - look on from now on
 * @watch: who does
 * @out: where to print
 */
void bench_watch_begin(struct bench_watch *watch, struct bench_output *out)
{
	watch->out = out;
	bench_held_most();
	WRITE_ONCE(bench_over, false);
	renew(watch, READ_ONCE(bench_mark), bench_cycles());
	watch->other_due = watch->begin;
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
	hrtimer_init(&watch->bystander, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_SOFT);
	watch->bystander.function = pass;
#else
	hrtimer_setup(&watch->bystander, pass, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_SOFT);
#endif
	hrtimer_start(&watch->bystander, ns_to_ktime(BYSTANDER_NS), HRTIMER_MODE_REL_PINNED_SOFT);
	WRITE_ONCE(bench_watches, bench_watches + 1);
}

/**
 * bench_watch_end - look on no longer
 * @watch: who does
 */
void bench_watch_end(struct bench_watch *watch)
{
	hrtimer_cancel(&watch->bystander);
	print(watch, bench_cycles());
}
