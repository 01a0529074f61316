// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: how long wavecrypt's tasklets run at a time
 *
 * Nothing else runs in a CPU's softirqs meanwhile, nor any process. What counts is the
 * time that the CPU worked, not what passed: in User-Mode Linux a CPU is a thread of the
 * host, which has other threads to run. So this wants that, and tracepoints; without,
 * nothing is measured.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/interrupt.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "bench.h"

#if defined(CONFIG_UML) && defined(CONFIG_TRACEPOINTS)

/* wavecrypt has two kinds of tasklets, the kernel some more */
#define FUNCS		8

/* the host's, which User-Mode Linux runs on */
#define HOST_CLOCK_GETTIME		228
#define HOST_CLOCK_THREAD_CPUTIME_ID	3

/**
 * struct held - a CPU's tasklets
 * @since: when the one that runs began, in ns of the CPU's work; 0 if it is not ours
 * @most: longest that one of ours took
 * @func: what tasklets call
 * @ours: which of these are wavecrypt's
 * @funcs: how many are known
 */
struct held {
	u64 since;
	u64 most;
	void *func[FUNCS];
	bool ours[FUNCS];
	unsigned int funcs;
};

static DEFINE_PER_CPU(struct held, held);
static struct tracepoint *entry, *exit;

static u64 worked_ns(void)
{
	struct { u64 sec, nsec; } now = { };
	long result;

	asm volatile("syscall"
		     : "=a" (result)
		     : "0" ((long)HOST_CLOCK_GETTIME), "D" ((long)HOST_CLOCK_THREAD_CPUTIME_ID),
		       "S" (&now)
		     : "rcx", "r11", "memory");
	return result ? 0 : now.sec * NSEC_PER_SEC + now.nsec;
}

static bool is_ours(struct held *here, void *func)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned int i;

	for (i = 0; i < here->funcs; i++) {
		if (here->func[i] == func)
			return here->ours[i];
	}
	if (i == FUNCS)
		return false;
	sprint_symbol(name, (unsigned long)func);
	here->func[i] = func;
	here->ours[i] = strstr(name, "[wavecrypt]");
	here->funcs++;
	return here->ours[i];
}

static void begins(void *data, struct tasklet_struct *tasklet, void *func)
{
	struct held *here = this_cpu_ptr(&held);

	here->since = is_ours(here, func) ? worked_ns() : 0;
}

static void ends(void *data, struct tasklet_struct *tasklet, void *func)
{
	struct held *here = this_cpu_ptr(&held);

	if (here->since)
		here->most = max(here->most, worked_ns() - here->since);
	here->since = 0;
}

static void find(struct tracepoint *tracepoint, void *data)
{
	if (!strcmp(tracepoint->name, "tasklet_entry"))
		entry = tracepoint;
	else if (!strcmp(tracepoint->name, "tasklet_exit"))
		exit = tracepoint;
}

/** bench_held_init - measure from now on, if that is possible */
void bench_held_init(void)
{
	for_each_kernel_tracepoint(find, NULL);
	if (!entry || !exit || tracepoint_probe_register(exit, ends, NULL)) {
		exit = NULL;
		return;
	}
	if (tracepoint_probe_register(entry, begins, NULL))
		pr_warn("tasklets cannot be watched\n");
}

/** bench_held_exit - and no longer */
void bench_held_exit(void)
{
	if (!exit)
		return;
	tracepoint_probe_unregister(entry, begins, NULL);
	tracepoint_probe_unregister(exit, ends, NULL);
	tracepoint_synchronize_unregister();
}

/**
 * bench_held_most - the longest that a tasklet of wavecrypt's took on this CPU
 *
 * Return: ns since this was asked last, or -1 if that is not known.
 */
s64 bench_held_most(void)
{
	return exit ? this_cpu_xchg(held.most, 0) : -1;
}

#else

void bench_held_init(void)
{
}

void bench_held_exit(void)
{
}

s64 bench_held_most(void)
{
	return -1;
}

#endif
