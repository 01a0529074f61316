// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdint.h>
#include <pthread.h>
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

bool hsa_gpus_have(const struct hsa_gpus *gpus, hsa_agent_t gpu)
{
	for (int i = 0; i < gpus->nr; i++)
		if (gpus->agent[i].handle == gpu.handle)
			return true;
	return false;
}

void hsa_gpus_add(struct hsa_gpus *gpus, hsa_agent_t gpu)
{
	if (!hsa_gpus_have(gpus, gpu))
		gpus->agent[gpus->nr++] = gpu;
}

/* What is locked is so for the process, as the runtime is one. */
static struct {
	pthread_mutex_t lock;
	struct gpu_arena *arenas;
} locked = { .lock = PTHREAD_MUTEX_INITIALIZER };

static hsa_status_t lock_for(const struct hsa_machine *m, struct hsa_arena *a, size_t size)
{
	return hsa.amd_memory_lock_to_pool(a->host, size, a->gpus.agent, a->gpus.nr, m->fine,
					   0, &a->gpu);
}

/* For @gpu, and those of the others that can have it */
static hsa_status_t lock_for_some(const struct hsa_machine *m, const struct hsa_gpus *gpus,
				  hsa_agent_t gpu, struct hsa_arena *a, size_t size)
{
	struct hsa_gpus some = { .nr = 1, .agent = { gpu } };

	for (int i = 0; i < gpus->nr; i++) {
		a->gpus = (struct hsa_gpus) { .nr = 1, .agent = { gpus->agent[i] } };
		if (gpus->agent[i].handle == gpu.handle || lock_for(m, a, size))
			continue;
		hsa.amd_memory_unlock(a->host);
		hsa_gpus_add(&some, gpus->agent[i]);
	}
	a->gpus = some;
	return lock_for(m, a, size);
}

static hsa_status_t make(const struct hsa_machine *m, const struct hsa_gpus *gpus,
			 hsa_agent_t gpu, const struct channel *ch, struct hsa_arena **arena)
{
	uint64_t size = ch->geo.region[WAVECRYPT_REGION_SLOTS].size;
	struct hsa_arena *a;
	hsa_status_t status;

	/* Offsets of packets have 32 bits. */
	if (size > UINT32_MAX)
		return HSA_STATUS_ERROR_INVALID_ALLOCATION;
	a = calloc(1, sizeof(*a));
	if (!a)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	a->gpus = *gpus;
	a->host = ch->map[WAVECRYPT_REGION_SLOTS];
	status = lock_for(m, a, size);
	if (status && gpus->nr > 1)
		status = lock_for_some(m, gpus, gpu, a, size);
	if (status) {
		free(a);
		return status;
	}
	gpu_arena_add(&locked.arenas, &a->base, ch);
	*arena = a;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_arena_get(const struct hsa_machine *m, const struct hsa_gpus *gpus,
			   hsa_agent_t gpu, const struct channel *ch,
			   struct hsa_arena **arena)
{
	hsa_status_t status = HSA_STATUS_SUCCESS;
	struct hsa_arena *a;

	pthread_mutex_lock(&locked.lock);
	a = (struct hsa_arena *)gpu_arena_find(locked.arenas, ch);
	if (!a)
		status = make(m, gpus, gpu, ch, &a);
	pthread_mutex_unlock(&locked.lock);
	if (status)
		return status;
	/* One that was not there when it was locked waits until it can be again. */
	if (!hsa_gpus_have(&a->gpus, gpu)) {
		hsa_arena_put(a);
		return HSA_STATUS_ERROR_INVALID_AGENT;
	}
	*arena = a;
	return HSA_STATUS_SUCCESS;
}

void hsa_arena_put(struct hsa_arena *a)
{
	bool last;

	if (!a)
		return;
	pthread_mutex_lock(&locked.lock);
	last = gpu_arena_drop(&locked.arenas, &a->base);
	if (last)
		hsa.amd_memory_unlock(a->host);
	pthread_mutex_unlock(&locked.lock);
	if (last)
		free(a);
}
