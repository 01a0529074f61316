/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Getting a device, again after it failed: tried now and then, by a thread of its own,
 * since opening a device takes longer than packets can wait. And letting go of it,
 * likewise: a driver that does not return holds up nobody else.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_SCHED_REVIVE_H
#define WAVECRYPT_SCHED_REVIVE_H

#include "backends/backend.h"

struct attempts;

/**
 * struct revive - the attempts
 * @dev: the device
 * @ch: channel
 * @first_ns: wait before the first attempt after it failed
 * @begun_at: when they were begun, in ns
 * @attempts: those that are under way; NULL: none, or there was no thread for them
 */
struct revive {
	struct device *dev;
	struct channel *ch;
	uint64_t first_ns;
	uint64_t begun_at;
	struct attempts *attempts;
};

/** revive_init - no attempts yet */
void revive_init(struct revive *r, struct device *dev,
		 struct channel *ch, uint64_t first_ns);

/**
 * revive_start - begin to try; none are under way
 *
 * A device that is opened and fails again sooner than it had been waited for is one
 * that fails: it is waited for twice as long as before. One that hangs again is waited
 * for eight times as long, however long it worked. So it is when it was another worker
 * that had it, or one before this.
 */
void revive_start(struct revive *r);

/**
 * revive_get - a new instance, or NULL as long as there is none
 *
 * Where there was no thread for the attempts they are begun anew, now and then.
 */
struct backend *revive_get(struct revive *r);

/**
 * revive_open - have it, for the first time
 *
 * One that was found wanting by others is tried when it would have been by them.
 *
 * Return: an instance; NULL: it could not be opened at once, and is tried again.
 */
struct backend *revive_open(struct revive *r);

/**
 * revive_exit - stop trying
 *
 * An attempt whose driver does not return is left, with the device and the channel.
 */
void revive_exit(struct revive *r);

/** revive_close - close an instance; if the driver does not return it is left likewise */
void revive_close(struct revive *r, struct backend *be);

#endif
