/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A worker's device: what it gets and when, what became of it, and what happens
 * when it fails.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_SCHED_OFFLOAD_H
#define WAVECRYPT_SCHED_OFFLOAD_H

#include "sched/fill.h"
#include "sched/revive.h"

/**
 * struct offload - a device beside the lanes
 * @be: the device's instance, or NULL while there is none
 * @balance: share with the lanes by cost; otherwise the device does everything
 *	that it can
 * @gave: it was just given a chunk
 * @pause: batches that the lanes do before it is given another
 * @lanes: what the lanes cost
 * @device: what the device costs
 * @filler: makes its chunks
 * @refused: packets that are the lanes'
 * @revive: tries to get a new instance after a failure
 * @nr_free: chunks that are not with it
 * @free: these chunks
 * @chunks: all chunks
 * @in_flight: chunks with it
 * @finish: when it is expected to be done with them, in ns
 * @last_done: when a chunk last came back, in ns
 * @arrived: packets that the worker ever took
 * @rate: of these while the device had some, in packets a ns
 * @alone: for how long the lanes have worked since it was last given a chunk, in ns
 */
struct offload {
	struct backend *be;
	bool balance;
	bool gave;
	uint32_t pause;
	struct cost_model lanes;
	struct cost_model device;
	struct filler filler;
	struct bins refused;
	struct revive revive;
	uint32_t nr_free;
	struct chunk **free;
	struct chunk **chunks;
	uint32_t in_flight;
	double finish;
	double last_done;
	uint64_t arrived;
	double rate;
	double alone;
};

/**
 * struct offload_config - how to set it up
 * @ch: channel
 * @device: the device
 * @lanes: the lanes beside it
 * @sched: how to sort
 * @room: most packets at a time
 * @balance: see &struct offload
 * @retry_ns: how long to wait before it is tried anew after a failure
 */
struct offload_config {
	struct channel *ch;
	struct device *device;
	struct device *lanes;
	const struct sched_config *sched;
	uint32_t room;
	bool balance;
	uint64_t retry_ns;
};

/**
 * offload_init - set it up
 *
 * A device that cannot be opened is tried again later.
 *
 * Return: false: no memory.
 */
bool offload_init(struct offload *o, const struct offload_config *config);

/**
 * offload_drain - wait until the device has given back what it still has
 *
 * It writes to packets until then. What comes back is nobody's any more. Takes as
 * long as a chunk may take; afterwards there is none, unless the device hung.
 */
void offload_drain(struct offload *o);

/** offload_exit - close it; no chunk is with it, unless it hung */
void offload_exit(struct offload *o);

/**
 * offload_tend - let go of a device that failed, and have it when it is back; and see to
 * keys that it is not done with
 *
 * Now and then also while there is nothing to do: as long as one worker holds on to
 * a device that failed, no other can open it anew.
 */
void offload_tend(struct offload *o);

/**
 * offload_submit - give it what it is to have now, if anything
 * @o: the device
 * @b: what waits
 * @now: time in ns
 *
 * Return: the chunk that it was given, or NULL. It is the device's already, so
 * only its numbers may be looked at.
 */
const struct chunk *offload_submit(struct offload *o, struct bins *b,
				   double now);

/** offload_arrived - so many more packets were taken */
static inline void offload_arrived(struct offload *o, uint32_t nr)
{
	o->arrived += nr;
}

/**
 * offload_poll - a chunk that came back, or NULL
 *
 * To be given to offload_done() afterwards.
 */
struct chunk *offload_poll(struct offload *o, double now);

/** offload_done - a chunk is no longer used */
void offload_done(struct offload *o, struct chunk *c);

/**
 * offload_lanes_took - what the lanes took for a chunk
 * @o: the device beside them
 * @c: the chunk
 * @ns: what it took
 */
void offload_lanes_took(struct offload *o, const struct chunk *c, double ns);

/** offload_keys_pending - is offload_tend() to see to keys soon? */
static inline bool offload_keys_pending(const struct offload *o)
{
	return o->be && o->be->keys_pending;
}

/** offload_there - is there a device? Not from when it was given up until it is back. */
static inline bool offload_there(const struct offload *o)
{
	return o->be;
}

/**
 * offload_lanes - do the lanes work on what is not refused?
 *
 * Not if the device is to do everything that it can. Nor while it might be given
 * more: for the time that a packet takes the lanes, it can be given many. One that is
 * lost is given nothing, even if it has not given back all that it has.
 */
bool offload_lanes(const struct offload *o);

/**
 * offload_lanes_take - let the lanes have some of what waits
 * @o: the device
 * @b: what waits; not empty
 * @batch: most packets of a kind, not more than %CHUNK_MAX
 *
 * Of each kind, so that what is left for the device is neighbours, too. From now
 * on it counts as refused.
 */
void offload_lanes_take(struct offload *o, struct bins *b, uint32_t batch);

/** offload_hung - has it hung, with packets? */
static inline bool offload_hung(const struct offload *o)
{
	return o->be && o->be->state == BACKEND_HUNG;
}

/** offload_keys_changed - the key epoch moved: a device that works wipes what is gone */
void offload_keys_changed(struct offload *o);

#endif
