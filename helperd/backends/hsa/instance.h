/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An instance: one worker's use of the GPU, with a queue of its own.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_HSA_INSTANCE_H
#define WAVECRYPT_BACKENDS_HSA_INSTANCE_H

#include "backends/gpu/flight.h"
#include "backends/gpu/ring.h"
#include "backends/hsa/aql.h"
#include "backends/hsa/session.h"
#include "backends/hsa/keys.h"

struct hsa_instance;

/**
 * struct hsa_flight - a chunk with the GPU, or room for one
 * @base: what any GPU's have
 * @signal: for a dispatch: zero when it is done, negative if it failed
 * @ticket: for the persistent kernel: its place in the ring
 */
struct hsa_flight {
	struct gpu_flight base;
	hsa_signal_t signal;
	struct gpu_ticket ticket;
};

/**
 * struct hsa_mode_ops - how kernels are used
 * @open: what an instance needs besides
 * @submit: have the GPU do a flight's chunk, whose packets are described.
 *	false: it cannot be given any more.
 * @done: has it?
 * @alive: while chunks are with it: will they be done, as far as one can see?
 * @end: have it come to an end, for nothing is with it; false: it does not
 * @close: give back what @open took, even if that failed
 */
struct hsa_mode_ops {
	hsa_status_t (*open)(struct hsa_instance *in);
	bool (*submit)(struct hsa_instance *in, struct hsa_flight *f);
	bool (*done)(struct hsa_instance *in, struct hsa_flight *f);
	bool (*alive)(struct hsa_instance *in);
	bool (*end)(struct hsa_instance *in);
	void (*close)(struct hsa_instance *in);
};

extern const struct hsa_mode_ops hsa_dispatch;
extern const struct hsa_mode_ops hsa_persistent;

/** hsa_persistent_groups - work-groups of a persistent kernel; 0: there is room for none */
unsigned int hsa_persistent_groups(const struct hsa_session *session);

/**
 * hsa_persistent_most - how many persistent kernels can run at once?
 *
 * Work-groups that never leave keep all others out for ever, so that instances beyond
 * these have to dispatch.
 */
unsigned int hsa_persistent_most(const struct hsa_session *session);

/**
 * struct hsa_instance - an instance
 * @be: what the worker sees
 * @session: what all have in common
 * @mode: how kernels are used
 * @ch: channel
 * @aql: queue
 * @arena: the channel's packets
 * @keys: key table
 * @groups: shared: as many places, a power of two, as there can be groups
 * @packets: shared: descriptions of packets, &backend.chunk_max for each flight
 * @places: number of @groups
 * @arguments: shared: kernels' arguments, for each flight
 * @argument_size: bytes of these
 * @flights: &backend.chunks of them
 * @flying: which are with the GPU
 * @watch: over the first of them
 * @turns: of polling in vain
 * @ring: for the persistent kernel
 * @ended: likewise: zero when it has ended
 */
struct hsa_instance {
	struct backend be;
	struct hsa_session *session;
	const struct hsa_mode_ops *mode;
	const struct channel *ch;
	struct hsa_aql aql;
	struct hsa_arena *arena;
	struct hsa_keys keys;
	struct wavecrypt_gpu_group *groups;
	struct wavecrypt_gpu_packet *packets;
	uint32_t places;
	uint8_t *arguments;
	uint32_t argument_size;
	struct hsa_flight *flights;
	struct gpu_flights flying;
	struct gpu_watch watch;
	uint32_t turns;
	struct gpu_ring ring;
	hsa_signal_t ended;
};

/**
 * hsa_instance_create - an instance
 * @session: the device in use
 * @ch: channel
 * @status: what failed, if something did
 */
struct hsa_instance *hsa_instance_create(struct hsa_session *session,
					 const struct channel *ch,
					 hsa_status_t *status);

/**
 * hsa_instance_destroy - free an instance that has no chunks, unless it hung
 *
 * Return: false if it hung.
 */
bool hsa_instance_destroy(struct backend *be);

/** hsa_instance_index - number of a flight */
static inline uint32_t hsa_instance_index(const struct hsa_instance *in,
					  const struct hsa_flight *f)
{
	return f - in->flights;
}

/** hsa_backend - the "hsa" backend */
extern const struct backend_ops hsa_backend;

#endif
