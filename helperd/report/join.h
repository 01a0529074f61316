/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every counter of the module and of the daemon.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_REPORT_JOIN_H
#define WAVECRYPT_REPORT_JOIN_H

#include <jansson.h>

/**
 * stats_join - the module's and the daemon's counters as one
 * @module: what sysfs_module() said
 * @helper: what the daemon said, or NULL
 * @why: why it said nothing
 */
json_t *stats_join(const json_t *module, json_t *helper, const char *why);

/** stats_mode - with them the module's mode, if it is known; takes it over */
void stats_mode(json_t *stats, json_t *mode);

#endif
