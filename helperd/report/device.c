// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "backends/backend.h"
#include "backends/status.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "report/device.h"
#include "report/json.h"

static const char *const states[] = {
	[DEVICE_REFUSED] = "refused",
	[DEVICE_CHANGING] = "changing",
	[DEVICE_READY] = "ready",
	[DEVICE_IN_USE] = "in use",
	[DEVICE_LOST] = "lost",
};

/* What workers that work with it have counted, summed up */
static void add_counters(json_t *device, const char *name, const json_t *workers)
{
	static const char *const counters[] = {
		"packets", "bytes", "chunks", "failed", "runs", "packed",
		"in_flight",
	};
	const json_t *worker;
	size_t i;

	for (size_t k = 0; k < ARRAY_SIZE(counters); k++) {
		json_int_t sum = 0;

		json_array_foreach(workers, i, worker) {
			const json_t *part = json_object_get(worker, "device");

			if (!strcmp(text(part, "name"), name))
				sum += number(part, counters[k]);
		}
		json_object_set_new(device, counters[k], json_integer(sum));
	}
}

/* How long until somebody tries it again; less than 0: nobody waits for that */
static double retry_s(const struct device *dev)
{
	uint64_t at = __atomic_load_n(&dev->retry_at, __ATOMIC_RELAXED);
	uint64_t now = clock_ns();

	return at > now && !device_given_up(dev) ? (double)(at - now) / NSEC_PER_SEC : -1;
}

json_t *report_device(struct device *dev, const json_t *workers)
{
	struct device_status status;
	json_t *device;

	dev->ops->status(dev, &status);
	device = json_pack("{s:s, s:o, s:o, s:i, s:b, s:s, s:o, s:b, s:i}",
			   "backend", dev->ops->name, "name", json_text(dev->name),
			   "detail", json_text(dev->ops->describe(dev)),
			   "node", dev->node,
			   "there", !dev->ops->there || dev->ops->there(dev),
			   "state", states[status.state],
			   "why", json_text(status.why),
			   "given_up", device_given_up(dev), "workers", (int)status.users);
	if (!device)
		return NULL;
	if (status.where[0])
		json_object_set_new(device, "address",
				    json_string(status.where));
	if (status.state != DEVICE_IN_USE && retry_s(dev) >= 0)
		json_object_set_new(device, "retry_s", json_real(retry_s(dev)));
	add_counters(device, dev->name, workers);
	return device;
}
