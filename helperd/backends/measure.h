/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a backend's work costs, found out with packets of our own through the same
 * code that does the real work.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_MEASURE_H
#define WAVECRYPT_BACKENDS_MEASURE_H

#include "backends/backend.h"
#include "backends/rig.h"
#include "lib/clock.h"

/** MEASURE_SHORT, MEASURE_LONG - payloads: short, and about an MTU */
#define MEASURE_SHORT	64u
#define MEASURE_LONG	1408u

/**
 * MEASURE_CPU_NS - what the CPU does itself is repeated only once after so long: there
 * is a lot to measure, the helper attaches only after it, and where it takes that long,
 * as on an emulated CPU, two runs tell enough
 */
#define MEASURE_CPU_NS	(2 * NSEC_PER_MSEC)

/**
 * struct measure - an instance that is measured
 * @be: the instance
 * @rig: its packets, twice as many as a chunk has, for two that are at work at
 *	the same time
 * @many: packets of a full chunk
 * @grain: most packets in a part
 * @chunk: chunks
 * @in_flight: how many of them the instance has
 * @host_ns: of the fastest chunk's time, what was the caller's own
 * @why: what went wrong, or NULL
 */
struct measure {
	struct backend *be;
	struct rig *rig;
	uint32_t many;
	uint32_t grain;
	struct chunk *chunk[2];
	uint32_t in_flight;
	double host_ns;
	const char *why;
};

/**
 * measure_open - begin
 * @m: what is measured
 * @be: the instance, opened on the channel of
 * @rig: the packets
 * @many: packets of a full chunk; there are twice as many of them, or one such
 *	chunk at a time is all that is asked for
 *
 * Return: false: no memory. To be closed nevertheless.
 */
bool measure_open(struct measure *m, struct backend *be, struct rig *rig,
		  uint32_t many);

/**
 * measure_close - end, before the instance is closed
 *
 * What a failure has left in flight is waited for: a device writes to packets until
 * it has given them back. Unless it hung.
 */
void measure_close(struct measure *m);

/**
 * measure_do - have a chunk done
 * @m: what is measured
 * @first: its first packet
 * @nr: how many packets
 *
 * Return: false: it was not, and @why is set.
 */
bool measure_do(struct measure *m, uint32_t first, uint32_t nr);

/**
 * measure_key - wait until a packet's key is there: as long as it is not, packets
 * are refused
 */
bool measure_key(struct measure *m, const struct packet *p);

/**
 * measure_alone - ns that a chunk of the first @nr packets takes, while there is
 * no other; 0 if it fails
 */
double measure_alone(struct measure *m, uint32_t nr);

/**
 * measure_cost - what a kind of work costs
 * @m: what is measured; @grain is set
 * @kind: algorithm, direction and key size
 * @cost: result
 *
 * Return: false: something went wrong, and @why is set.
 */
bool measure_cost(struct measure *m, unsigned int kind,
		  struct backend_cost *cost);

/**
 * measure_fastest - ns that something takes
 * @run: it; false: it failed
 * @with: passed to it
 * @long_ns: it is not run again after so many, but for once
 *
 * The fastest of some runs: what disturbs one only ever slows it.
 *
 * Return: 0 if it failed.
 */
double measure_fastest(bool (*run)(void *with), void *with, uint64_t long_ns);

#endif
