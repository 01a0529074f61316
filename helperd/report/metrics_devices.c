// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>

#include "lib/array.h"
#include "report/exposition.h"
#include "report/json.h"
#include "report/metrics_devices.h"

/**
 * struct figure - a number of a device's
 * @key: what it is called
 * @metric: and among metrics
 */
struct figure {
	const char *key;
	struct metric metric;
};

static const struct figure figures[] = {
	{ "workers", { "wavecrypt_device_workers", "gauge",
		"Workers that have an instance of the device." } },
	{ "in_flight", { "wavecrypt_device_chunks_in_flight", "gauge",
		"Batches that the device has." } },
	{ "packets", { "wavecrypt_device_packets_total", "counter",
		"Packets that the device did." } },
	{ "bytes", { "wavecrypt_device_bytes_total", "counter",
		"Their payload." } },
	{ "chunks", { "wavecrypt_device_chunks_total", "counter",
		"Batches that it was given." } },
	{ "failed", { "wavecrypt_device_failed_chunks_total", "counter",
		"Batches that it gave back undone." } },
	{ "runs", { "wavecrypt_device_runs_total", "counter",
		"Runs of neighbouring packets that were copied to it as they lay." } },
	{ "packed", { "wavecrypt_device_packed_packets_total", "counter",
		"Packets that were collected for it one by one." } },
	{ "retry_s", { "wavecrypt_device_retry_seconds", "gauge",
		"Time until a device that is not there is tried again." } },
	{ "node", { "wavecrypt_device_numa_node", "gauge",
		"The NUMA node that the device is at; -1: that does not matter." } },
	{ "busy", { "wavecrypt_device_busy_ratio", "gauge",
		"Part of the time that the device was busy, with whatever, by its driver." } },
	{ "temperature_c", { "wavecrypt_device_temperature_celsius", "gauge",
		"Temperature of the device, by its driver." } },
	{ "power_w", { "wavecrypt_device_power_watts", "gauge",
		"Power that the device takes, by its driver." } },
};

/* 1 for the state that it is in, 0 for the others */
static void put_state(json_t *metrics, const char *labels, const char *state)
{
	static const char *const states[] = {
		"in use", "ready", "changing", "lost", "refused",
	};
	static const struct metric m = {
		"wavecrypt_device_state", "gauge",
		"1 for what the device is to the daemon."
	};

	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		char with[LABELS];

		strcpy(with, labels);
		label(with, "state", states[i]);
		expose(metrics, &m, with, !strcmp(state, states[i]));
	}
}

void metrics_devices(json_t *metrics, const json_t *devices)
{
	const json_t *device;
	size_t i;

	json_array_foreach(devices, i, device) {
		char labels[LABELS] = "";

		label(labels, "device", text(device, "name"));
		label(labels, "backend", text(device, "backend"));
		put_state(metrics, labels, text(device, "state"));
		for (size_t k = 0; k < ARRAY_SIZE(figures); k++) {
			const json_t *value =
				json_object_get(device, figures[k].key);

			if (value)
				expose(metrics, &figures[k].metric, labels,
				       json_number_value(value));
		}
	}
}
