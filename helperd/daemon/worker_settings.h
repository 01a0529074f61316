/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What settings mean for a worker.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_WORKER_SETTINGS_H
#define WAVECRYPT_DAEMON_WORKER_SETTINGS_H

#include "daemon/registry.h"
#include "worker/worker.h"

struct config;

/**
 * worker_settings - take over what settings say
 * @wc: for which worker
 * @config: settings
 * @lanes: what it works with
 * @device: the device beside them, or NULL
 */
void worker_settings(struct worker_config *wc, const struct config *config,
		     struct device *lanes, struct device *device);

/** worker_devices - share out the devices among workers of these NUMA nodes */
void worker_devices(const struct config *config, const struct backend_choice *choice,
		    const int *node, uint32_t workers, struct device **device_of);

#endif
