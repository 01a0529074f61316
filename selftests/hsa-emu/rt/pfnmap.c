// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../gcn/types.h"
#include "pfnmap.h"

/* The flags of a mapping, as two letters each */
static bool refused(const char *flags)
{
	static const char *const bad[] = { " pf", " mm", " io" };

	for (unsigned int k = 0; k < ARRAY_SIZE(bad); k++)
		if (strstr(flags, bad[k]))
			return true;
	return false;
}

bool pfnmap_lockable(const void *ptr, size_t size)
{
	uintptr_t at = (uintptr_t)ptr, end = at + size;
	unsigned long from = 0, to = 0;
	bool good = true;
	char line[512];
	FILE *maps = fopen("/proc/self/smaps", "re");

	if (!maps)
		return true;
	while (at < end && good && fgets(line, sizeof(line), maps)) {
		unsigned long a, b;
		char perms[5];

		if (sscanf(line, "%lx-%lx %4s", &a, &b, perms) == 3) {
			from = a;
			to = b;
			/* A gap, or what cannot be read */
			good = to <= at || (from <= at && perms[0] == 'r');
		} else if (from <= at && at < to && !strncmp(line, "VmFlags:", 8)) {
			good = !refused(line);
			at = to;
		}
	}
	fclose(maps);
	return good && at >= end;
}
