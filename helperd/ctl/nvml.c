// SPDX-License-Identifier: GPL-2.0-only
/*
 * NVML is part of the driver, and its header of no package that building needs; it
 * promises that none of these changes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#include "ctl/nvml.h"
#include "lib/array.h"

#define LIBRARY		"libnvidia-ml.so.1"
#define TEMPERATURE_GPU	0
#define W_PER_MW	0.001

/** struct utilization - nvmlUtilization_t: percent of the time since it looked last */
struct utilization {
	unsigned int gpu;
	unsigned int memory;
};

/** struct nvml - its functions; each returns 0, or an error */
static struct nvml {
	int (*init)(void);
	int (*get_handle)(const char *address, void **gpu);
	int (*get_temperature)(void *gpu, int sensor, unsigned int *celsius);
	int (*get_power)(void *gpu, unsigned int *milliwatts);
	int (*get_utilization)(void *gpu, struct utilization *percent);
} nvml;

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	{ "nvmlInit_v2", offsetof(struct nvml, init) },
	{ "nvmlDeviceGetHandleByPciBusId_v2", offsetof(struct nvml, get_handle) },
	{ "nvmlDeviceGetTemperature", offsetof(struct nvml, get_temperature) },
	{ "nvmlDeviceGetPowerUsage", offsetof(struct nvml, get_power) },
	{ "nvmlDeviceGetUtilizationRates",
	  offsetof(struct nvml, get_utilization) },
};

static bool load(void)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; library && i < ARRAY_SIZE(functions); i++) {
		void *f = dlsym(library, functions[i].name);

		if (!f)
			return false;
		*(void **)((char *)&nvml + functions[i].offset) = f;
	}
	return library && !nvml.init();
}

/* It stays: "top" asks every second, and loading it takes a while. */
static bool there(void)
{
	static bool tried, good;

	if (!tried)
		good = load();
	tried = true;
	return good;
}

void nvml_add(json_t *device, const char *address)
{
	unsigned int celsius, milliwatts;
	struct utilization percent;
	void *gpu;

	if (!there() || nvml.get_handle(address, &gpu))
		return;
	if (!nvml.get_temperature(gpu, TEMPERATURE_GPU, &celsius))
		json_object_set_new(device, "temperature_c", json_real(celsius));
	if (!nvml.get_power(gpu, &milliwatts))
		json_object_set_new(device, "power_w",
				    json_real(milliwatts * W_PER_MW));
	if (!nvml.get_utilization(gpu, &percent))
		json_object_set_new(device, "busy", json_real(percent.gpu / 100.0));
}
