// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "backend.h"
#include "backends/cpu.h"

const struct backend_ops *const backends[] = {
	&cpu_backend,
	NULL,
};

const struct backend_ops *backend_find(const char *name)
{
	for (size_t i = 0; backends[i]; i++)
		if (!strcmp(backends[i]->name, name))
			return backends[i];
	return NULL;
}
