// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "backends/hsa/memory.h"

#define PAGE	4096u

hsa_status_t hsa_shared_alloc(hsa_amd_memory_pool_t pool, hsa_agent_t gpu,
			      size_t size, void **memory)
{
	hsa_status_t status;

	*memory = NULL;
	size = (size + PAGE - 1) & -(size_t)PAGE;
	status = hsa.amd_memory_pool_allocate(pool, size, 0, memory);
	if (status) {
		*memory = NULL;
		return status;
	}
	status = hsa.amd_agents_allow_access(1, &gpu, NULL, *memory);
	if (status) {
		hsa_shared_free(*memory);
		*memory = NULL;
		return status;
	}
	madvise(*memory, size, MADV_DONTDUMP);
	memset(*memory, 0, size);
	return HSA_STATUS_SUCCESS;
}

void hsa_shared_free(void *memory)
{
	if (memory)
		hsa.amd_memory_pool_free(memory);
}

hsa_status_t hsa_arena_get(struct gpu_arena **list, const struct hsa_machine *m,
			   hsa_agent_t gpu, const struct channel *ch,
			   struct hsa_arena **arena)
{
	uint64_t size = ch->geo.region[WAVECRYPT_REGION_SLOTS].size;
	struct hsa_arena *a;
	hsa_status_t status;

	a = (struct hsa_arena *)gpu_arena_find(*list, ch);
	if (a) {
		*arena = a;
		return HSA_STATUS_SUCCESS;
	}
	/* Offsets of packets have 32 bits. */
	if (size > UINT32_MAX)
		return HSA_STATUS_ERROR_INVALID_ALLOCATION;
	a = calloc(1, sizeof(*a));
	if (!a)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	a->host = ch->map[WAVECRYPT_REGION_SLOTS];
	status = hsa.amd_memory_lock_to_pool(a->host, size, &gpu, 1, m->fine, 0,
					     &a->gpu);
	if (status) {
		free(a);
		return status;
	}
	gpu_arena_add(list, &a->base, ch);
	*arena = a;
	return HSA_STATUS_SUCCESS;
}

void hsa_arena_put(struct gpu_arena **list, struct hsa_arena *a)
{
	if (!a || !gpu_arena_drop(list, &a->base))
		return;
	hsa.amd_memory_unlock(a->host);
	free(a);
}
