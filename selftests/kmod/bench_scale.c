// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: many CPUs at a time
 *
 * Each CPU has a thread that does what is measured by itself, and all begin
 * together. Two sides take turns, as with one CPU; the first may have more CPUs
 * than the second, whose helper takes some.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/completion.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/slab.h>

#include "bench.h"

struct crowd;

/**
 * struct one - what one CPU does
 * @crowd: with whom
 * @subject: of what
 * @err: what came of it
 */
struct one {
	struct crowd *crowd;
	struct bench_subject *subject;
	int err;
};

/**
 * struct crowd - what many CPUs do
 * @step: what each of them does
 * @side: of this side
 * @us: for so long
 * @begin: completed when all are there
 * @end: completed by each that is done
 * @one: each of them
 */
struct crowd {
	int (*step)(struct bench_subject *subject, unsigned int side, unsigned int us);
	unsigned int side;
	unsigned int us;
	struct completion begin;
	struct completion end;
	struct one one[];
};

/**
 * bench_scale_cpus - on how many CPUs is a side measured?
 * @spec: of this measurement
 * @side: the side
 */
unsigned int bench_scale_cpus(const struct bench_spec *spec, unsigned int side)
{
	return max((side == 0 && spec->base_cpus) ? spec->base_cpus : spec->cpus, 1u);
}

/**
 * bench_scale_most - how many CPUs are used, by one side or the other?
 * @spec: of this measurement
 */
unsigned int bench_scale_most(const struct bench_spec *spec)
{
	return max(bench_scale_cpus(spec, 0), bench_scale_cpus(spec, 1));
}

static int prepare_step(struct bench_subject *subject, unsigned int side, unsigned int us)
{
	return subject->prepare(subject, side);
}

static int slice_step(struct bench_subject *subject, unsigned int side, unsigned int us)
{
	subject->begin(subject, side);
	return subject->run(subject, bench_ns_to_cycles(us * 1000ull));
}

static int work(void *data)
{
	struct one *one = data;
	struct crowd *crowd = one->crowd;

	wait_for_completion(&crowd->begin);
	one->err = crowd->step(one->subject, crowd->side, crowd->us);
	kthread_complete_and_exit(&crowd->end, 0);
}

/* Have all CPUs of a side do a step. What one of them finds wrong is wrong. */
static int together(struct crowd *crowd, const struct bench_spec *spec)
{
	unsigned int i, started, nr = bench_scale_cpus(spec, crowd->side);
	struct task_struct *task;
	int err = 0;

	init_completion(&crowd->begin);
	init_completion(&crowd->end);
	for (started = 0; started < nr; started++) {
		task = kthread_create(work, &crowd->one[started], "wavecrypt_bench/%u",
				      started);
		if (IS_ERR(task)) {
			err = PTR_ERR(task);
			break;
		}
		kthread_bind(task, spec->first + started);
		wake_up_process(task);
	}
	complete_all(&crowd->begin);
	for (i = 0; i < started; i++)
		wait_for_completion(&crowd->end);
	for (i = 0; i < started && !err; i++)
		err = crowd->one[i].err;
	/* what was lost is worse than what was wrong */
	for (i = 0; i < started; i++)
		if (crowd->one[i].err == -ETIMEDOUT)
			err = -ETIMEDOUT;
	return err;
}

static int do_step(struct crowd *crowd, const struct bench_spec *spec, unsigned int side,
		   int (*step)(struct bench_subject *, unsigned int, unsigned int),
		   unsigned int us)
{
	crowd->step = step;
	crowd->side = side;
	crowd->us = us;
	return together(crowd, spec);
}

/* Packets a second */
static u64 rate(const struct bench_flow *flow)
{
	u64 ns = bench_cycles_to_ns(flow->wall);

	return ns ? mul_u64_u64_div_u64(flow->submitted, NSEC_PER_SEC, ns) : 0;
}

static int report(struct crowd *crowd, const struct bench_spec *spec, struct bench_output *out)
{
	unsigned int i, nr = bench_scale_cpus(spec, crowd->side);
	u64 packets = 0, all = 0, least = U64_MAX, most = 0, gap = 0;
	u64 wall = 0, submit = 0, complete = 0;
	struct bench_subject *first = crowd->one[0].subject;
	const struct bench_flow *flow;
	int err = 0;

	for (i = 0; i < nr; i++) {
		flow = crowd->one[i].subject->flow;
		packets += flow->submitted;
		all += rate(flow);
		least = min(least, rate(flow));
		most = max(most, rate(flow));
		gap = max(gap, flow->gap);
		wall += flow->wall;
		submit += flow->submit;
		complete += flow->complete;
	}
	bench_print(out, "{\"side\":%u,\"driver\":\"%s\",\"cpus\":%u,\"packets\":%llu",
		    crowd->side, first->name(first, crowd->side), nr, packets);
	bench_print(out, ",\"pps\":%llu,\"least\":%llu,\"most\":%llu", all, least, most);
	bench_print_time(out, "gap", gap);
	bench_print_time(out, "wall", wall);
	bench_print_time(out, "submit", submit);
	bench_print_time(out, "complete", complete);
	/* latencies are those of one CPU */
	if (first->print)
		first->print(first, out);
	bench_print(out, "}\n");
	for (i = 0; i < nr && !err; i++)
		err = crowd->one[i].subject->judge(crowd->one[i].subject);
	return err;
}

static int sample(struct crowd *crowd, const struct bench_spec *spec, unsigned int side,
		  struct bench_output *out)
{
	return do_step(crowd, spec, side, slice_step, spec->warm_us) ?:
	       do_step(crowd, spec, side, slice_step, spec->slice_us) ?:
	       report(crowd, spec, out);
}

static int compare(struct crowd *crowd, const struct bench_spec *spec,
		   struct bench_output *out)
{
	unsigned int i, k;
	int err = 0;

	for (k = 0; k < BENCH_DRIVERS && !err; k++)
		err = do_step(crowd, spec, k, prepare_step, 0);
	for (k = 0; k < BENCH_DRIVERS && spec->settle_us && !err; k++)
		err = do_step(crowd, spec, k, slice_step, spec->settle_us);
	for (i = 0; i < spec->samples && !err; i++) {
		for (k = 0; k < BENCH_DRIVERS && !err; k++)
			err = sample(crowd, spec, (i + k) % BENCH_DRIVERS, out);
	}
	return err;
}

/**
 * bench_scale - take samples of both sides, on many CPUs
 * @spec: on which, and how
 * @subjects: what each of them does, bench_scale_most() many
 * @out: where to print a line for every sample: the rates of all together, of the
 *	slowest and of the fastest, the longest time that one got nothing back, and
 *	what they spent in all, submitting, and completing, all of them together
 *
 * Return: 0 or a negative error code.
 */
int bench_scale(const struct bench_spec *spec, struct bench_subject **subjects,
		struct bench_output *out)
{
	unsigned int i, nr = bench_scale_most(spec);
	struct crowd *crowd;
	int err;

	for (i = 0; i < nr; i++) {
		if (spec->first + i >= nr_cpu_ids || !cpu_online(spec->first + i)) {
			pr_err("no CPU %u\n", spec->first + i);
			return -ENXIO;
		}
	}
	crowd = kzalloc(struct_size(crowd, one, nr), GFP_KERNEL);
	if (!crowd)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		crowd->one[i].crowd = crowd;
		crowd->one[i].subject = subjects[i];
	}
	err = compare(crowd, spec, out);
	kfree(crowd);
	return err;
}
