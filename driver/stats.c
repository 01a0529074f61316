// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters in sysfs: a directory for each algorithm and direction, and one for
 * each CPU's queue, below the device's; one value a file.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/device.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "aead.h"
#include "queue.h"
#include "stats.h"

struct wc_stats __percpu *wc_stats;

/**
 * struct wc_dir - a directory of counters
 * @kobj: the directory
 * @link: in the list of all
 * @cpu: the CPU whose counters it shows, or -1 for the sum of all
 * @offset: of its counters in &struct wc_stats
 */
struct wc_dir {
	struct kobject kobj;
	struct list_head link;
	int cpu;
	size_t offset;
};

/**
 * struct wc_counter - a file in it
 * @attr: the file
 * @offset: of the counter, from &wc_dir.offset
 * @read: how a CPU's value is had instead, if not NULL
 * @latency: it is no counter, but a &struct wc_latency
 */
struct wc_counter {
	struct attribute attr;
	size_t offset;
	u32 (*read)(unsigned int cpu);
	bool latency;
};

static u64 wc_counter_read(const struct wc_counter *counter,
			   const struct wc_dir *dir, int cpu)
{
	u8 *stats = (u8 *)per_cpu_ptr(wc_stats, cpu);

	if (counter->read)
		return counter->read(cpu);
	return READ_ONCE(*(u64 *)(stats + dir->offset + counter->offset));
}

/* "1024:7 2048:1 ... inf:0 sum:9000": how many took up to so many ns, and their sum */
static ssize_t wc_latency_show(const struct wc_latency *latency, char *buf)
{
	int len = 0;
	u32 i;

	for (i = 0; i < WC_LATENCIES - 1; i++)
		len += sysfs_emit_at(buf, len, "%u:%llu ",
				     1U << (WC_LATENCY_SHORTEST + i),
				     READ_ONCE(latency->ranges[i]));
	return len + sysfs_emit_at(buf, len, "inf:%llu sum:%llu\n",
				   READ_ONCE(latency->ranges[i]),
				   READ_ONCE(latency->sum));
}

static ssize_t wc_counter_show(struct kobject *kobj, struct attribute *attr,
			       char *buf)
{
	const struct wc_dir *dir = container_of(kobj, struct wc_dir, kobj);
	const struct wc_counter *counter =
		container_of(attr, struct wc_counter, attr);
	u64 sum = 0;
	int cpu;

	if (counter->latency)
		return wc_latency_show((void *)per_cpu_ptr(wc_stats, dir->cpu) +
				       dir->offset + counter->offset, buf);
	if (dir->cpu >= 0)
		sum = wc_counter_read(counter, dir, dir->cpu);
	else
		for_each_possible_cpu(cpu)
			sum += wc_counter_read(counter, dir, cpu);
	return sysfs_emit(buf, "%llu\n", sum);
}

static const struct sysfs_ops wc_counter_ops = { .show = wc_counter_show };

#define WC_COUNTER(type, counter)					\
	static struct wc_counter wc_counter_##counter = {		\
		.attr = { .name = #counter, .mode = 0444 },		\
		.offset = offsetof(struct type, counter),		\
	}

WC_COUNTER(wc_alg_stats, requests_inline);
WC_COUNTER(wc_alg_stats, bytes_inline);
WC_COUNTER(wc_alg_stats, requests_offloaded);
WC_COUNTER(wc_alg_stats, bytes_offloaded);
WC_COUNTER(wc_alg_stats, redone);
WC_COUNTER(wc_alg_stats, rechecked);
WC_COUNTER(wc_alg_stats, icv_failures);

static struct attribute *wc_alg_attrs[] = {
	&wc_counter_requests_inline.attr,
	&wc_counter_bytes_inline.attr,
	&wc_counter_requests_offloaded.attr,
	&wc_counter_bytes_offloaded.attr,
	&wc_counter_redone.attr,
	&wc_counter_rechecked.attr,
	&wc_counter_icv_failures.attr,
	NULL
};
ATTRIBUTE_GROUPS(wc_alg);

static struct wc_counter wc_counter_depth = {
	.attr = { .name = "depth", .mode = 0444 },
	.read = wc_queue_depth,
};

static struct wc_counter wc_counter_stall_ms = {
	.attr = { .name = "stall_ms", .mode = 0444 },
	.read = wc_queue_stall_ms,
};

WC_COUNTER(wc_queue_stats, batches);
WC_COUNTER(wc_queue_stats, bells);
WC_COUNTER(wc_queue_stats, wakeups);
WC_COUNTER(wc_queue_stats, interrupts);
WC_COUNTER(wc_queue_stats, full);
WC_COUNTER(wc_queue_stats, stalls);
WC_COUNTER(wc_queue_stats, pressed);
WC_COUNTER(wc_queue_stats, followed);
WC_COUNTER(wc_queue_stats, overtook);

#define WC_LATENCY(member)						\
	static struct wc_counter wc_counter_##member = {		\
		.attr = { .name = #member "_ns", .mode = 0444 },	\
		.offset = offsetof(struct wc_queue_stats, member),	\
		.latency = true,					\
	}

WC_LATENCY(inline_latency);
WC_LATENCY(offload_latency);

static struct attribute *wc_queue_attrs[] = {
	&wc_counter_depth.attr,
	&wc_counter_batches.attr,
	&wc_counter_bells.attr,
	&wc_counter_wakeups.attr,
	&wc_counter_interrupts.attr,
	&wc_counter_full.attr,
	&wc_counter_stalls.attr,
	&wc_counter_pressed.attr,
	&wc_counter_followed.attr,
	&wc_counter_overtook.attr,
	&wc_counter_stall_ms.attr,
	&wc_counter_inline_latency.attr,
	&wc_counter_offload_latency.attr,
	NULL
};

ATTRIBUTE_GROUPS(wc_queue);

static void wc_dir_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct wc_dir, kobj));
}

static const struct kobj_type wc_alg_type = {
	.release = wc_dir_release,
	.sysfs_ops = &wc_counter_ops,
	.default_groups = wc_alg_groups,
};

static const struct kobj_type wc_queue_type = {
	.release = wc_dir_release,
	.sysfs_ops = &wc_counter_ops,
	.default_groups = wc_queue_groups,
};

/* Kobjects have no list of their children. */
static LIST_HEAD(wc_dirs);

static int wc_dir_add(struct device *dev, const struct kobj_type *type,
		      int cpu, size_t offset, const char *name,
		      const char *suffix)
{
	struct wc_dir *dir = kzalloc(sizeof(*dir), GFP_KERNEL);
	int err;

	if (!dir)
		return -ENOMEM;
	dir->cpu = cpu;
	dir->offset = offset;
	err = kobject_init_and_add(&dir->kobj, type, &dev->kobj, "%s%s", name,
				   suffix);
	if (err) {
		kobject_put(&dir->kobj);
		return err;
	}
	list_add(&dir->link, &wc_dirs);
	return 0;
}

/**
 * wc_stats_alloc - begin to count
 *
 * A module's own per-CPU variables share a few KB with those of all others.
 *
 * Return: 0, or -ENOMEM.
 */
int wc_stats_alloc(void)
{
	wc_stats = alloc_percpu(struct wc_stats);
	return wc_stats ? 0 : -ENOMEM;
}

/** wc_stats_free - nobody counts any more */
void wc_stats_free(void)
{
	free_percpu(wc_stats);
}

/**
 * wc_stats_init - show the counters
 * @dev: below which
 *
 * Return: 0, or an error; wc_stats_exit() is to be called in either case.
 */
int wc_stats_init(struct device *dev)
{
	static const char * const ops[] = { ".encrypt", ".decrypt" };
	unsigned int alg, op;
	char number[12];
	int cpu, err;

	for (alg = 0; alg < WC_ALGS; alg++) {
		for (op = 0; op < WAVECRYPT_OPS; op++) {
			err = wc_dir_add(dev, &wc_alg_type, -1,
					 offsetof(struct wc_stats, alg) +
					 (alg * WAVECRYPT_OPS + op) *
					 sizeof(struct wc_alg_stats),
					 wc_alg_dir(alg), ops[op]);
			if (err)
				return err;
		}
	}
	for_each_possible_cpu(cpu) {
		snprintf(number, sizeof(number), "%d", cpu);
		err = wc_dir_add(dev, &wc_queue_type, cpu,
				 offsetof(struct wc_stats, queue), "queue",
				 number);
		if (err)
			return err;
	}
	return 0;
}

/** wc_stats_exit - show them no longer */
void wc_stats_exit(void)
{
	struct wc_dir *dir, *next;

	list_for_each_entry_safe(dir, next, &wc_dirs, link)
		kobject_put(&dir->kobj);
	INIT_LIST_HEAD(&wc_dirs);
}
