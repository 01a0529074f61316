// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <limits.h>
#include <stdio.h>

#include "daemon/newcomers.h"
#include "daemon/online.h"

int newcomers_find(const struct channel *ch, const char *sysfs, cpu_set_t *set)
{
	if (!online_cpus(sysfs, set))
		CPU_ZERO(set);
	for (uint32_t i = 0; i < ch->geo.queues; i++) {
		uint32_t cpu = channel_sq(ch, i)->cpu;

		if (cpu < CPU_SETSIZE)
			CPU_CLR(cpu, set);
	}
	return CPU_COUNT(set);
}

bool newcomers_jumbo(const char *sysfs)
{
	char path[PATH_MAX];
	int outgrown = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/class/misc/wavecrypt/outgrown", sysfs);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (fscanf(file, "%d", &outgrown) != 1)
		outgrown = 0;
	fclose(file);
	return outgrown;
}
