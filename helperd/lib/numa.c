// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpulist.h"
#include "lib/numa.h"

static bool read_line(const char *path, char *line, size_t size)
{
	FILE *f = fopen(path, "re");
	bool good = f && fgets(line, size, f);

	if (f)
		fclose(f);
	return good;
}

/* Is any of the CPUs in the list in this file? */
static bool any_in(const char *path, const cpu_set_t *cpus)
{
	cpu_set_t set, both;

	if (!cpulist_read(path, &set))
		return false;
	CPU_AND(&both, &set, cpus);
	return CPU_COUNT(&both);
}

#define NODE	"/devices/system/node/node"

/* The lists of all nodes' CPUs, to be given to globfree(). false: there are none. */
static bool node_lists(const char *sysfs, glob_t *g)
{
	char pattern[PATH_MAX];

	snprintf(pattern, sizeof(pattern), "%s" NODE "[0-9]*/cpulist", sysfs);
	return !glob(pattern, 0, NULL, g);
}

int numa_of_cpus(const char *sysfs, const cpu_set_t *cpus)
{
	int node = NUMA_NONE, nr = 0;
	glob_t g;

	if (!node_lists(sysfs, &g))
		return NUMA_NONE;
	for (size_t i = 0; i < g.gl_pathc; i++) {
		if (!any_in(g.gl_pathv[i], cpus))
			continue;
		node = atoi(g.gl_pathv[i] + strlen(sysfs) + strlen(NODE));
		nr++;
	}
	globfree(&g);
	return nr == 1 ? node : NUMA_NONE;
}

bool numa_neighbours(const char *sysfs, uint32_t cpu, cpu_set_t *set)
{
	bool found = false;
	cpu_set_t node;
	glob_t g;

	if (cpu >= CPU_SETSIZE || !node_lists(sysfs, &g))
		return false;
	for (size_t i = 0; i < g.gl_pathc && !found; i++)
		found = cpulist_read(g.gl_pathv[i], &node) && CPU_ISSET(cpu, &node);
	globfree(&g);
	if (found)
		*set = node;
	return found;
}

int numa_of_pci(const char *sysfs, const char *address)
{
	char path[PATH_MAX], line[32];

	if (!address[0])
		return NUMA_NONE;
	snprintf(path, sizeof(path), "%s/bus/pci/devices/%s/numa_node", sysfs, address);
	return read_line(path, line, sizeof(line)) && atoi(line) >= 0 ?
	       atoi(line) : NUMA_NONE;
}
