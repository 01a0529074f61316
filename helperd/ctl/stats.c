// SPDX-License-Identifier: GPL-2.0-only
/*
 * "stats": every counter of the module and of the daemon.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/ctl.h"

json_t *stats_collect(const struct ctl *c)
{
	json_t *module = sysfs_module(c), *counters = json_object();
	json_t *helper, *stats, *value;
	const char *name, *why = NULL;

	json_object_foreach(module, name, value)
		if (json_is_object(value))
			json_object_set(counters, name, value);
	helper = client_ask(c, "status", &why);
	stats = json_pack("{s:b, s:o}", "loaded", !!module, "module",
			  counters);
	if (helper)
		json_object_set(stats, "workers",
				json_object_get(helper, "workers"));
	else
		json_object_set_new(stats, "helper_error", json_string(why));
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

static void print_module(const json_t *counters)
{
	size_t nr = json_object_size(counters), i = 0;
	const char **names = calloc(nr + 1, sizeof(*names)), *name;
	json_t *value;

	if (!names)
		return;
	json_object_foreach((json_t *)counters, name, value)
		names[i++] = name;
	qsort(names, nr, sizeof(*names), by_name);
	for (i = 0; i < nr; i++) {
		printf("%s\n", names[i]);
		print_values(json_object_get(counters, names[i]));
	}
	free(names);
}

static void print_worker(size_t i, const json_t *worker)
{
	const char *name;
	json_t *value;

	printf("worker %zu on CPUs %s\n", i,
	       json_string_value(json_object_get(worker, "cpus")));
	print_values(worker);
	printf("    chunks of up to\n");
	json_object_foreach(json_object_get(worker, "chunk_sizes"), name,
			    value)
		printf("    %6s %-13s %20lld\n", name, "packets",
		       json_integer_value(value));
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
