// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ctl/sensors.h"
#include "ctl/nvml.h"
#include "ctl/vendor.h"
#include "lib/array.h"
#include "report/json.h"

/* Of a device's directory, and of a file below it */
#define DIR_ROOM	2048
#define PATH_ROOM	(DIR_ROOM + 64)

/* The number in the first file of that pattern */
static bool read_number(const char *pattern, double *n)
{
	bool good = false;
	FILE *f = NULL;
	glob_t g;

	if (!glob(pattern, 0, NULL, &g))
		f = fopen(g.gl_pathv[0], "re");
	globfree(&g);
	if (f) {
		good = fscanf(f, "%lf", n) == 1;
		fclose(f);
	}
	return good;
}

/**
 * struct file - what the kernel shows of a device
 * @key: what it is called here
 * @pattern: files below the device's directory
 * @unit: what it is multiplied by
 */
struct file {
	const char *key;
	const char *pattern;
	double unit;
};

/* Of two of the same, the first that is there */
static const struct file files[] = {
	{ "busy", "gpu_busy_percent", 0.01 },
	{ "temperature_c", "hwmon/hwmon*/temp1_input", 0.001 },
	{ "power_w", "hwmon/hwmon*/power1_average", 0.000001 },
	{ "power_w", "hwmon/hwmon*/power1_input", 0.000001 },
};

static void add_files(json_t *device, const char dir[DIR_ROOM])
{
	char pattern[PATH_ROOM];
	double n;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(pattern, sizeof(pattern), "%s/%s", dir,
			 files[i].pattern);
		if (!json_object_get(device, files[i].key) &&
		    read_number(pattern, &n))
			json_object_set_new(device, files[i].key,
					    json_real(n * files[i].unit));
	}
}

static bool is_nvidia(const char dir[DIR_ROOM])
{
	char path[PATH_ROOM], vendor[16] = "";
	FILE *f;

	snprintf(path, sizeof(path), "%s/vendor", dir);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (fscanf(f, "%15s", vendor) != 1)
		vendor[0] = '\0';
	fclose(f);
	return !strcmp(vendor, vendors[VENDOR_NVIDIA].pci);
}

json_t *sensors_ask(const struct ctl *c, const char **why)
{
	json_t *helper = client_ask(c, "status", why), *device;
	size_t i;

	json_array_foreach(json_object_get(helper, "devices"), i, device) {
		const char *address = text(device, "address");
		char dir[DIR_ROOM];

		/* It is the daemon's word: no path. */
		if (!address[0] || strspn(address, "0123456789abcdef:.") !=
				   strlen(address))
			continue;
		snprintf(dir, sizeof(dir), "%s/sys/bus/pci/devices/%s", c->root,
			 address);
		add_files(device, dir);
		if (is_nvidia(dir))
			nvml_add(device, address);
	}
	return helper;
}

/* " 61 C", if it is known */
static void print_real(const json_t *device, const char *key, double unit,
		       const char *format)
{
	if (json_object_get(device, key))
		printf(format, unit * figure(device, key));
}

static void print_counters(const json_t *device)
{
	printf("         %lld workers, %lld chunks in flight; ",
	       (long long)number(device, "workers"),
	       (long long)number(device, "in_flight"));
	printf("%lld packets, %lld bytes, %lld of %lld chunks failed\n",
	       (long long)number(device, "packets"),
	       (long long)number(device, "bytes"),
	       (long long)number(device, "failed"),
	       (long long)number(device, "chunks"));
}

/* What it tells of itself, if anything */
static void print_driver(const json_t *device)
{
	if (!json_object_get(device, "busy") &&
	    !json_object_get(device, "temperature_c") &&
	    !json_object_get(device, "power_w"))
		return;
	printf("         its driver says:");
	print_real(device, "busy", 100, " %.0f %% busy");
	print_real(device, "temperature_c", 1, " %.0f C");
	print_real(device, "power_w", 1, " %.0f W");
	printf("\n");
}

void sensors_print(const json_t *devices)
{
	const json_t *device;
	size_t i;

	json_array_foreach(devices, i, device) {
		printf("device   %s", text(device, "name"));
		if (number(device, "node") >= 0)
			printf(", NUMA node %lld",
			       (long long)number(device, "node"));
		printf(": %s", text(device, "state"));
		if (text(device, "why")[0])
			printf(" (%s)", text(device, "why"));
		print_real(device, "retry_s", 1, ", tried again in %.1f s");
		printf("\n");
		print_counters(device);
		print_driver(device);
	}
}
