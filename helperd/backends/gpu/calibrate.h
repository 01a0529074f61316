/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a device computes, and what that costs, found out with packets of our own
 * through the same code that does the real work.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_CALIBRATE_H
#define WAVECRYPT_BACKENDS_GPU_CALIBRATE_H

#include "backends/gpu/device.h"

/**
 * calibrate - compare a device with the lanes, and measure it
 * @session: the device; its costs are set
 * @timed: measure; otherwise only see whether the results are right
 *
 * The lanes must have been probed before.
 *
 * Return: NULL, or why the device cannot be used: it fails, or it computes
 * something else than the CPU.
 */
const char *calibrate(struct gpu_session *session, bool timed);

/** calibrate_rating - what usual packets cost, for comparison */
double calibrate_rating(const struct gpu_settings *settings,
			const struct backend_cost cost[ALG_KINDS]);

#endif
