// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"

/**
 * struct cpu - an instance
 * @be: what the worker sees
 * @mgr: the library's managers, NULL where the CPU has no such thing
 * @keys: derived GCM keys
 * @done: chunk that is done and was not polled yet
 * @jobs: room for a chunk's jobs
 */
struct cpu {
	struct backend be;
	struct IMB_MGR *mgr[CPU_WIDTHS];
	struct gcm_keys keys;
	struct chunk *done;
	struct IMB_JOB jobs[CHUNK_MAX];
};

/* Measured by probe, the same for every instance. */
static struct cpu_lanes lanes;
static char description[256];

static struct cpu *to_cpu(struct backend *be)
{
	return (struct cpu *)be;
}

static void describe_lanes(void)
{
	int n = snprintf(description, sizeof(description), "libipsec-mb %s;",
			 imb_get_version_str());

	for (int op = 0; op < WAVECRYPT_OPS; op++) {
		const enum cpu_width *width = lanes.width[op];

		n += snprintf(description + n, sizeof(description) - n,
			      " cbc-sha1 %s:", op ? "decrypt" : "encrypt");
		for (int i = 1; i <= CPU_LANES; i++)
			if (i == 1 || width[i] != width[i - 1])
				n += snprintf(description + n,
					      sizeof(description) - n,
					      " %s from %d",
					      cpu_width_name[width[i]], i);
		n += snprintf(description + n, sizeof(description) - n, ";");
	}
	snprintf(description + n, sizeof(description) - n, " gcm: %s",
		 cpu_width_name[lanes.gcm]);
}

static const char *cpu_probe(const struct config *config)
{
	const char *why = cpu_lanes_measure(&lanes);

	(void)config;
	if (!why)
		describe_lanes();
	return why;
}

static void cpu_close(struct backend *be)
{
	struct cpu *cpu = to_cpu(be);

	gcm_keys_exit(&cpu->keys);
	for (int i = 0; i < CPU_WIDTHS; i++)
		if (cpu->mgr[i])
			free_mb_mgr(cpu->mgr[i]);
	/* The jobs point to keys; they hold none. */
	free(cpu);
}

static struct backend *cpu_open(const struct channel *ch)
{
	struct cpu *cpu = calloc(1, sizeof(*cpu));

	if (!cpu)
		return NULL;
	cpu->be.ops = &cpu_backend;
	cpu->be.chunks = 1;
	cpu->be.chunk_max = CHUNK_MAX;
	cpu_cbc_prepare(cpu->jobs, CHUNK_MAX);
	for (int i = 0; i < CPU_WIDTHS; i++)
		cpu->mgr[i] = cpu_manager(i);
	if (!cpu->mgr[lanes.gcm] ||
	    !gcm_keys_init(&cpu->keys, channel_keys(ch), ch->geo.keys,
			   cpu->mgr[lanes.gcm])) {
		cpu_close(&cpu->be);
		return NULL;
	}
	return &cpu->be;
}

static bool cpu_submit(struct backend *be, struct chunk *c)
{
	struct cpu *cpu = to_cpu(be);
	const struct part *part = &c->parts[0];
	uint32_t nr = c->nr < CPU_LANES ? c->nr : CPU_LANES;

	if (cpu->done)
		return false;
	if (part->alg == WAVECRYPT_ALG_GCM)
		cpu_gcm_run(cpu->mgr[lanes.gcm], &cpu->keys, c->packets,
			    c->nr);
	else
		cpu_cbc_run(cpu->mgr[lanes.width[part->op][nr]], cpu->jobs,
			    c->packets, c->nr);
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
	gcm_keys_expire(&to_cpu(be)->keys);
}

static void cpu_cost(uint8_t alg, uint8_t op, uint8_t key_len,
		     struct backend_cost *cost)
{
	(void)key_len;
	*cost = lanes.cost[alg][op];
}

static unsigned int cpu_grain(uint8_t alg, uint8_t op)
{
	(void)op;
	return alg == WAVECRYPT_ALG_GCM ? 1 : CPU_LANES;
}

static const char *cpu_describe(void)
{
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
