// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "reference.h"
#include "sched/fill.h"
#include "schedule.h"

#define TIMES	15

/* Packets to choose from: those of this chunk and of the next */
#define WAITING	(2 * SCHEDULE_CHUNK)

#define AAD(alg) (algs[alg].cipher == CIPHER_CBC ? 24 : 8)

static const struct {
	uint8_t alg, op, key_len;
} six[] = {
	{ WAVECRYPT_ALG_CBC_SHA1, WAVECRYPT_OP_ENCRYPT, 16 },
	{ WAVECRYPT_ALG_CBC_SHA1, WAVECRYPT_OP_ENCRYPT, 32 },
	{ WAVECRYPT_ALG_CBC_SHA1, WAVECRYPT_OP_DECRYPT, 16 },
	{ WAVECRYPT_ALG_GCM, WAVECRYPT_OP_ENCRYPT, 16 },
	{ WAVECRYPT_ALG_GCM, WAVECRYPT_OP_ENCRYPT, 32 },
	{ WAVECRYPT_ALG_GCM, WAVECRYPT_OP_DECRYPT, 16 },
};

static struct backend_cost costs[ALG_KINDS];
static const struct wavecrypt_gpu_shape *shape;

static void cost(const struct device *dev, uint8_t alg, uint8_t op,
		 uint8_t key_len, struct backend_cost *out)
{
	(void)dev;
	*out = costs[alg_kind(alg, op, key_len)];
}

static unsigned int grain(const struct device *dev, uint8_t alg, uint8_t op)
{
	(void)dev;
	return wavecrypt_gpu_packets(shape, alg, op);
}

static const struct backend_ops ops = { .cost = cost, .grain = grain };
static struct device device = { .ops = &ops };

static const char *one_group(struct batch *batch, unsigned int kind, unsigned int len, double *us)
{
	const unsigned int alg = alg_of_kind(kind), op = alg_op_of_kind(kind);

	batch_begin(batch, PACKED, 0);
	batch_key(batch, alg, alg_key_len_of_kind(kind), false);
	for (unsigned int i = 0; i < grain(&device, alg, op); i++)
		batch_add(batch, 0, op, len, AAD(alg));
	if (!batch_run(batch))
		return "a wrong result";
	return device_time(batch->engine, 1, false, TIMES, us);
}

const char *schedule_calibrate(struct batch *batch)
{
	shape = batch->engine->shape;
	for (unsigned int i = 0; i < ALG_KINDS; i++) {
		const char *error;
		double low, high;

		if (!alg_kind_exists(i))
			continue;
		error = one_group(batch, i, 64, &low);
		if (!error)
			error = one_group(batch, i, 1408, &high);
		if (error)
			return error;
		costs[i].delay_byte_ns = high > low ? (high - low) * 1e3 / (1408 - 64) : 0;
		costs[i].delay_ns = low * 1e3 - 64 * costs[i].delay_byte_ns;
	}
	return NULL;
}

/* As ESP makes it of an IP packet of an IMIX, or any length */
static uint32_t draw_len(const struct traffic *traffic)
{
	static const uint16_t imix[] = { 48, 48, 48, 48, 48, 48, 48, 592, 592, 592, 592, 1504 };

	return traffic->imix ? imix[random_below(12)] : 64 + random_below(85) * 16;
}

static void draw(const struct traffic *traffic, struct packet *packets)
{
	for (unsigned int i = 0; i < WAITING; i++) {
		const unsigned int kind = traffic->six ? random_below(6) : 0;

		packets[i] = (struct packet) {
			.len = draw_len(traffic),
			.key_index = kind,
			.alg = six[kind].alg,
			.op = six[kind].op,
			.key_len = six[kind].key_len,
		};
	}
}

/* The chunk's packets, in its order, become the batch's. */
static bool lay_out(struct batch *batch, const struct chunk *c)
{
	batch_begin(batch, PACKED, 0);
	for (unsigned int i = 0; i < 6; i++)
		batch_key(batch, six[i].alg, six[i].key_len, false);
	for (uint32_t i = 0; i < c->nr_parts; i++) {
		const struct part *part = &c->parts[i];

		batch_end_group(batch);
		for (uint32_t k = part->first; k < part->first + part->nr; k++) {
			const struct packet *p = c->packets[k];

			if (!batch_add(batch, p->key_index, p->op, p->len, AAD(p->alg)))
				return false;
		}
	}
	return true;
}

/* Has the scheduler make a chunk of what waits. */
static bool choose(struct packet *waiting, const struct sched_config *config, struct chunk *c)
{
	struct backend be = {
		.ops = &ops,
		.dev = &device,
		.chunk_max = SCHEDULE_CHUNK,
	};
	struct cost_model model;
	struct filler filler = { .be = &be, .model = &model };
	struct bins bins;
	struct split split;
	bool good = false;

	filler.packets = calloc(SCHEDULE_CHUNK, sizeof(*filler.packets));
	filler.parts = calloc(SCHEDULE_CHUNK, sizeof(*filler.parts));
	cost_model_init(&model, &device);
	if (filler.packets && filler.parts && bins_init(&bins, &device, config, WAITING)) {
		for (unsigned int i = 0; i < WAITING; i++)
			bins_add(&bins, &waiting[i]);
		split_all(&bins, SCHEDULE_CHUNK, &split);
		good = fill(&filler, &bins, &split, c);
		bins_exit(&bins);
	}
	free(filler.packets);
	free(filler.parts);
	return good;
}

const char *schedule_measure(struct batch *batch, const struct traffic *traffic,
			     const struct sched_config *config, uint64_t *bytes,
			     unsigned int *groups, double *us)
{
	struct packet *waiting = calloc(WAITING, sizeof(*waiting));
	struct chunk *c = chunk_alloc(SCHEDULE_CHUNK);
	const char *error = "no memory";

	random_seed(1);
	if (waiting && c) {
		draw(traffic, waiting);
		if (!choose(waiting, config, c) || !lay_out(batch, c)) {
			error = "the chunk is larger than there is room for";
		} else {
			*bytes = c->bytes;
			*groups = batch->nr_groups;
			error = batch_run(batch) ?
				device_time(batch->engine, *groups, false, TIMES, us) :
				"a wrong result";
		}
	}
	chunk_free(c);
	free(waiting);
	return error;
}
