/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings from where the command line says, at the start and again later.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_READ_H
#define WAVECRYPT_DAEMON_READ_H

#include "daemon/config.h"

/**
 * struct config_source - where settings come from
 * @file: configuration file; absolute, as the daemon leaves its directory
 * @named: the file was named, and so has to be there
 * @set: settings from the command line, which go over those in the file
 * @nr_set: how many
 * @replace: the setting of that name is on, whatever @set says
 */
struct config_source {
	const char *file;
	bool named;
	const char **set;
	int nr_set;
	bool replace;
};

/** READ_ERROR - room for what is wrong, and where */
#define READ_ERROR	768

/**
 * config_read - read all settings
 * @c: where to put them
 * @source: where they come from
 * @why: %READ_ERROR bytes for what is wrong
 *
 * Return: false, with @why filled in, if something is.
 */
bool config_read(struct config *c, const struct config_source *source,
		 char *why);

/**
 * config_where - where a setting's value is from, in words
 * @origin: of a setting
 * @source: where they come from
 * @out: where to put it
 * @size: room there
 *
 * Return: @out.
 */
const char *config_where(struct config_origin origin,
			 const struct config_source *source, char *out,
			 size_t size);

#endif
