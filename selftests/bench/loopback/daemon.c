// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "lib/numa.h"
#include "nothing.h"

/* As many as options allow. */
#define MAX_QUEUES	1024

/* A device's driver may have kernels to compile. */
#define PATIENCE_NS	(600 * NSEC_PER_SEC)

int nth_cpu(const cpu_set_t *set, uint32_t n)
{
	uint32_t nr = CPU_COUNT(set);

	if (!nr)
		return -1;
	n %= nr;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, set) && !n--)
			return cpu;
	return -1;
}

/* Workers on the last CPUs, so that players have the first ones. */
static int worker_cpu(const struct options *o, uint32_t i)
{
	cpu_set_t all;
	uint32_t nr;

	if (CPU_COUNT(&o->config.worker_cpus))
		return nth_cpu(&o->config.worker_cpus, i);
	sched_getaffinity(0, sizeof(all), &all);
	nr = CPU_COUNT(&all);
	return nth_cpu(&all, nr - 1 - i % nr);
}

static bool start_one(struct daemon *d, const struct options *o,
		      struct channel *ch, uint32_t i)
{
	uint32_t queues[MAX_QUEUES], nr = 0;
	struct worker_config wc = {
		.ch = ch,
		.queues = queues,
		.lead = i == 0,
		.end_fd = -1,
	};

	CPU_SET(worker_cpu(o, i), &wc.cpus);
	CPU_OR(&d->cpus, &d->cpus, &wc.cpus);
	for (uint32_t q = i; q < o->queues; q += o->config.workers)
		queues[nr++] = q;
	wc.nr_queues = nr;
	worker_settings(&wc, &o->config, d->backends.lanes, d->device_of[i]);
	d->workers[i] = worker_start(&wc);
	return d->workers[i];
}

/* As the daemon does it */
static bool share_devices(struct daemon *d, const struct options *o)
{
	int *node = calloc(d->nr, sizeof(*node));

	d->device_of = calloc(d->nr, sizeof(*d->device_of));
	for (uint32_t i = 0; node && i < d->nr; i++) {
		cpu_set_t cpus;

		CPU_ZERO(&cpus);
		CPU_SET(worker_cpu(o, i), &cpus);
		node[i] = numa_of_cpus("/sys", &cpus);
	}
	if (node && d->device_of)
		worker_devices(&o->config, &d->backends, node, d->nr, d->device_of);
	free(node);
	return node && d->device_of;
}

/* The daemon waits for a device, with the CPU. What comes of that is no figure of it. */
static bool devices_there(const struct backend_choice *choice)
{
	for (uint32_t i = 0; i < choice->nr; i++) {
		const struct device *dev = choice->device[i];

		if (dev->ops->there && !dev->ops->there(dev)) {
			log_err("backend %s: %s: nothing of it can be measured; 'wavecryptctl devices' lists what there is",
				dev->ops->name, dev->name);
			return false;
		}
	}
	return true;
}

bool daemon_start(struct daemon *d, const struct options *o,
		  struct channel *ch)
{
	memset(d, 0, sizeof(*d));
	if (backend_choose(&o->config, PATIENCE_NS, &d->backends) ||
	    !devices_there(&d->backends))
		return false;
	if (o->nothing) {
		nothing_settings(o->config.gpu.chunk,
				 o->config.gpu.chunks);
		d->backends.device[0] = &nothing_device;
		d->backends.nr = 1;
	}
	d->nr = o->config.workers;
	d->workers = calloc(d->nr, sizeof(*d->workers));
	if (!d->workers || !share_devices(d, o))
		return false;
	for (uint32_t i = 0; i < d->nr; i++)
		if (!start_one(d, o, ch, i))
			return false;
	return true;
}

void daemon_stats(const struct daemon *d, struct worker_stats *out)
{
	uint64_t *sum = (uint64_t *)out;

	memset(out, 0, sizeof(*out));
	for (uint32_t i = 0; i < d->nr; i++) {
		struct worker_stats one;
		const uint64_t *from = (const uint64_t *)&one;

		worker_stats_get(d->workers[i], &one);
		for (size_t k = 0; k < sizeof(one) / sizeof(*from); k++)
			sum[k] += from[k];
	}
}

void daemon_stop(struct daemon *d)
{
	for (uint32_t i = 0; d->workers && i < d->nr; i++) {
		if (!d->workers[i])
			continue;
		worker_stop(d->workers[i]);
		worker_free(d->workers[i]);
	}
	free(d->workers);
	d->workers = NULL;
}
