// SPDX-License-Identifier: GPL-2.0-only
/*
 * Placement of workers. What CPUs there are is made up in a directory; which of
 * them may be used is asked of the kernel, and answered here.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/placement.h"
#include "ktap.h"
#include "lib/array.h"
#include "lib/cpulist.h"

static char sysfs[64];
static cpu_set_t usable, online;

/* In place of libc's. */
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	(void)pid;
	memcpy(set, &usable, size);
	return 0;
}

/* Of a list the kernel names only what is online. */
static void put(const char *what, uint32_t nr, const char *dir, const char *file,
		uint32_t first, uint32_t last)
{
	char path[256], list[256];
	cpu_set_t set;
	FILE *f;

	snprintf(path, sizeof(path), "mkdir -p %s/devices/system/%s%u/%s",
		 sysfs, what, nr, dir);
	EXPECT(!system(path), "%s", path);
	snprintf(path, sizeof(path), "%s/devices/system/%s%u/%s/%s",
		 sysfs, what, nr, dir, file);
	f = fopen(path, "w");
	EXPECT(f, "%s", path);
	if (!f)
		return;
	CPU_ZERO(&set);
	for (; first <= last; first++)
		CPU_SET(first, &set);
	CPU_AND(&set, &set, &online);
	cpulist_format(&set, list, sizeof(list));
	fprintf(f, "%s\n", list);
	fclose(f);
}

/* A machine of @nr CPUs in one package, each @share of them with an L3; of those that are
 * offline it says nothing.
 */
static void machine_without(const char *offline, uint32_t nr, uint32_t share)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s/devices", sysfs);
	EXPECT(!system(command), "%s", command);
	cpulist_parse(offline, &usable, NULL);
	CPU_ZERO(&online);
	for (uint32_t cpu = 0; cpu < nr; cpu++)
		if (!CPU_ISSET(cpu, &usable))
			CPU_SET(cpu, &online);
	usable = online;
	for (uint32_t cpu = 0; cpu < nr; cpu++) {
		uint32_t first = share ? cpu / share * share : 0;

		if (!CPU_ISSET(cpu, &online))
			continue;
		if (share)
			put("cpu/cpu", cpu, "cache/index3", "shared_cpu_list", first,
			    first + share - 1);
		put("cpu/cpu", cpu, "topology", "package_cpus_list", 0, nr - 1);
	}
}

static void machine(uint32_t nr, uint32_t share)
{
	machine_without("", nr, share);
}

/* Each @share of its CPUs are a node. */
static void nodes(uint32_t nr, uint32_t share)
{
	for (uint32_t node = 0; node < nr / share; node++)
		put("node/node", node, "", "cpulist", node * share,
		    (node + 1) * share - 1);
}

/* Make a placement for one queue per CPU and check what is always true. */
static struct placement place(uint32_t nr, uint32_t workers, uint32_t per,
			      const char *named)
{
	uint32_t cpus[256], served[256] = { 0 }, seats[256] = { 0 };
	struct placement_wish wish = {
		.queue_cpus = cpus,
		.nr_queues = nr,
		.online = &online,
		.workers = workers,
		.queues_per_worker = per,
		.sysfs = sysfs,
	};
	struct placement p;
	cpu_set_t set;

	for (uint32_t i = 0; i < nr; i++)
		cpus[i] = i;
	CPU_ZERO(&set);
	if (named)
		EXPECT(cpulist_parse(named, &set, NULL), "%s", named);
	wish.cpus = &set;
	EXPECT(placement_make(&wish, &p), "no memory");
	EXPECT(p.nr >= 1 && p.nr <= (uint32_t)CPU_COUNT(&usable) &&
	       p.nr <= nr, "%u workers for %u queues", p.nr, nr);
	for (uint32_t i = 0; i < p.nr; i++) {
		uint32_t group = p.place[i].group;

		EXPECT(group < p.nr_groups && p.place[i].seat == seats[group]++,
		       "worker %u has seat %u of group %u", i, p.place[i].seat,
		       group);
		EXPECT(p.place[i].nr_queues, "worker %u has nothing", i);
		EXPECT(CPU_COUNT(&p.place[i].cpus), "worker %u is nowhere", i);
		CPU_AND(&set, &p.place[i].cpus, &usable);
		EXPECT(CPU_EQUAL(&set, &p.place[i].cpus),
		       "worker %u is where it may not be", i);
		for (uint32_t q = 0; q < p.place[i].nr_queues; q++)
			served[p.place[i].queues[q]]++;
	}
	for (uint32_t q = 0; q < nr; q++)
		EXPECT(served[q] == 1, "queue %u served %u times", q,
		       served[q]);
	return p;
}

static void expect_cpus(const struct placement *p, uint32_t i,
			const char *cpus)
{
	char text[256];

	cpulist_format(&p->place[i].cpus, text, sizeof(text));
	EXPECT(!strcmp(text, cpus), "worker %u runs on %s, not on %s", i, text,
	       cpus);
}

static void small_machine(void)
{
	struct placement p;

	machine(2, 2);
	p = place(2, 0, 4, NULL);
	EXPECT(p.nr == 1, "%u workers", p.nr);
	expect_cpus(&p, 0, "0-1");
	placement_free(&p);

	machine(1, 0);
	p = place(1, 0, 4, NULL);
	EXPECT(p.nr == 1, "%u workers", p.nr);
	placement_free(&p);
}

static void by_cache(void)
{
	struct placement p;

	machine(16, 8);
	p = place(16, 0, 4, NULL);
	EXPECT(p.nr == 4, "%u workers", p.nr);
	expect_cpus(&p, 0, "0-7");
	expect_cpus(&p, 1, "0-7");
	expect_cpus(&p, 2, "8-15");
	expect_cpus(&p, 3, "8-15");
	for (uint32_t i = 0; i < p.nr; i++)
		for (uint32_t q = 0; q < p.place[i].nr_queues; q++)
			EXPECT(CPU_ISSET(p.place[i].queues[q],
					 &p.place[i].cpus),
			       "worker %u serves queue %u of another cache",
			       i, p.place[i].queues[q]);
	placement_free(&p);
}

/* Hypervisors that give each CPU a cache of its own, or say nothing. */
static void no_shared_cache(void)
{
	struct placement p;

	machine(8, 1);
	p = place(8, 0, 4, NULL);
	EXPECT(p.nr == 2, "%u workers", p.nr);
	expect_cpus(&p, 0, "0-7");
	placement_free(&p);

	machine(8, 0);
	p = place(8, 0, 4, NULL);
	EXPECT(p.nr == 2, "%u workers", p.nr);
	placement_free(&p);
}

/* Each is on the node of the queues that it serves, where their memory is. */
static void expect_nodes(uint32_t share)
{
	struct placement p = place(16, 0, 4, NULL);

	EXPECT(p.nr == 4, "%u workers", p.nr);
	for (uint32_t i = 0; i < p.nr; i++)
		for (uint32_t cpu = 0; cpu < 16; cpu++)
			for (uint32_t q = 0; q < p.place[i].nr_queues; q++)
				EXPECT(!CPU_ISSET(cpu, &p.place[i].cpus) ||
				       cpu / share == p.place[i].queues[q] / share,
				       "worker %u of queue %u runs on CPU %u", i,
				       p.place[i].queues[q], cpu);
	placement_free(&p);
}

/* Several in a package, whether all of it share a cache, some, or none; or hypervisors that
 * give each CPU a package of its own.
 */
static void by_node(void)
{
	static const uint32_t caches[] = { 0, 1, 4, 16 };
	struct placement p;

	for (uint32_t i = 0; i < ARRAY_SIZE(caches); i++) {
		machine(16, caches[i]);
		nodes(16, 8);
		expect_nodes(8);
	}
	machine(16, 0);
	for (uint32_t cpu = 0; cpu < 16; cpu++)
		put("cpu/cpu", cpu, "topology", "package_cpus_list", cpu, cpu);
	nodes(16, 8);
	p = place(16, 0, 4, NULL);
	expect_cpus(&p, 0, "0-7");
	expect_cpus(&p, 3, "8-15");
	placement_free(&p);

	/* Where they may run on one alone, they serve both. */
	machine(16, 8);
	nodes(16, 8);
	for (uint32_t cpu = 8; cpu < 16; cpu++)
		CPU_CLR(cpu, &usable);
	p = place(16, 0, 4, NULL);
	EXPECT(p.nr == 4, "%u workers", p.nr);
	expect_cpus(&p, 0, "0-7");
	placement_free(&p);
}

static void asked_for(void)
{
	struct placement p;

	machine(16, 8);
	for (uint32_t n = 1; n <= 20; n++) {
		p = place(16, n, 4, NULL);
		EXPECT(p.nr == (n < 16 ? n : 16), "%u workers, not %u", p.nr,
		       n);
		placement_free(&p);
	}
	p = place(16, 1, 4, NULL);
	expect_cpus(&p, 0, "0-15");
	placement_free(&p);
}

static void pinned(void)
{
	struct placement p;

	machine(16, 8);
	p = place(16, 2, 4, "3,11");
	EXPECT(p.nr == 2, "%u workers", p.nr);
	expect_cpus(&p, 0, "3");
	expect_cpus(&p, 1, "11");
	placement_free(&p);

	/* No more workers than CPUs named. */
	p = place(16, 0, 1, "5-7");
	EXPECT(p.nr == 3, "%u workers", p.nr);
	expect_cpus(&p, 0, "5");
	expect_cpus(&p, 2, "7");
	placement_free(&p);
}

/* Each among those that its queues' CPUs share a cache with. */
static void pinned_by_cache(void)
{
	struct placement p;

	machine(16, 8);
	p = place(16, 2, 4, "1-3,11");
	EXPECT(p.nr == 2, "%u workers", p.nr);
	EXPECT(p.place[0].queues[0] < 8 && p.place[1].queues[0] >= 8, "queues");
	expect_cpus(&p, 0, "1");
	expect_cpus(&p, 1, "11");
	placement_free(&p);

	/* More workers than their cache has CPUs: elsewhere, and one each. */
	p = place(16, 4, 4, "1-3,11");
	EXPECT(p.nr == 4, "%u workers", p.nr);
	expect_cpus(&p, 0, "1");
	expect_cpus(&p, 1, "2");
	expect_cpus(&p, 2, "11");
	expect_cpus(&p, 3, "3");
	placement_free(&p);
}

/* taskset, cpusets: many queues, few CPUs. */
static void confined(void)
{
	struct placement p;

	machine(64, 8);
	CPU_ZERO(&usable);
	CPU_SET(9, &usable);
	CPU_SET(10, &usable);
	p = place(64, 0, 4, NULL);
	EXPECT(p.nr == 2, "%u workers", p.nr);
	expect_cpus(&p, 0, "9-10");
	placement_free(&p);
}

/* A CPU that no node lists, and workers that may be on one node alone */
static void offline_confined(void)
{
	struct placement p;

	machine_without("3", 8, 4);
	nodes(8, 4);
	for (uint32_t cpu = 4; cpu < 8; cpu++)
		CPU_CLR(cpu, &usable);
	p = place(8, 0, 4, NULL);
	expect_cpus(&p, 0, "0-2");
	placement_free(&p);
}

/* Queues of CPUs that are online */
static uint32_t live(const struct place *place)
{
	uint32_t nr = 0;

	for (uint32_t q = 0; q < place->nr_queues; q++)
		nr += CPU_ISSET(place->queues[q], &online);
	return nr;
}

/* Of the first cache, CPU 1 is offline: the others are not its neighbours for that. */
static void offline_cache(void)
{
	struct placement p;

	machine_without("1", 16, 4);
	nodes(16, 8);
	p = place(16, 0, 4, NULL);
	EXPECT(p.nr == 4 && p.nr_groups == 4, "%u workers, in %u groups", p.nr,
	       p.nr_groups);
	expect_cpus(&p, 0, "0,2-3");
	expect_cpus(&p, 1, "4-7");
	expect_cpus(&p, 2, "8-11");
	expect_cpus(&p, 3, "12-15");
	placement_free(&p);

	/* One is left, who shares with the node; these stay with their cache. */
	machine_without("1-3", 16, 4);
	nodes(16, 8);
	p = place(16, 0, 4, NULL);
	EXPECT(p.nr == 4 && p.nr_groups == 4, "%u workers, in %u groups", p.nr,
	       p.nr_groups);
	expect_cpus(&p, 0, "0,4-7");
	expect_cpus(&p, 1, "4-7");
	expect_cpus(&p, 2, "8-11");
	placement_free(&p);
}

/* The second threads of all cores are off: a worker each for those that are on. */
static void offline_threads(void)
{
	static const char *const named[] = { NULL, "0-7" };
	struct placement p;

	for (uint32_t i = 0; i < ARRAY_SIZE(named); i++) {
		machine_without("16-31", 32, 8);
		p = place(32, 8, 4, named[i]);
		EXPECT(p.nr == 8, "%u workers", p.nr);
		for (uint32_t k = 0; k < p.nr; k++)
			EXPECT(live(&p.place[k]) == 2 && p.place[k].nr_queues == 4,
			       "worker %u has %u of %u queues", k, live(&p.place[k]),
			       p.place[k].nr_queues);
		placement_free(&p);
	}
	p = place(32, 0, 4, NULL);
	EXPECT(p.nr == 4, "%u workers", p.nr);
	placement_free(&p);
	p = place(32, 20, 4, NULL);
	EXPECT(p.nr == 16, "%u workers", p.nr);
	placement_free(&p);
}

/* Queues that are of other CPUs than any that is online */
static void offline_all(void)
{
	struct placement p;

	machine_without("0-7", 16, 4);
	p = place(8, 0, 4, NULL);
	EXPECT(p.nr == 2 && p.nr_groups == 1, "%u workers, in %u groups", p.nr,
	       p.nr_groups);
	expect_cpus(&p, 0, "8-15");
	placement_free(&p);
}

static const struct ktap_case cases[] = {
	{ "one worker for a small machine", small_machine },
	{ "workers stay with the cache of their queues", by_cache },
	{ "where no cache is shared, with the package", no_shared_cache },
	{ "and on the node of their queues", by_node },
	{ "as many as are asked for, within reason", asked_for },
	{ "pinned where told", pinned },
	{ "pinned close to what they serve", pinned_by_cache },
	{ "confined to few CPUs", confined },
	{ "a CPU is offline, and workers confined to one node", offline_confined },
	{ "a CPU is offline, and workers stay with the caches of the others", offline_cache },
	{ "CPUs that are offline take no worker from those that work", offline_threads },
	{ "queues of no CPU that is online", offline_all },
	{ 0 },
};

int main(void)
{
	char command[128];
	int status;

	strcpy(sysfs, "/tmp/wavecrypt-sysfs.XXXXXX");
	if (!mkdtemp(sysfs))
		return 1;
	status = ktap_run(cases);
	snprintf(command, sizeof(command), "rm -rf %s", sysfs);
	return system(command) ? 1 : status;
}
