// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a queue's memory is: what its CPU and the helper pass to each other lies on that
 * CPU's NUMA node, whichever CPU it was that attached.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "peer.h"

#define PAGE		4096u
#define ENTRIES		64
#define NODES		64

/* Of a CPU, as the kernel has it */
static int node_of(uint32_t cpu)
{
	char name[80];

	for (int node = 0; node < NODES; node++) {
		snprintf(name, sizeof(name), "/sys/devices/system/cpu/cpu%u/node%d", cpu, node);
		if (!access(name, F_OK))
			return node;
	}
	errx(2, "CPU %u is on no node", cpu);
}

/* How many pages from @at on are on another node; adds to @pages how many there are. */
static uint32_t elsewhere(const volatile uint8_t *at, uint64_t size, int node, uint32_t *pages)
{
	uint32_t nr = size / PAGE, wrong = 0;
	const void **page = calloc(nr, sizeof(*page));
	int *status = calloc(nr, sizeof(*status));

	if (!page || !status)
		err(2, "memory");
	for (uint32_t i = 0; i < nr; i++) {
		page[i] = (const void *)(at + i * PAGE);
		/* Before, it is nowhere. */
		(void)at[i * PAGE];
	}
	if (syscall(SYS_move_pages, 0, (unsigned long)nr, page, NULL, status, 0))
		err(2, "move_pages");
	for (uint32_t i = 0; i < nr; i++)
		wrong += status[i] != node;
	free(page);
	free(status);
	*pages += nr;
	return wrong;
}

/* attach_from CPU: how many pages of all queues are not where they should be */
static uint32_t attach_from(int cpu)
{
	uint32_t wrong, all = 0;
	struct peer_queue queue;
	struct peer peer;
	cpu_set_t set;
	int result;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "CPU %d", cpu);
	result = peer_open(&peer, 0, ENTRIES);
	if (result)
		errx(2, "attaching: %s", strerror(result));
	for (uint32_t i = 0; i < peer.at.queues; i++) {
		uint32_t pages = 0;
		int node;

		peer_queue(&peer, i, &queue);
		node = node_of(queue.sq->cpu);
		wrong = elsewhere((const uint8_t *)queue.sq, peer.at.sq_stride, node, &pages);
		wrong += elsewhere((const uint8_t *)queue.cq, peer.at.cq_stride, node, &pages);
		wrong += elsewhere(peer.map[WAVECRYPT_REGION_SLOTS] + i * peer.at.slot_stride,
				   peer.at.slot_stride, node, &pages);
		printf("attached from CPU %d: of %u pages for CPU %u, %u are not on node %d\n",
		       cpu, pages, queue.sq->cpu, wrong, node);
		all += wrong;
	}
	peer_close(&peer);
	return all;
}

int main(void)
{
	uint32_t wrong = 0;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		err(2, "CPUs");
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			wrong += attach_from(cpu);
	return !!wrong;
}
