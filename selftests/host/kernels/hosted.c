// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernels compiled for this processor, run by workgroup.c.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "workgroup.h"

void wavecrypt_batch(const struct wavecrypt_gpu_group *groups,
		     const struct wavecrypt_gpu_packet *packets,
		     const struct wavecrypt_gpu_key *keys, uint8_t *data);

static struct engine *running;

static void batch(void)
{
	wavecrypt_batch(running->groups, running->packets, running->keys, running->data);
}

static const char *run(struct engine *engine, unsigned int nr)
{
	running = engine;
	for (unsigned int i = 0; i < nr; i++) {
		const char *error = workgroup_run(i, engine->shape->lanes, batch);

		if (error)
			return error;
	}
	return NULL;
}

static const char *end(struct engine *engine)
{
	free(engine->groups);
	free(engine->packets);
	free(engine->keys);
	free(engine->data);
	return NULL;
}

const char *engine_hosted(struct engine *engine)
{
#ifdef WAVECRYPT_WIDE
	engine->shape = &wavecrypt_gpu_wide;
#else
	engine->shape = &wavecrypt_gpu_narrow;
#endif
	snprintf(engine->name, sizeof(engine->name), "this processor, %u lanes",
		 engine->shape->lanes);
	engine->groups = aligned_alloc(64, sizeof(*engine->groups) * ENGINE_GROUPS);
	engine->packets = aligned_alloc(64, sizeof(*engine->packets) * ENGINE_PACKETS);
	engine->keys = aligned_alloc(64, sizeof(*engine->keys) * ENGINE_KEYS);
	engine->data = aligned_alloc(64, ENGINE_DATA);
	engine->run = run;
	engine->close = end;
	if (!engine->groups || !engine->packets || !engine->keys || !engine->data)
		return "no memory";
	return NULL;
}
