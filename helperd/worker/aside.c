// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "worker/aside.h"

bool aside_choose(struct aside *a, uint32_t cpu, cpu_set_t *to)
{
	uint32_t here = cpu < CPU_SETSIZE ? a->packets[cpu] : 0;
	bool much = here >= a->total / 4;

	CPU_ZERO(to);
	for (uint32_t other = 0; much && other < CPU_SETSIZE; other++)
		if (CPU_ISSET(other, &a->cpus) && a->packets[other] < here / 2)
			CPU_SET(other, to);
	memset(a->packets, 0, sizeof(a->packets));
	a->total = 0;
	return CPU_COUNT(to) > 0;
}
