// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which of several devices each worker works with; and what nodes CPUs and devices are
 * of, in a made-up /sys.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/share.h"
#include "ktap.h"
#include "lib/array.h"
#include "lib/cpulist.h"
#include "lib/numa.h"

#define MOST	16

/**
 * struct wish - who gets what
 * @devices: nodes of the devices, from "0" to "9", "-": none, "?": one is missing
 * @workers: likewise of the workers
 * @shared: which device each gets
 */
struct wish {
	const char *devices, *workers, *shared;
};

static int node_of(char c)
{
	return c == '-' || c == '?' ? NUMA_NONE : c - '0';
}

static void check(const struct wish *wish)
{
	struct device devices[MOST], *device[MOST], *device_of[MOST];
	char shared[MOST + 1] = "";
	int node[MOST];
	struct share s = {
		.workers = strlen(wish->workers),
		.node = node,
		.devices = strlen(wish->devices),
		.device = device,
	};

	for (uint32_t i = 0; i < s.devices; i++) {
		devices[i].node = node_of(wish->devices[i]);
		devices[i].missing = wish->devices[i] == '?';
		device[i] = &devices[i];
	}
	for (uint32_t i = 0; i < s.workers; i++)
		node[i] = node_of(wish->workers[i]);
	share_out(&s, device_of);
	for (uint32_t i = 0; i < s.workers; i++)
		shared[i] = device_of[i] ? '0' + (device_of[i] - devices) : '-';
	EXPECT(!strcmp(shared, wish->shared), "devices on %s, workers on %s: %s, not %s",
	       wish->devices, wish->workers, shared, wish->shared);
}

static void shared_out(void)
{
	static const struct wish wishes[] = {
		/* None, one, and no nodes */
		{ "", "0011", "----" },
		{ "1", "0-11", "0000" },
		{ "--", "----", "0101" },
		{ "--", "0011", "0101" },
		{ "01", "-----", "01010" },
		/* Near ones */
		{ "01", "0011", "0011" },
		{ "10", "000111", "111000" },
		{ "0011", "00001111", "01012323" },
		{ "0-", "0000", "0001" },
		/* None is left out while another has several workers */
		{ "01", "0000", "0001" },
		{ "0012", "000000", "010132" },
		{ "01", "0", "0" },
		{ "0001", "01", "03" },
		{ "55", "0011", "0101" },
		/* What is missing has one that waits for it, if one can be spared */
		{ "-?", "-----", "00001" },
		{ "?0?1", "00001111", "11123330" },
		{ "01?", "01", "01" },
		{ "-?", "-", "0" },
		{ "??", "----", "0101" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(wishes); i++)
		check(&wishes[i]);
}

static char sysfs[64];

static void put(const char *file, const char *text)
{
	char command[256];

	snprintf(command, sizeof(command),
		 "f=%s/%s; mkdir -p ${f%%/*} && echo '%s' >$f", sysfs, file, text);
	EXPECT(!system(command), "%s", command);
}

static int node_of_cpus(const char *list)
{
	cpu_set_t cpus;

	EXPECT(cpulist_parse(list, &cpus, NULL), "%s", list);
	return numa_of_cpus(sysfs, &cpus);
}

static void nodes(void)
{
	static const struct {
		const char *cpus;
		int node;
	} cases[] = {
		{ "0", 0 }, { "2-3", 0 }, { "4", 12 }, { "6-7", 12 },
		{ "3-4", NUMA_NONE }, { "0-7", NUMA_NONE }, { "9", NUMA_NONE },
	};

	EXPECT(node_of_cpus("0") == NUMA_NONE, "a node of nothing");
	put("devices/system/node/node0/cpulist", "0-3");
	put("devices/system/node/node12/cpulist", "4-7");
	/* Of memory alone */
	put("devices/system/node/node2/cpulist", "");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		EXPECT(node_of_cpus(cases[i].cpus) == cases[i].node, "CPUs %s: %d",
		       cases[i].cpus, node_of_cpus(cases[i].cpus));
	put("bus/pci/devices/0000:04:00.0/numa_node", "1");
	put("bus/pci/devices/0000:05:00.0/numa_node", "-1");
	EXPECT(numa_of_pci(sysfs, "0000:04:00.0") == 1, "not 1");
	EXPECT(numa_of_pci(sysfs, "0000:05:00.0") == NUMA_NONE, "some");
	EXPECT(numa_of_pci(sysfs, "0000:06:00.0") == NUMA_NONE, "of nothing");
	EXPECT(numa_of_pci(sysfs, "") == NUMA_NONE, "of no place");
}

static const struct ktap_case cases[] = {
	{ "devices are shared out", shared_out },
	{ "nodes of CPUs and devices", nodes },
	{ 0 },
};

int main(void)
{
	char command[128];
	int status;

	snprintf(sysfs, sizeof(sysfs), "/tmp/share.%d", getpid());
	status = ktap_run(cases);
	snprintf(command, sizeof(command), "rm -rf %s", sysfs);
	return system(command) ? EXIT_FAILURE : status;
}
