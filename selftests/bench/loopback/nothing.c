// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>

#include "backends/gpu/describe.h"
#include "nothing.h"

/**
 * struct nothing - an instance
 * @be: what the worker sees
 * @slots: where packets are
 * @groups: as a GPU would be told of them
 * @packets: likewise
 * @first: oldest chunk that it has
 * @nr: chunks that it has
 * @chunk: the chunks, round and round
 */
struct nothing {
	struct backend be;
	const uint8_t *slots;
	struct wavecrypt_gpu_group *groups;
	struct wavecrypt_gpu_packet *packets;
	uint32_t first;
	uint32_t nr;
	struct chunk **chunk;
};

static uint32_t setting_max = 4096;
static uint32_t setting_chunks = 4;

void nothing_settings(uint32_t chunk_max, uint32_t chunks)
{
	setting_max = chunk_max;
	if (chunks)
		setting_chunks = chunks;
}

static bool nothing_close(struct backend *be)
{
	struct nothing *n = (struct nothing *)be;

	free(n->groups);
	free(n->packets);
	free(n->chunk);
	free(n);
	return true;
}

static struct backend *nothing_open(struct device *dev,
				    const struct channel *ch)
{
	struct nothing *n = calloc(1, sizeof(*n));

	if (!n)
		return NULL;
	n->be.ops = dev->ops;
	n->be.dev = dev;
	n->be.chunks = setting_chunks;
	n->be.pipeline = setting_chunks;
	n->be.chunk_max = setting_max;
	n->slots = ch->map[WAVECRYPT_REGION_SLOTS];
	n->groups = calloc(setting_max, sizeof(*n->groups));
	n->packets = calloc(setting_max, sizeof(*n->packets));
	n->chunk = calloc(setting_chunks, sizeof(*n->chunk));
	if (n->groups && n->packets && n->chunk)
		return &n->be;
	nothing_close(&n->be);
	return NULL;
}

static bool nothing_submit(struct backend *be, struct chunk *c)
{
	struct nothing *n = (struct nothing *)be;

	if (n->nr == be->chunks)
		return false;
	for (uint32_t i = 0; i < c->nr_parts; i++)
		gpu_group(&n->groups[i], &c->parts[i], 0);
	for (uint32_t i = 0; i < c->nr; i++) {
		const struct packet *p = c->packets[i];

		chunk_prefetch_iv(c, i);
		gpu_packet(&n->packets[i], p, p->data - n->slots);
	}
	n->chunk[(n->first + n->nr++) % be->chunks] = c;
	return true;
}

static struct chunk *nothing_poll(struct backend *be)
{
	struct nothing *n = (struct nothing *)be;
	struct chunk *c;

	if (!n->nr)
		return NULL;
	c = n->chunk[n->first];
	n->first = (n->first + 1) % be->chunks;
	n->nr--;
	return c;
}

static void nothing_keys_changed(struct backend *be)
{
	(void)be;
}

static void nothing_cost(const struct device *dev, uint8_t alg, uint8_t op,
			 uint8_t key_len, struct backend_cost *cost)
{
	(void)dev;
	(void)alg;
	(void)op;
	(void)key_len;
	*cost = (struct backend_cost) { .packet_ns = 1 };
}

static unsigned int nothing_grain(const struct device *dev, uint8_t alg,
				  uint8_t op)
{
	(void)dev;
	return wavecrypt_gpu_packets(&wavecrypt_gpu_wide, alg, op);
}

static const char *nothing_describe(const struct device *dev)
{
	(void)dev;
	return "a device that does nothing";
}

static const struct backend_ops nothing_backend = {
	.name = "nothing",
	.beside = true,
	.open = nothing_open,
	.submit = nothing_submit,
	.poll = nothing_poll,
	.keys_changed = nothing_keys_changed,
	.cost = nothing_cost,
	.grain = nothing_grain,
	.describe = nothing_describe,
	.close = nothing_close,
};

struct device nothing_device = { .ops = &nothing_backend };
