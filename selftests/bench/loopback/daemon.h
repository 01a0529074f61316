/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's workers, without the daemon around them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BENCH_DAEMON_H
#define WAVECRYPT_BENCH_DAEMON_H

#include "options.h"
#include "daemon/worker_settings.h"

/**
 * struct daemon - workers at one end of a loopback
 * @backends: what they work with
 * @nr: how many
 * @device_of: which device each works with
 * @workers: the workers
 * @cpus: CPUs that they have for themselves
 */
struct daemon {
	struct backend_choice backends;
	uint32_t nr;
	struct device **device_of;
	struct worker **workers;
	cpu_set_t cpus;
};

/**
 * daemon_start - start workers
 * @d: result
 * @o: how many, and their settings
 * @ch: their channel
 *
 * Return: false, with a message logged, if that is not possible.
 */
bool daemon_start(struct daemon *d, const struct options *o,
		  struct channel *ch);

/** daemon_stats - sum of what they have done */
void daemon_stats(const struct daemon *d, struct worker_stats *out);

/** daemon_stop - stop and free them; may be called after a failed start */
void daemon_stop(struct daemon *d);

/** nth_cpu - the @n-th CPU of a set, counted round and round, or -1 */
int nth_cpu(const cpu_set_t *set, uint32_t n);

#endif
