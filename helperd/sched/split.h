/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the packets that wait go to the device, so that the last of them is
 * done soonest.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_SCHED_SPLIT_H
#define WAVECRYPT_SCHED_SPLIT_H

#include "sched/bins.h"
#include "sched/cost.h"

/**
 * struct split - the device's share
 * @nr: packets in all
 * @share: of each bin, how many of its packets
 */
struct split {
	uint32_t nr;
	uint32_t share[ALG_KINDS];
};

/** split_grain - most of such packets in a part of a device's; 1 if it does none */
static inline uint32_t split_grain(const struct backend *be,
				   const struct packet *p)
{
	uint32_t grain = be->ops->grain(be->dev, p->alg, p->op);

	return grain ? grain : 1;
}

/** split_room - most packets of those waiting that fit in a device's chunk */
uint32_t split_room(const struct bins *b, const struct backend *be);

/**
 * split_all - everything is the device's
 * @b: what waits
 * @max: most packets that it takes
 * @s: result
 */
void split_all(const struct bins *b, uint32_t max, struct split *s);

/**
 * split_balance - the device and the lanes are to end at the same time
 * @b: what waits
 * @lanes: what the lanes cost
 * @be: the device
 * @device: what it costs
 * @backlog: ns until it is done with what it has
 * @rate: packets that arrive in a ns meanwhile, for the lanes to work on
 * @doubt: it may take so many times less than it is said to cost; 1: it does not
 * @max: most packets that it takes
 * @s: result
 *
 * The device is given nothing at all if the lanes alone are done no later.
 */
void split_balance(const struct bins *b, const struct cost_model *lanes,
		   const struct backend *be, const struct cost_model *device,
		   double backlog, double rate, double doubt, uint32_t max,
		   struct split *s);

#endif
