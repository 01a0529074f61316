/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bins: packets that can be worked on side by side.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BINS_H
#define WAVECRYPT_BINS_H

#include "alg.h"
#include "backend.h"

/** BIN_SIZE - most packets that wait in one bin */
#define BIN_SIZE	CHUNK_MAX

/** BIN_RANGE - packets whose lengths differ by less count as equally long */
#define BIN_RANGE	64u

/** BIN_MAX_AGE - picks after which a leftover goes, full batch or not */
#define BIN_MAX_AGE	4

/** BINS - algorithm x direction x key size */
#define BINS	((WAVECRYPT_ALGS - 1) * WAVECRYPT_OPS * ALG_KEY_SIZES)

/**
 * struct bin - packets of one algorithm, direction and key size
 * @nr: how many
 * @age: how often another bin was preferred since this one was last picked
 * @grain: the backend likes multiples of this
 * @packets: in order of arrival
 */
struct bin {
	uint32_t nr;
	uint32_t age;
	uint32_t grain;
	struct packet *packets[BIN_SIZE];
};

/**
 * struct bins - all bins of a worker
 * @nr: packets in all of them
 * @used: bit i: bin i is not empty
 * @bin: the bins
 */
struct bins {
	uint32_t nr;
	uint32_t used;
	struct bin bin[BINS];
};

/**
 * bins_init - empty bins
 * @b: the bins
 * @be: backend that they will feed
 */
void bins_init(struct bins *b, const struct backend_ops *be);

/** bins_add - sort a packet in; the caller keeps @b->nr below BIN_SIZE */
static inline void bins_add(struct bins *b, struct packet *p)
{
	unsigned int i = ((p->alg - 1) * WAVECRYPT_OPS + p->op) * ALG_KEY_SIZES +
			 alg_key_size(p->key_len);
	struct bin *bin = &b->bin[i];

	bin->packets[bin->nr++] = p;
	b->used |= 1u << i;
	b->nr++;
}

/**
 * bins_pick - choose what to do next
 * @b: the bins
 * @chunk: where to put it
 * @max: most packets to take
 * @more: more packets are waiting outside, so that leftovers may wait for them
 *
 * A bin that fills whole batches goes before one that does not, the fullest
 * first. What is left over waits for company, unless there is nothing better
 * to do or it has waited for BIN_MAX_AGE picks.
 *
 * Return: false if there is nothing that should be done now.
 */
bool bins_pick(struct bins *b, struct chunk *chunk, uint32_t max, bool more);

#endif
