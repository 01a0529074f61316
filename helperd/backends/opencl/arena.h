/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A channel's packets, made known to the device once for all instances.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_OPENCL_ARENA_H
#define WAVECRYPT_BACKENDS_OPENCL_ARENA_H

#include "backends/gpu/arena.h"
#include "backends/opencl/memory.h"
#include "channel/channel.h"

/**
 * struct arena - a channel's packets
 * @base: what any GPU's have
 * @memory: as the device knows them
 * @slots: number of slots, of all queues
 * @start: where each slot begins, that is where its headroom does, counted from
 *	the beginning of the region; slots of a queue in the order of their
 *	indices. NULL: not known. [@slots] is the end of the last one.
 */
struct arena {
	struct gpu_arena base;
	struct opencl_memory memory;
	uint32_t slots;
	uint64_t *start;
};

/**
 * arena_get - make a channel's packets known
 * @session: the device in use
 * @ch: channel
 * @queue: any queue
 * @arena: result
 *
 * Callers hold the lock of the device.
 */
cl_int arena_get(struct opencl_session *session, const struct channel *ch,
		 cl_command_queue queue, struct arena **arena);

/** arena_put - no longer used by one instance; NULL is ignored */
void arena_put(struct opencl_session *session, struct arena *arena);

#endif
