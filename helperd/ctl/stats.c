// SPDX-License-Identifier: GPL-2.0-only
/*
 * "stats": every counter of the module and of the daemon.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/sensors.h"
#include "report/join.h"
#include "report/json.h"
#include "report/sysfs.h"

json_t *stats_collect(const struct ctl *c)
{
	json_t *module = sysfs_module(c->root), *helper, *stats;
	const char *why = NULL;

	helper = sensors_ask(c, &why);
	stats = stats_join(module, helper, why);
	stats_mode(stats, sysfs_mode(c->root));
	json_decref(helper);
	json_decref(module);
	return stats;
}

static int by_name(const void *a, const void *b)
{
	/* queue2 before queue10 */
	return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_values(const json_t *values)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)values, name, value)
		if (json_is_integer(value))
			printf("    %-20s %20lld\n", name,
			       json_integer_value(value));
}

/* An algorithm that nothing has asked for yet */
static bool is_idle(const char *name, const json_t *values)
{
	json_t *value;
	const char *key;

	if (!strchr(name, '.'))
		return false;
	json_object_foreach((json_t *)values, key, value)
		if (json_integer_value(value))
			return false;
	return true;
}

static void print_ranges(const json_t *ranges, const char *what,
			 const char *unit)
{
	const char *name;
	json_t *value;

	printf("    %s\n", what);
	json_object_foreach((json_t *)ranges, name, value)
		printf("    %10s %-9s %20lld\n",
		       ranges_rest(name) ? "more" : name,
		       ranges_rest(name) ? "" : unit,
		       json_integer_value(value));
}

/* A directory of the module's: counters, and then ranges */
static void print_directory(const char *name, const json_t *values)
{
	const char *key;
	json_t *value;

	printf("%s\n", name);
	print_values(values);
	json_object_foreach((json_t *)values, key, value)
		if (json_is_object(value))
			print_ranges(value, key, "ns");
}

static void print_module(const json_t *counters)
{
	size_t nr = json_object_size(counters), i = 0;
	const char **names = calloc(nr + 1, sizeof(*names)), *name;
	json_t *value;

	if (!names)
		return;
	json_object_foreach((json_t *)counters, name, value)
		if (!is_idle(name, value))
			names[i++] = name;
	nr = i;
	qsort(names, nr, sizeof(*names), by_name);
	for (i = 0; i < nr; i++)
		print_directory(names[i], json_object_get(counters, names[i]));
	free(names);
}

/* A worker without one has counters of it, too, that are 0. */
static void print_device(const json_t *device)
{
	if (!text(device, "name")[0])
		return;
	printf("    with device %s\n", text(device, "name"));
	print_values(device);
}

static void print_worker(size_t i, const json_t *worker)
{
	const char *name;
	char what[128];
	json_t *value;

	printf("worker %zu on CPUs %s\n", i, text(worker, "cpus"));
	print_values(worker);
	print_ranges(json_object_get(worker, "chunk_sizes"), "chunks of up to",
		     "packets");
	print_ranges(json_object_get(worker, "turn_ns"),
		     "turns that took up to", "ns");
	json_object_foreach(json_object_get(worker, "bins"), name, value) {
		snprintf(what, sizeof(what), "packets of %s, up to", name);
		print_ranges(value, what, "bytes");
	}
	print_device(json_object_get(worker, "device"));
}

void stats_print(const json_t *stats)
{
	const json_t *worker, *error = json_object_get(stats, "helper_error");
	size_t i;

	if (json_is_true(json_object_get(stats, "loaded")))
		print_module(json_object_get(stats, "module"));
	else
		printf("module: not loaded\n");
	if (error)
		printf("helper: %s\n", json_string_value(error));
	json_array_foreach(json_object_get(stats, "workers"), i, worker)
		print_worker(i, worker);
}
