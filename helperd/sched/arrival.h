/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device's chunk back in the order in which its packets arrived, about.
 *
 * Sorted for the device, packets would be completed out of order: the module has
 * to restore each SA's, and what waits there waits longer. And slots that were
 * neighbours, which can be copied in one go, would be taken again in any order.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_SCHED_ARRIVAL_H
#define WAVECRYPT_SCHED_ARRIVAL_H

#include <stdbool.h>

#include "backends/chunk.h"
#include "channel/queue.h"

/**
 * struct arrival - what that needs
 * @queues: the crew's, by place
 * @shift: of a queue's number to the first of its places
 * @words: number of words of @present
 * @present: a bit for each place: is its packet in the chunk?
 */
struct arrival {
	struct queue *queues;
	uint32_t shift;
	uint32_t words;
	uint64_t *present;
};

/**
 * arrival_init - set it up
 * @a: to set up
 * @queues: the crew's, by place
 * @nr_queues: how many
 * @entries: of each of them, a power of two
 *
 * Return: false: no memory.
 */
bool arrival_init(struct arrival *a, struct queue *queues, uint32_t nr_queues,
		  uint32_t entries);

/** arrival_exit - free it */
void arrival_exit(struct arrival *a);

/** arrival_restore - put a chunk's packets in order; its parts mean nothing then */
void arrival_restore(struct arrival *a, struct chunk *c);

#endif
