/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * What executes an agent's kernels: HSA_EMU_THREADS threads (two) take turns at
 * all work-groups that are resident, so that groups which wait for one another,
 * or for the host, get on as they would on compute units.
 */
#ifndef RT_DEVICE_H
#define RT_DEVICE_H

#include "../gcn/wave.h"
#include "inject.h"
#include "queue.h"

struct device;
struct kernel;

/* Upper half of the addresses that are local memory to flat instructions */
enum { LDS_APERTURE = 0x10000 };

/**
 * struct dispatch - a kernel dispatch packet under way
 * @launch: what its groups have in common
 * @queue: whose packet it is
 * @kernel: what it runs
 * @packet: the packet's number
 * @completion: signal to be told, or NULL
 * @total: work-groups in all
 * @next: the first that was not begun
 * @done: how many are through
 * @resident: how many are begun and not through
 * @max_resident: how many of these may be
 * @share: of the GPU's room, what each takes
 * @cancelled: it goes no further
 * @inject: how it is to fail
 * @count: instructions executed
 * @list: in the device's list
 */
struct dispatch {
	struct launch launch;
	struct queue *queue;
	const struct kernel *kernel;
	u64 packet;
	struct signal *completion;
	u32 total, next, done, resident, max_resident, share;
	bool cancelled;
	enum injection inject;
	u64 count[CLASSES];
	struct dispatch *list;
};

/* All of a GPU's room for work-groups, of whatever dispatches */
enum { DEVICE_ROOM = 1 << 24 };

struct device *device_create(struct agent *a);
void device_destroy(struct device *dev);

/**
 * device_launch() - begin to execute
 * @dev: where
 * @d: what, allocated; the device frees it
 */
void device_launch(struct device *dev, struct dispatch *d);

/**
 * device_cancel() - end all dispatches of a queue as they are
 * @dev: where
 * @q: the queue
 *
 * When this returns, none of them is executed any more.
 */
void device_cancel(struct device *dev, struct queue *q);

#endif
