// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that come and go.
 *
 * What a CPU submits to is its own: no lock, no atomic operation, only BH
 * disabled. While it is offline others finish what it left: its tasklets run on
 * them then, and there are several, so that a lock keeps one from the other. It
 * is needed from the death of a CPU until it has come back so far that this file
 * says so; what a CPU submits before that has no order (aead.c).
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/cpuhotplug.h>
#include <linux/smp.h>

#include "cpu.h"
#include "queue.h"

DEFINE_PER_CPU(struct wc_cpu, wc_cpus);

/**
 * wc_cpu_enter - begin to touch what is a CPU's
 * @cpu: the CPU
 *
 * Context: softirq; wc_cpu_leave() is to follow in the same.
 * Return: whether that may be here. If not, the CPU is up, and it is there.
 */
bool wc_cpu_enter(unsigned int cpu)
{
	struct wc_cpu *there = per_cpu_ptr(&wc_cpus, cpu);
	bool here = cpu == smp_processor_id();

	/* A CPU that is up stays so as long as it runs anything. */
	if (here && READ_ONCE(there->up))
		return true;
	spin_lock(&there->lock);
	if (!there->up) {
		/* For sparse, which cannot know that wc_cpu_leave() follows */
		__release(&there->lock);
		return true;
	}
	spin_unlock(&there->lock);
	return false;
}

/** wc_cpu_leave - end it */
void wc_cpu_leave(unsigned int cpu)
{
	struct wc_cpu *there = per_cpu_ptr(&wc_cpus, cpu);

	/* It cannot have changed meanwhile. */
	if (!READ_ONCE(there->up)) {
		__acquire(&there->lock);
		spin_unlock(&there->lock);
	}
}

static void wc_cpu_set(unsigned int cpu, bool up)
{
	struct wc_cpu *there = per_cpu_ptr(&wc_cpus, cpu);

	spin_lock_bh(&there->lock);
	WRITE_ONCE(there->up, up);
	spin_unlock_bh(&there->lock);
}

/* On the CPU itself, which runs softirqs already. */
static int wc_cpu_online(unsigned int cpu)
{
	wc_queue_online(cpu);
	wc_cpu_set(cpu, true);
	return 0;
}

/* On another: it runs nothing any more. */
static int wc_cpu_dead(unsigned int cpu)
{
	wc_cpu_set(cpu, false);
	return 0;
}

static int wc_cpu_dead_state;
static int wc_cpu_online_state;

/** wc_cpu_init - follow CPUs that come and go */
int wc_cpu_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		spin_lock_init(&per_cpu_ptr(&wc_cpus, cpu)->lock);
	wc_cpu_dead_state =
		cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN,
					  "crypto/wavecrypt:dead", NULL,
					  wc_cpu_dead);
	if (wc_cpu_dead_state < 0)
		return wc_cpu_dead_state;
	wc_cpu_online_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN,
						"crypto/wavecrypt:online",
						wc_cpu_online, NULL);
	if (wc_cpu_online_state < 0) {
		cpuhp_remove_state_nocalls(wc_cpu_dead_state);
		return wc_cpu_online_state;
	}
	return 0;
}

/** wc_cpu_exit - follow them no longer */
void wc_cpu_exit(void)
{
	cpuhp_remove_state_nocalls(wc_cpu_online_state);
	cpuhp_remove_state_nocalls(wc_cpu_dead_state);
}
