/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_CPU_H
#define _WC_CPU_H

#include <linux/percpu.h>
#include <linux/spinlock.h>

/**
 * struct wc_cpu - whose a CPU's queues and orders are
 * @up: its own, with BH disabled; nobody else touches them
 * @lock: held by whoever touches them while it is not up, and to change that
 */
struct wc_cpu {
	bool up;
	spinlock_t lock;	/* see above */
};

DECLARE_PER_CPU(struct wc_cpu, wc_cpus);

bool wc_cpu_enter(unsigned int cpu);
void wc_cpu_leave(unsigned int cpu);
int wc_cpu_init(void);
void wc_cpu_exit(void);

/**
 * wc_cpu_up - whether this CPU may submit
 *
 * Context: BH disabled; holds until it is enabled.
 */
static inline bool wc_cpu_up(void)
{
	return __this_cpu_read(wc_cpus.up);
}

#endif /* _WC_CPU_H */
