/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module shows of itself.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef SYSFS_H
#define SYSFS_H

#include <err.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define SYSFS	"/sys/class/misc/wavecrypt/"

/** number_in - the number that a file holds */
static inline uint64_t number_in(const char *name)
{
	FILE *file = fopen(name, "re");
	uint64_t number;

	if (!file || fscanf(file, "%" SCNu64, &number) != 1)
		err(2, "%s", name);
	fclose(file);
	return number;
}

/** write_number - have a file hold another number */
static inline void write_number(const char *name, unsigned int number)
{
	FILE *file = fopen(name, "we");

	if (!file || fprintf(file, "%u\n", number) < 0 || fclose(file))
		err(2, "%s", name);
}

/** state_is - whether the helper is "live", "stalled" or what @wanted says */
static inline bool state_is(const char *wanted)
{
	char state[16] = "";
	FILE *file = fopen(SYSFS "state", "re");

	if (!file || fscanf(file, "%15s", state) != 1)
		err(2, "%s", SYSFS "state");
	fclose(file);
	return !strcmp(state, wanted);
}

#endif /* SYSFS_H */
