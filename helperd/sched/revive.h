/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Getting a device back that failed: tried now and then, by a thread of its own,
 * since opening a device takes longer than packets can wait.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_SCHED_REVIVE_H
#define WAVECRYPT_SCHED_REVIVE_H

#include <pthread.h>

#include "backends/backend.h"

/**
 * struct revive - the attempts
 * @dev: the device
 * @ch: channel
 * @first_ns: wait before the first attempt
 * @wait_ns: before the next; doubled after each that failed
 * @thread: makes them
 * @running: there is a thread to be joined
 * @stop: it is to end; under @lock
 * @lock: for @changed
 * @changed: @stop has
 * @fresh: what it opened, until it is fetched
 */
struct revive {
	struct device *dev;
	const struct channel *ch;
	uint64_t first_ns;
	uint64_t wait_ns;
	pthread_t thread;
	bool running;
	bool stop;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct backend *fresh;
};

/** revive_init - no attempts yet */
void revive_init(struct revive *r, struct device *dev,
		 const struct channel *ch, uint64_t first_ns);

/** revive_start - begin to try; none are under way */
void revive_start(struct revive *r);

/** revive_get - a new instance, or NULL as long as there is none */
struct backend *revive_get(struct revive *r);

/** revive_exit - stop trying */
void revive_exit(struct revive *r);

#endif
