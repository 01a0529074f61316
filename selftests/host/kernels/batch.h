/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A batch of random packets, laid out for an engine, run and compared.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef KERNELS_TEST_BATCH_H
#define KERNELS_TEST_BATCH_H

#include <stdbool.h>

#include "engine.h"
#include "expand.h"

/**
 * enum layout - where packets lie
 * @IN_PLACE: as in the arena: 64 bytes of headroom, a payload on a line of its
 *	own, the ICV right behind it
 * @PACKED: staged: each payload at the next multiple of 16 bytes
 */
enum layout { IN_PLACE, PACKED };

struct batch {
	struct engine *engine;
	enum layout layout;
	unsigned int group_limit;	/* packets in a group, or 0: what it holds */
	unsigned int nr_keys, nr_packets, nr_groups;
	struct {
		unsigned int alg, aes_len;
	} last;				/* the last group's */
	bool group_ended;
	size_t data_used;
	struct sa *keys;
	uint8_t *expect;
	uint64_t bytes;			/* of payload so far, in all batches */
};

/** batch_init() - room for batches on an engine. Returns false without memory. */
bool batch_init(struct batch *batch, struct engine *engine);

/** batch_free() - gives it back */
void batch_free(struct batch *batch);

/** batch_begin() - an empty batch */
void batch_begin(struct batch *batch, enum layout layout, unsigned int group_limit);

/**
 * batch_key() - adds a new key; returns its index
 *
 * @esn: with extended sequence numbers, if they are anything to the algorithm
 */
unsigned int batch_key(struct batch *batch, unsigned int alg, unsigned int key_len, bool esn);

/**
 * batch_add() - adds a packet of random contents
 *
 * It joins the packet's before it in a group, where that has room and is for the
 * same. Returns false, and adds nothing, if the batch is full.
 */
bool batch_add(struct batch *batch, unsigned int key, unsigned int op, size_t len,
	       size_t aad_len);

/** batch_end_group() - the next packet begins a new group */
void batch_end_group(struct batch *batch);

/**
 * batch_run() - runs the batch and compares
 *
 * Compares all memory, that is, also what must not have changed. Returns false
 * and prints why, if it differs. The batch is empty afterwards, keys included.
 */
bool batch_run(struct batch *batch);

#endif
