// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/cpu/imb.h"
#if WAVECRYPT_HSA
#include "backends/hsa/instance.h"
#endif
#include "backends/opencl/opencl.h"
#include "daemon/config.h"
#include "daemon/registry.h"
#include "lib/log.h"

const struct backend_ops *const backends[] = {
#if WAVECRYPT_HSA
	&hsa_backend,
#endif
	&opencl_backend,
	&cpu_backend,
	NULL,
};

const struct backend_ops *backend_find(const char *name)
{
	for (size_t i = 0; backends[i]; i++)
		if (!strcmp(backends[i]->name, name))
			return backends[i];
	return NULL;
}

enum backend_there backend_devices_there(const struct config *config, char *why)
{
	const struct backend_ops *ops = backend_find(config->backend);
	struct gpu_chosen chosen;
	struct gpu_list list;
	const char *unknown;

	if (!ops->look || !strcmp(ops->wanted(&config->gpu), GPU_AUTO))
		return BACKEND_THERE;
	unknown = ops->look(&config->gpu, &list);
	if (unknown) {
		snprintf(why, BACKEND_WHY, "%s", unknown);
		return BACKEND_UNKNOWN;
	}
	return gpu_choose(&list, ops->wanted(&config->gpu), &chosen, why) ?
	       BACKEND_THERE : BACKEND_MISSING;
}

static bool probe(struct device *dev)
{
	const char *why = dev->ops->probe(dev);

	if (why) {
		log_err("backend %s: %s", dev->ops->name, why);
		return false;
	}
	log_info("backend %s: %s", dev->ops->name, dev->ops->describe(dev));
	return true;
}

/* So many workers there will be, or, where groups of CPUs are uneven, some more. */
static uint32_t workers_expected(const struct config *config)
{
	cpu_set_t cpus;

	if (config->workers)
		return config->workers;
	sched_getaffinity(0, sizeof(cpus), &cpus);
	return (CPU_COUNT(&cpus) + config->queues_per_worker - 1) /
	       config->queues_per_worker;
}

bool backend_choose(const struct config *config, struct backend_choice *choice)
{
	const struct backend_ops *wanted = backend_find(config->backend);

	choice->lanes = &cpu_device;
	choice->device = wanted->beside ? wanted->device(&config->gpu) : NULL;
	if (!probe(choice->lanes))
		return false;
	imb_prepare(workers_expected(config));
	if (choice->device && !probe(choice->device))
		log_warn("backend %s: the CPU does its work until it is there",
			 choice->device->ops->name);
	return true;
}
