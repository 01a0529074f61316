// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>

#include "backends/opencl/arena.h"

static const struct wavecrypt_desc *descriptors(const struct channel *ch,
						uint32_t queue)
{
	return (const void *)((const uint8_t *)channel_sq(ch, queue) +
			      ch->geo.desc_first);
}

/*
 * Where slots begin and end follows from the descriptors, where the module has
 * filled in @data of all of them beforehand. What is between two packets of
 * neighbouring slots is then ours while both are.
 */
static bool learn_queue(struct arena *a, const struct channel *ch, uint32_t queue)
{
	const struct wavecrypt_attach *geo = &ch->geo;
	const struct wavecrypt_desc *desc = descriptors(ch, queue);
	uint64_t *start = a->start + (size_t)queue * geo->entries;
	uint64_t low = queue * geo->slot_stride;

	for (uint32_t i = 0; i < geo->entries; i++) {
		uint64_t data = __atomic_load_n(&desc[i].data,
						__ATOMIC_RELAXED);

		if (data < low + WAVECRYPT_HEADROOM ||
		    data >= (queue + 1) * geo->slot_stride)
			return false;
		start[i] = data - WAVECRYPT_HEADROOM;
		low = data;
	}
	return true;
}

static void learn(struct arena *a, const struct channel *ch)
{
	const struct wavecrypt_attach *geo = &ch->geo;

	a->slots = geo->queues * geo->entries;
	a->start = calloc(a->slots + 1, sizeof(*a->start));
	if (!a->start)
		return;
	a->start[a->slots] = geo->queues * geo->slot_stride;
	for (uint32_t i = 0; i < geo->queues; i++)
		if (!learn_queue(a, ch, i)) {
			free(a->start);
			a->start = NULL;
			return;
		}
}

cl_int arena_get(struct opencl_session *session, const struct channel *ch,
		 cl_command_queue queue, struct arena **out)
{
	struct arena *a;
	cl_int err;

	a = (struct arena *)gpu_arena_find(session->arenas, ch);
	if (a) {
		*out = a;
		return CL_SUCCESS;
	}
	a = calloc(1, sizeof(*a));
	if (!a)
		return CL_OUT_OF_HOST_MEMORY;
	err = opencl_memory_arena(session, queue, &a->memory,
				  ch->map[WAVECRYPT_REGION_SLOTS],
				  ch->geo.region[WAVECRYPT_REGION_SLOTS].size);
	if (err) {
		opencl_memory_free(session, &a->memory);
		free(a);
		return err;
	}
	gpu_arena_add(&session->arenas, &a->base, ch);
	learn(a, ch);
	*out = a;
	return CL_SUCCESS;
}

void arena_put(struct opencl_session *session, struct arena *a)
{
	if (!a || !gpu_arena_drop(&session->arenas, &a->base))
		return;
	opencl_memory_free(session, &a->memory);
	free(a->start);
	free(a);
}
