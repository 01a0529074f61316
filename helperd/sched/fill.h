/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A chunk for a device: bins cut into parts, the longest first.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_SCHED_FILL_H
#define WAVECRYPT_SCHED_FILL_H

#include "sched/split.h"

/**
 * struct filler - who makes chunks for a device
 * @be: the device
 * @model: what it costs
 * @refused: gets what the device does not take; room for all that there is
 * @packets: memory for as many packets as it takes in a chunk
 * @parts: memory for as many parts
 */
struct filler {
	struct backend *be;
	const struct cost_model *model;
	struct bins *refused;
	struct packet **packets;
	struct part *parts;
};

/**
 * fill - make a chunk
 * @f: who makes it
 * @b: what waits
 * @s: how much to take of each bin
 * @c: where to put it
 *
 * At %SCHED_ALL, packets that do not fill a part are left where they were, for
 * some times, unless there is nothing else.
 *
 * Return: false if the chunk is empty.
 */
bool fill(const struct filler *f, struct bins *b, const struct split *s,
	  struct chunk *c);

#endif
