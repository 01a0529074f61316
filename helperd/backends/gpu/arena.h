/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Channels' packets that a GPU knows of: each once for all instances. Callers hold
 * the lock of the device.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_ARENA_H
#define WAVECRYPT_BACKENDS_GPU_ARENA_H

#include "channel/channel.h"

/**
 * struct gpu_arena - a channel's packets; kinds embed it
 * @next: another channel's
 * @serial: the channel's, which may be gone: those of a GPU that hung stay
 * @users: instances
 */
struct gpu_arena {
	struct gpu_arena *next;
	uint64_t serial;
	unsigned int users;
};

/** gpu_arena_find - a channel's, with one more user, or NULL */
struct gpu_arena *gpu_arena_find(struct gpu_arena *list,
				 const struct channel *ch);

/** gpu_arena_add - one that was not there, with its first user */
void gpu_arena_add(struct gpu_arena **list, struct gpu_arena *arena,
		   const struct channel *ch);

/** gpu_arena_drop - one user less. true: it was the last, and it is to be freed */
bool gpu_arena_drop(struct gpu_arena **list, struct gpu_arena *arena);

#endif
