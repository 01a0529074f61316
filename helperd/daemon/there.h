/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is there what settings name: users, groups, CPUs, devices, files?
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_THERE_H
#define WAVECRYPT_DAEMON_THERE_H

#include <sched.h>

#include "daemon/read.h"
#include "daemon/registry.h"

/** THERE_WHY - room for what is missing */
#define THERE_WHY	BACKEND_WHY

/** THERE_ERROR - room for that, of which setting, and where it is from */
#define THERE_ERROR	(READ_ERROR + CONFIG_VALUE + THERE_WHY + 16)

/**
 * there_cpus - those of some CPUs that a worker could be on
 * @wanted: the CPUs
 * @set: result
 *
 * Return: how many.
 */
int there_cpus(const cpu_set_t *wanted, cpu_set_t *set);

/**
 * config_missing - does a setting name something that does not exist?
 * @c: settings
 * @i: which, from 0 to %CONFIG_SETTINGS - 1
 * @source: where they come from
 * @error: %THERE_ERROR bytes for what does not, and where that is said
 *
 * A default may: it names what is not installed, or not loaded yet.
 */
bool config_missing(const struct config *c, size_t i,
		    const struct config_source *source, char *error);

/**
 * config_unusable - do settings name what workers are to have, and is not there?
 * @c: settings
 * @running: those of the daemon that runs and is to have them; NULL: there is none
 * @source: where they come from
 * @error: %THERE_ERROR bytes for what does not exist, and where that is said
 *
 * These are settings that a running daemon takes over; and devices that are others than
 * @running's. One that starts does with what there is: there_cpus(). What others name is
 * missed by who opens it, and has exit statuses of its own.
 */
bool config_unusable(const struct config *c, const struct config *running,
		     const struct config_source *source, char *error);

#endif
