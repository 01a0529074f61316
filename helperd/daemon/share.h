/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of several devices each worker works with.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_SHARE_H
#define WAVECRYPT_DAEMON_SHARE_H

#include <stdint.h>

#include "backends/backend.h"

/**
 * struct share - what there is to be shared out
 * @workers: number of workers
 * @node: NUMA node of each, or %NUMA_NONE
 * @devices: number of devices
 * @device: the devices
 */
struct share {
	uint32_t workers;
	const int *node;
	uint32_t devices;
	struct device *const *device;
};

/**
 * share_out - give each worker a device
 * @share: what there is
 * @device_of: result: each worker's; NULL if there are no devices
 *
 * One of its own node, where there is one, and of those the one that fewest have; one that
 * is missing only where all are. But none is left without a worker while another has several.
 */
void share_out(const struct share *share, struct device **device_of);

#endif
