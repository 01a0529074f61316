// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: what an interrupt from one CPU to another takes
 *
 * A bell is one. In User-Mode Linux it may be a signal and several system calls, and
 * in a virtual machine a way through the hypervisor, where hardware needs a
 * microsecond or two: so it belongs next to every figure of a benchmark with many CPUs.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "bench.h"

#define ROUNDS	200
#define SAMPLES	15
/* Where it takes so long that this is over first, the samples so far have to do. */
#define LONGEST	HZ

/* Busy, as a CPU under load is: one that sleeps takes longer to answer. */
static int keep_busy(void *unused)
{
	while (!kthread_should_stop()) {
		cpu_relax();
		cond_resched();
	}
	return 0;
}

static void answer(void *unused)
{
}

/**
 * bench_interrupt - measure an interrupt to a busy CPU, and the answer
 * @out: where to print a line for every sample
 *
 * Return: 0, -ENODEV if there is no other CPU, or why there is no thread.
 */
int bench_interrupt(struct bench_output *out)
{
	unsigned int cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	struct task_struct *busy;
	unsigned long end = jiffies + LONGEST;
	unsigned int i, round;
	u64 begin;

	if (cpu >= nr_cpu_ids)
		return -ENODEV;
	busy = kthread_create_on_cpu(keep_busy, NULL, cpu, "busy/%u");
	if (IS_ERR(busy))
		return PTR_ERR(busy);
	wake_up_process(busy);

	for (i = 0; i < SAMPLES && !time_after(jiffies, end); i++) {
		begin = bench_cycles();
		round = 0;
		do {
			smp_call_function_single(cpu, answer, NULL, 1);
		} while (++round < ROUNDS && !time_after(jiffies, end));
		bench_print(out, "{\"interrupt_ns\":%llu}\n",
			    bench_cycles_to_ns(bench_cycles() - begin) / round);
		cond_resched();
	}
	kthread_stop(busy);
	return 0;
}
