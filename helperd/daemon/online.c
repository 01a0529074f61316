// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "daemon/online.h"
#include "lib/cpulist.h"

bool online_cpus(const char *sysfs, cpu_set_t *set)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/devices/system/cpu/online", sysfs);
	return cpulist_read(path, set);
}

static void look(const char *sysfs, cpu_set_t *set)
{
	if (!online_cpus(sysfs, set))
		memset(set, 0xff, sizeof(*set));
}

void online_note(struct online *o, const char *sysfs)
{
	look(sysfs, &o->placed);
	o->seen = o->placed;
}

bool online_changed(struct online *o, const char *sysfs)
{
	cpu_set_t before = o->seen;

	look(sysfs, &o->seen);
	return CPU_EQUAL(&o->seen, &before) && !CPU_EQUAL(&o->seen, &o->placed);
}
