// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdbool.h>

#include "daemon/share.h"
#include "lib/numa.h"

/* How many of the first workers have it? */
static uint32_t users(struct device *const *device_of, uint32_t workers,
		      const struct device *dev)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < workers; i++)
		nr += device_of[i] == dev;
	return nr;
}

static bool is_near(const struct share *s, uint32_t worker, const struct device *dev)
{
	return s->node[worker] != NUMA_NONE && s->node[worker] == dev->node;
}

/* Is one device better than another for a worker, of whom those before it have theirs? */
static bool is_better(const struct share *s, struct device *const *device_of,
		      uint32_t worker, const struct device *dev, const struct device *than)
{
	bool near = is_near(s, worker, dev);

	if (dev->missing != than->missing)
		return than->missing;
	if (near != is_near(s, worker, than))
		return near;
	return users(device_of, worker, dev) < users(device_of, worker, than);
}

static struct device *choose(const struct share *s, struct device *const *device_of,
			     uint32_t worker)
{
	struct device *best = NULL;

	for (uint32_t d = 0; d < s->devices; d++) {
		struct device *dev = s->device[d];

		if (!best || is_better(s, device_of, worker, dev, best))
			best = dev;
	}
	return best;
}

/* The last worker of the device that has most; none, if none has several */
static struct device **spare(const struct share *s, struct device **device_of)
{
	struct device **last = NULL;
	uint32_t most = 2;

	for (uint32_t i = 0; i < s->workers; i++) {
		uint32_t nr = users(device_of, s->workers, device_of[i]);

		if (nr < most)
			continue;
		most = nr;
		last = &device_of[i];
	}
	return last;
}

void share_out(const struct share *s, struct device **device_of)
{
	for (uint32_t i = 0; i < s->workers; i++)
		device_of[i] = choose(s, device_of, i);
	for (uint32_t d = 0; d < s->devices; d++) {
		struct device **from;

		if (users(device_of, s->workers, s->device[d]))
			continue;
		from = spare(s, device_of);
		if (from)
			*from = s->device[d];
	}
}
