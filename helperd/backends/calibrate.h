/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a device computes, and what that costs, found out with packets of our own
 * through the same code that does the real work.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_CALIBRATE_H
#define WAVECRYPT_BACKENDS_CALIBRATE_H

#include "backend.h"
#include "gpu.h"

/**
 * struct calibration - how to go about it
 * @config: settings
 * @shape: how its work-groups are cut
 * @timed: measure; otherwise only see whether the results are right
 * @device: for @open
 * @open: an instance on a channel; NULL, with @why set, if there is none
 * @close: the reverse; false if it hung, and may still write to the channel
 */
struct calibration {
	const struct config *config;
	const struct wavecrypt_gpu_shape *shape;
	bool timed;
	void *device;
	struct backend *(*open)(void *device, const struct channel *ch,
				const char **why);
	bool (*close)(struct backend *be);
};

/**
 * calibrate - compare a device with the lanes, and measure it
 * @c: how
 * @cost: set to what work costs, by kind
 *
 * The lanes must have been probed before.
 *
 * Return: NULL, or why the device cannot be used: it fails, or it computes
 * something else than the CPU.
 */
const char *calibrate(const struct calibration *c,
		      struct backend_cost cost[ALG_KINDS]);

/** calibrate_rating - what usual packets cost, for comparison */
double calibrate_rating(const struct config *config,
			const struct backend_cost cost[ALG_KINDS]);

#endif
