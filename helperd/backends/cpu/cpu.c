// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "channel/removed.h"
#include "lib/numa.h"

/**
 * struct cpu - an instance
 * @be: what the worker sees
 * @imb: the library, if possible nobody else's
 * @work: what the lanes need
 * @removed: keys that went
 * @done: chunk that is done and was not polled yet
 * @jobs: room for a chunk's jobs
 */
struct cpu {
	struct backend be;
	struct imb *imb;
	struct cpu_work work;
	struct removed removed;
	struct chunk *done;
	struct IMB_JOB jobs[CHUNK_MAX];
};

/* Measured by probe, the same for every instance. */
static struct cpu_lanes lanes;
static char description[256 + 128 * WAVECRYPT_ALGS];

static struct cpu *to_cpu(struct backend *be)
{
	return (struct cpu *)be;
}

/* Add to what was said of it, as far as there is room. */
static void say(const char *format, ...)
{
	size_t used = strlen(description);
	va_list args;

	va_start(args, format);
	vsnprintf(description + used, sizeof(description) - used, format, args);
	va_end(args);
}

static void describe_widths(const uint8_t width[CPU_LANES + 1])
{
	for (int i = 1; i <= CPU_LANES; i++)
		if (i == 1 || width[i] != width[i - 1])
			say(" %s from %d", cpu_width_name[width[i]], i);
	say(";");
}

static void describe_lanes(void)
{
	description[0] = '\0';
	say("libipsec-mb %s;", imb_get_version_str());
	for (unsigned int i = 0; i < WAVECRYPT_ALGS; i++) {
		if (!alg_exists(i))
			continue;
		if (!algs[i].side_by_side) {
			say(" %s: %s;", algs[i].label,
			    cpu_width_name[lanes.width[i][0][1]]);
			continue;
		}
		for (int op = 0; op < WAVECRYPT_OPS; op++) {
			say(" %s %s:", algs[i].label,
			    op ? "decrypt" : "encrypt");
			describe_widths(lanes.width[i][op]);
		}
	}
	description[strlen(description) - 1] = '\0';
}

static const char *cpu_probe(struct device *dev)
{
	const char *why = cpu_lanes_choose(&lanes);

	(void)dev;
	if (!why)
		why = cpu_lanes_measure(&lanes);
	if (!why)
		describe_lanes();
	return why;
}

static bool cpu_close(struct backend *be)
{
	struct cpu *cpu = to_cpu(be);

	gcm_keys_exit(&cpu->work.keys);
	for (int i = 0; i < CPU_WIDTHS; i++)
		if (cpu->work.mgr[i])
			cpu->imb->free(cpu->work.mgr[i]);
	imb_put(cpu->imb);
	/* The jobs point to keys; they hold none. */
	free(cpu);
	return true;
}

/* Those that were there when they were measured: they may lack memory now. */
static bool have_managers(const struct cpu *cpu)
{
	for (unsigned int i = 0; i < WAVECRYPT_ALGS; i++)
		for (int op = 0; op < WAVECRYPT_OPS; op++)
			for (int nr = 1; nr <= CPU_LANES; nr++)
				if (alg_exists(i) &&
				    !cpu->work.mgr[lanes.width[i][op][nr]])
					return false;
	return true;
}

static struct backend *cpu_open(struct device *dev, const struct channel *ch)
{
	struct cpu *cpu = calloc(1, sizeof(*cpu));

	if (!cpu)
		return NULL;
	cpu->be.ops = &cpu_backend;
	cpu->be.dev = dev;
	cpu->be.chunks = 1;
	cpu->be.chunk_max = CHUNK_MAX;
	cpu->work.jobs = cpu->jobs;
	cpu->imb = imb_take();
	removed_init(&cpu->removed, ch);
	for (int i = 0; i < CPU_WIDTHS; i++)
		cpu->work.mgr[i] = cpu_manager(cpu->imb, i);
	if (!have_managers(cpu) ||
	    !gcm_keys_init(&cpu->work.keys, channel_keys(ch), ch->geo.keys)) {
		cpu_close(&cpu->be);
		return NULL;
	}
	return &cpu->be;
}

void cpu_run(struct cpu_work *work, enum cpu_width width,
	     struct packet *const *packets, uint32_t nr)
{
	switch (algs[packets[0]->alg].cipher) {
	case CIPHER_GCM:
		cpu_gcm_run(work->mgr[width], &work->keys, packets, nr);
		break;
	case CIPHER_CHACHA20:
		cpu_chacha_run(work->mgr[width], packets, nr);
		break;
	default:
		cpu_burst_run(work->mgr[width], work->jobs, packets, nr);
	}
}

static bool cpu_submit(struct backend *be, struct chunk *c)
{
	struct cpu *cpu = to_cpu(be);
	const struct part *part = &c->parts[0];
	uint32_t nr = c->nr < CPU_LANES ? c->nr : CPU_LANES;

	if (cpu->done)
		return false;
	cpu_run(&cpu->work, lanes.width[part->alg][part->op][nr], c->packets,
		c->nr);
	cpu->done = c;
	return true;
}

static struct chunk *cpu_poll(struct backend *be)
{
	struct chunk *c = to_cpu(be)->done;

	to_cpu(be)->done = NULL;
	return c;
}

static void cpu_keys_changed(struct backend *be)
{
	struct cpu *cpu = to_cpu(be);
	enum removed_news news;
	uint32_t index;

	while ((news = removed_next(&cpu->removed, &index)) == REMOVED_KEY)
		gcm_keys_expire(&cpu->work.keys, index);
	if (news == REMOVED_MANY)
		gcm_keys_expire_all(&cpu->work.keys);
}

static void cpu_cost(const struct device *dev, uint8_t alg, uint8_t op,
		     uint8_t key_len, struct backend_cost *cost)
{
	(void)dev;
	*cost = lanes.cost[alg_kind(alg, op, key_len)];
}

static unsigned int cpu_grain(const struct device *dev, uint8_t alg, uint8_t op)
{
	(void)dev;
	(void)op;
	return algs[alg].side_by_side ? CPU_LANES : 1;
}

static const char *cpu_describe(const struct device *dev)
{
	(void)dev;
	return description;
}

const struct backend_ops cpu_backend = {
	.name = "cpu",
	.probe = cpu_probe,
	.open = cpu_open,
	.submit = cpu_submit,
	.poll = cpu_poll,
	.keys_changed = cpu_keys_changed,
	.cost = cpu_cost,
	.grain = cpu_grain,
	.describe = cpu_describe,
	.close = cpu_close,
};

struct device cpu_device = {
	.ops = &cpu_backend,
	.name = "lanes",
	.node = NUMA_NONE,
	.users = 1,
};
