// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/placement.h"
#include "lib/array.h"
#include "lib/cpulist.h"
#include "lib/numa.h"

/* Group of a queue whose CPU is offline */
#define NO_GROUP	UINT32_MAX

/**
 * struct group - CPUs that share a cache, and the queues that belong to them
 * @cpus: the CPUs
 * @nr_queues: how many queues, of CPUs that are online
 * @workers: how many workers it gets
 */
struct group {
	cpu_set_t cpus;
	uint32_t nr_queues;
	uint32_t workers;
};

/**
 * struct plan - a decision in the making
 * @wish: what is asked for
 * @cpus: where workers may run
 * @nr_groups: number of groups
 * @groups: the groups
 * @nr_queues: how many queues they have
 * @group_of: group of each queue, or %NO_GROUP
 */
struct plan {
	const struct placement_wish *wish;
	cpu_set_t cpus;
	uint32_t nr_groups;
	struct group *groups;
	uint32_t nr_queues;
	uint32_t *group_of;
};

/*
 * CPUs of @cpu's node that share its last-level cache. Where none is shared, or a
 * hypervisor says nothing about it, those of the same package; where each has a package
 * of its own, all of the node.
 */
static void neighbours(const struct placement_wish *wish, uint32_t cpu,
		       const cpu_set_t *all, cpu_set_t *set)
{
	static const char *const files[] = {
		"cache/index3/shared_cpu_list",
		"topology/package_cpus_list",
	};
	/* Who is not pinned needs another to step aside to. */
	int enough = CPU_COUNT(wish->cpus) ? 1 : 2;
	cpu_set_t node = *all;
	char path[256];

	if (numa_neighbours(wish->sysfs, cpu, &node))
		CPU_AND(&node, &node, all);
	if (CPU_COUNT(&node) < enough)
		node = *all;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "%s/devices/system/cpu/cpu%u/%s",
			 wish->sysfs, cpu, files[i]);
		if (!cpulist_read(path, set))
			continue;
		CPU_AND(set, set, &node);
		if (CPU_COUNT(set) >= enough)
			return;
	}
	*set = node;
}

/*
 * The group of a queue that belongs to @cpu, a new one if need be. That @cpu is in another's
 * does not make it that one's: who is alone with its cache has neighbours that share one.
 */
static uint32_t group_find(struct plan *plan, uint32_t cpu)
{
	uint32_t i = plan->nr_groups;

	neighbours(plan->wish, cpu, &plan->cpus, &plan->groups[i].cpus);
	for (uint32_t k = 0; k < i; k++)
		if (CPU_EQUAL(&plan->groups[k].cpus, &plan->groups[i].cpus))
			return k;
	return plan->nr_groups++;
}

static bool is_online(const struct placement_wish *wish, uint32_t q)
{
	uint32_t cpu = wish->queue_cpus[q];

	return !wish->online || (cpu < CPU_SETSIZE && CPU_ISSET(cpu, wish->online));
}

/* All are in one. */
static void plan_merge(struct plan *plan)
{
	plan->nr_groups = 1;
	plan->groups[0].cpus = plan->cpus;
	plan->groups[0].nr_queues = plan->nr_queues;
	for (uint32_t q = 0; q < plan->wish->nr_queues; q++)
		if (plan->group_of[q] != NO_GROUP)
			plan->group_of[q] = 0;
}

static void plan_groups(struct plan *plan)
{
	const struct placement_wish *wish = plan->wish;

	for (uint32_t q = 0; q < wish->nr_queues; q++) {
		plan->group_of[q] = NO_GROUP;
		if (!is_online(wish, q))
			continue;
		plan->group_of[q] = group_find(plan, wish->queue_cpus[q]);
		plan->groups[plan->group_of[q]].nr_queues++;
		plan->nr_queues++;
	}
	if (plan->nr_queues)
		return;
	/* Nothing tells them apart. */
	plan->nr_queues = wish->nr_queues;
	memset(plan->group_of, 0, wish->nr_queues * sizeof(plan->group_of[0]));
	plan_merge(plan);
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Workers for each group: at least one, and shares by number of queues. */
static uint32_t plan_workers(struct plan *plan)
{
	const struct placement_wish *wish = plan->wish;
	uint32_t most = least(CPU_COUNT(&plan->cpus), plan->nr_queues);
	uint32_t total = 0, wanted = wish->workers;

	for (uint32_t i = 0; i < plan->nr_groups; i++) {
		struct group *g = &plan->groups[i];

		g->workers = (g->nr_queues + wish->queues_per_worker - 1) /
			     wish->queues_per_worker;
		if (wanted)
			g->workers = g->nr_queues * wanted / plan->nr_queues;
		if (!g->workers)
			g->workers = 1;
		g->workers = least(g->workers, g->nr_queues);
		total += g->workers;
	}
	if (wanted)
		most = least(most, wanted);
	/* What rounding added or lost, where it hurts least. */
	for (; total > most || (wanted && total < most);) {
		struct group *pick = NULL;
		bool shrink = total > most;

		for (uint32_t i = 0; i < plan->nr_groups; i++) {
			struct group *g = &plan->groups[i];

			if (shrink ? g->workers < 2 :
				     g->workers == g->nr_queues)
				continue;
			if (!pick || (shrink ?
				      g->nr_queues * pick->workers <
				      pick->nr_queues * g->workers :
				      g->nr_queues * pick->workers >
				      pick->nr_queues * g->workers))
				pick = g;
		}
		if (!pick)
			break;
		pick->workers += shrink ? -1 : 1;
		total += shrink ? -1 : 1;
	}
	return total;
}

static bool plan_assign(struct plan *plan, struct placement *out)
{
	const struct placement_wish *wish = plan->wish;
	uint32_t first = 0;

	for (uint32_t g = 0; g < plan->nr_groups; g++) {
		uint32_t at = 0, n = plan->groups[g].workers;

		for (uint32_t i = 0; i < n; i++) {
			struct place *p = &out->place[first + i];

			p->cpus = plan->groups[g].cpus;
			p->group = g;
			p->seat = i;
			p->queues = calloc(wish->nr_queues,
					   sizeof(*p->queues));
			if (!p->queues)
				return false;
		}
		for (uint32_t q = 0; q < wish->nr_queues; q++) {
			struct place *p = &out->place[first + at % n];

			if (plan->group_of[q] != g)
				continue;
			p->queues[p->nr_queues++] = q;
			at++;
		}
		first += n;
	}
	return true;
}

/* Nobody sends on the others, which have to be served: by whoever has the fewest. */
static void plan_offline(const struct plan *plan, struct placement *out)
{
	for (uint32_t q = 0; q < plan->wish->nr_queues; q++) {
		struct place *p = &out->place[0];

		if (plan->group_of[q] != NO_GROUP)
			continue;
		for (uint32_t i = 1; i < out->nr; i++)
			if (out->place[i].nr_queues < p->nr_queues)
				p = &out->place[i];
		p->queues[p->nr_queues++] = q;
	}
}

/* Give a worker the first of these CPUs, if there is one, and to nobody else. */
static bool pin(struct place *p, const cpu_set_t *among, cpu_set_t *left)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, among) || !CPU_ISSET(cpu, left))
			continue;
		CPU_CLR(cpu, left);
		CPU_ZERO(&p->cpus);
		CPU_SET(cpu, &p->cpus);
		return true;
	}
	return false;
}

/* Named CPUs: each worker gets one of its group's, as long as there are any. */
static void plan_pin(struct placement *out, const cpu_set_t *cpus)
{
	cpu_set_t left = *cpus;
	bool *pinned = calloc(out->nr, sizeof(*pinned));

	for (uint32_t i = 0; pinned && i < out->nr; i++)
		pinned[i] = pin(&out->place[i], &out->place[i].cpus, &left);
	for (uint32_t i = 0; i < out->nr; i++)
		if (!pinned || !pinned[i])
			pin(&out->place[i], cpus, &left);
	free(pinned);
}

bool placement_make(const struct placement_wish *wish, struct placement *out)
{
	bool named = CPU_COUNT(wish->cpus) > 0;
	struct plan plan = { .wish = wish };
	bool good = false;

	memset(out, 0, sizeof(*out));
	sched_getaffinity(0, sizeof(plan.cpus), &plan.cpus);
	if (named) {
		CPU_AND(&plan.cpus, &plan.cpus, wish->cpus);
		if (!CPU_COUNT(&plan.cpus))
			plan.cpus = *wish->cpus;
	}
	plan.groups = calloc(wish->nr_queues, sizeof(*plan.groups));
	plan.group_of = calloc(wish->nr_queues, sizeof(*plan.group_of));
	if (!plan.groups || !plan.group_of)
		goto out;

	plan_groups(&plan);
	out->nr = plan_workers(&plan);
	if (out->nr > (uint32_t)CPU_COUNT(&plan.cpus) ||
	    (wish->workers && out->nr > wish->workers)) {
		/* Fewer workers than groups: they cannot stay in one. */
		plan_merge(&plan);
		out->nr = plan_workers(&plan);
	}
	out->nr_groups = plan.nr_groups;
	out->place = calloc(out->nr, sizeof(*out->place));
	good = out->place && plan_assign(&plan, out);
	if (good)
		plan_offline(&plan, out);
	if (good && named)
		plan_pin(out, &plan.cpus);
out:
	if (!good)
		placement_free(out);
	free(plan.groups);
	free(plan.group_of);
	return good;
}

void placement_free(struct placement *p)
{
	for (uint32_t i = 0; p->place && i < p->nr; i++)
		free(p->place[i].queues);
	free(p->place);
	p->place = NULL;
	p->nr = 0;
}
