/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which places of a device's key table are not empty, and which of these are to
 * be wiped: found in proportion to how many keys were removed.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_GPU_LIVE_KEYS_H
#define WAVECRYPT_GPU_LIVE_KEYS_H

#include "channel/removed.h"

/**
 * struct live_keys - the places of one instance's table
 * @removed: keys that went from the channel
 * @index: the places that are not empty, those to be wiped first
 * @at: where in @index a place is; of an empty one, anything
 * @nr: how many are not empty
 * @nr_stale: how many of them are to be wiped
 */
struct live_keys {
	struct removed removed;
	uint32_t *index;
	uint32_t *at;
	uint32_t nr;
	uint32_t nr_stale;
};

/** live_keys_init - all are empty; false: no memory */
bool live_keys_init(struct live_keys *l, const struct channel *ch);

/** live_keys_exit - free it */
void live_keys_exit(struct live_keys *l);

/** live_keys_add - a place that was empty has a key */
void live_keys_add(struct live_keys *l, uint32_t index);

/** live_keys_drop - one that is to be wiped is empty */
void live_keys_drop(struct live_keys *l, uint32_t index);

/**
 * live_keys_look - find what is to be wiped
 * @l: the places
 * @gone: is what a place has no longer in the channel? False for an empty one.
 * @keys: passed on to it
 *
 * Places that were to be wiped before and have got another key meanwhile are
 * not any more.
 */
void live_keys_look(struct live_keys *l,
		    bool (*gone)(const void *keys, uint32_t index),
		    const void *keys);

#endif
