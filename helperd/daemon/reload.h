/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Other settings for a daemon that runs.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_RELOAD_H
#define WAVECRYPT_DAEMON_RELOAD_H

#include <jansson.h>

#include "daemon/read.h"

/**
 * reload_settings - read settings again, and take over what can be
 * @running: the daemon's
 * @source: where they come from
 * @workers: set if workers have to be started anew for that
 *
 * If something is wrong with them, or those that would apply now name what does not
 * exist, nothing changes. What happened is logged.
 *
 * Return: an object: "error", or the names of settings that are "applied" now,
 * and of those that would take a "restart".
 */
json_t *reload_settings(struct config *running,
			const struct config_source *source, bool *workers);

/**
 * reload_level - another log level, until settings are read again
 * @running: the daemon's settings
 * @level: its name
 *
 * Return: an object: "error", or "applied".
 */
json_t *reload_level(struct config *running, const char *level);

/** reload_show - all settings: an array of objects of name, value and from */
json_t *reload_show(const struct config *running,
		    const struct config_source *source);

#endif
