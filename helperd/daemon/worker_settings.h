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

/** worker_settings - take over what @config and @choice say for worker @nr */
void worker_settings(struct worker_config *wc, const struct config *config,
		     const struct backend_choice *choice, uint32_t nr);

#endif
