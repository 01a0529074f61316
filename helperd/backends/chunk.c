// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>

#include "backends/chunk.h"

struct chunk *chunk_alloc(uint32_t max)
{
	struct chunk *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->max = max;
	/* In the worst case, each is of another kind than the one before. */
	c->parts = calloc(max, sizeof(*c->parts));
	c->packets = calloc(max, sizeof(*c->packets));
	if (!c->parts || !c->packets) {
		chunk_free(c);
		return NULL;
	}
	return c;
}

void chunk_free(struct chunk *c)
{
	if (!c)
		return;
	free(c->parts);
	free(c->packets);
	free(c);
}
