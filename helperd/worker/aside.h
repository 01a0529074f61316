/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stepping aside: a worker does not stay on the CPU that keeps it busiest.
 *
 * Submitting and completing costs that CPU time, in softirqs, which come before
 * any thread: the worker would crawl there, while another CPU that shares the
 * cache idles. The scheduler does not see it; we do, by where packets come from.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_WORKER_ASIDE_H
#define WAVECRYPT_WORKER_ASIDE_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/** ASIDE_WINDOW - packets after which it is thought over */
#define ASIDE_WINDOW	4096u

/**
 * struct aside - of one worker
 * @cpus: where it may run
 * @total: packets in this window
 * @packets: packets in this window, by the CPU that they came from
 */
struct aside {
	cpu_set_t cpus;
	uint32_t total;
	uint32_t packets[CPU_SETSIZE];
};

/** aside_note - @n packets came from @cpu */
static inline void aside_note(struct aside *a, uint32_t cpu, uint32_t n)
{
	if (cpu < CPU_SETSIZE)
		a->packets[cpu] += n;
	a->total += n;
}

/** aside_due - is the window over? */
static inline bool aside_due(const struct aside *a)
{
	return a->total >= ASIDE_WINDOW;
}

/**
 * aside_choose - where to run from now on
 * @a: what came in this window; begins the next one
 * @cpu: where we run
 * @to: where to go
 *
 * Return: false to stay. Moving is worth it if at least a quarter of the
 * packets came from @cpu, and another CPU brings less than half as many: the
 * rest is noise, and following it would only spoil the caches.
 */
bool aside_choose(struct aside *a, uint32_t cpu, cpu_set_t *to);

#endif
