// SPDX-License-Identifier: GPL-2.0-only
/*
 * When a worker steps aside, and where to.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "ktap.h"
#include "worker/aside.h"

static struct aside aside;

static void window(uint32_t cpus, const uint32_t *packets)
{
	memset(&aside, 0, sizeof(aside));
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		CPU_SET(cpu, &aside.cpus);
		aside_note(&aside, cpu, packets[cpu]);
	}
}

static void one_busy(void)
{
	static const uint32_t packets[] = { 4096, 0 };
	cpu_set_t to;

	window(2, packets);
	EXPECT(aside_due(&aside), "window not over");
	EXPECT(aside_choose(&aside, 0, &to), "stays");
	EXPECT(CPU_COUNT(&to) == 1 && CPU_ISSET(1, &to), "%d CPUs",
	       CPU_COUNT(&to));
	EXPECT(!aside_due(&aside), "the window does not end");
	window(2, packets);
	EXPECT(!aside_choose(&aside, 1, &to), "moves from an idle CPU");
}

static void balanced(void)
{
	static const uint32_t packets[] = { 2100, 1996 };
	cpu_set_t to;

	window(2, packets);
	EXPECT(!aside_choose(&aside, 0, &to), "follows noise");
	window(2, packets);
	EXPECT(!aside_choose(&aside, 1, &to), "follows noise");
}

static void many(void)
{
	static const uint32_t packets[] = { 2000, 1500, 100, 500 };
	cpu_set_t to;

	window(4, packets);
	EXPECT(aside_choose(&aside, 0, &to), "stays");
	EXPECT(CPU_COUNT(&to) == 2 && CPU_ISSET(2, &to) && CPU_ISSET(3, &to),
	       "%d CPUs", CPU_COUNT(&to));
	window(4, packets);
	EXPECT(!aside_choose(&aside, 3, &to), "moves for little");
}

static void nowhere(void)
{
	static const uint32_t packets[] = { 5000 };
	cpu_set_t to;

	window(1, packets);
	EXPECT(!aside_choose(&aside, 0, &to), "moves on one CPU");
	/* Packets from CPUs that it may not run on, or that there are not. */
	aside_note(&aside, 7, 5000);
	aside_note(&aside, UINT32_MAX, 5000);
	EXPECT(!aside_choose(&aside, 0, &to), "moves for others");
}

static const struct ktap_case cases[] = {
	{ "away from the only CPU that submits", one_busy },
	{ "not for a small difference", balanced },
	{ "to all that are less busy", many },
	{ "not if there is nowhere to go", nowhere },
	{ 0 },
};

int main(void)
{
	return ktap_run(cases);
}
