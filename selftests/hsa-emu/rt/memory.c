// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent.h"
#include "memory.h"
#include "pfnmap.h"
#include "report.h"
#include "runtime.h"

enum { GRANULE = 4096, POOLS = 4 };

/* What each agent has. Handles are the agent's plus the place in this table. */
static const struct pool {
	hsa_amd_segment_t segment;
	u32 flags;
	const char *what;
} cpu_pools[POOLS] = {
	{ HSA_AMD_SEGMENT_GLOBAL, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
	  "fine-grained memory" },
	{ HSA_AMD_SEGMENT_GLOBAL, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED |
	  HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT, "kernarg memory" },
	{ HSA_AMD_SEGMENT_GLOBAL, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED,
	  "coarse-grained memory" },
}, gpu_pools[POOLS] = {
	{ HSA_AMD_SEGMENT_GLOBAL, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED,
	  "the agent's own memory" },
	{ HSA_AMD_SEGMENT_GROUP, 0, "local memory" },
};

/* Allocated from a pool, or locked, and then the pool says nothing */
struct block {
	u8 *ptr;
	size_t size;
	bool locked;
	const struct pool *pool;
	struct agent *owner;	/* of the pool */
	u32 agents;		/* which can use it, a bit for each */
	void *map;
	size_t map_size;
	struct block *next;
};

static struct {
	pthread_mutex_t lock;
	struct block *blocks;
} memory = { .lock = PTHREAD_MUTEX_INITIALIZER };

static const struct pool *pool_find(hsa_amd_memory_pool_t handle, struct agent **agent)
{
	unsigned int n = handle.handle & 15;
	const struct pool *pool;

	*agent = agent_find((hsa_agent_t) { handle.handle & ~15ULL });
	if (!*agent || !n || n > POOLS)
		return NULL;
	pool = (*agent)->chip ? &gpu_pools[n - 1] : &cpu_pools[n - 1];
	return pool->what ? pool : NULL;
}

static bool is_allocatable(const struct pool *pool)
{
	return pool->segment == HSA_AMD_SEGMENT_GLOBAL;
}

typedef hsa_status_t pool_callback(hsa_amd_memory_pool_t pool, void *data);

hsa_status_t hsa_amd_agent_iterate_memory_pools(hsa_agent_t agent, pool_callback *callback,
						void *data)
{
	const struct agent *a = agent_find(agent);
	hsa_status_t status = api_enter(__func__);

	if (status)
		return status;
	if (!a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	for (unsigned int n = 0; n < POOLS; n++) {
		if (!(a->chip ? gpu_pools : cpu_pools)[n].what)
			continue;
		status = callback((hsa_amd_memory_pool_t) { a->handle + n + 1 }, data);
		if (status)
			return status;
	}
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t memory_pool,
					  hsa_amd_memory_pool_info_t attribute, void *value)
{
	hsa_status_t status = api_enter(__func__);
	const struct pool *pool;
	struct agent *a;
	size_t size;

	if (status)
		return status;
	pool = pool_find(memory_pool, &a);
	if (!pool)
		return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	size = a->empty ? 0 : !is_allocatable(pool) ? 65536 : a->chip ? 512UL << 20 :
	       (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
	switch (attribute) {
	case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
		*(hsa_amd_segment_t *)value = pool->segment;
		break;
	case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
		*(uint32_t *)value = pool->flags;
		break;
	case HSA_AMD_MEMORY_POOL_INFO_SIZE:
	case HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE:
		*(size_t *)value = size;
		break;
	case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
		*(bool *)value = is_allocatable(pool);
		break;
	case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
	case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT:
		*(size_t *)value = is_allocatable(pool) ? GRANULE : 0;
		break;
	case HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
		*(bool *)value = !a->chip;
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_agent_memory_pool_get_info(hsa_agent_t agent,
						hsa_amd_memory_pool_t memory_pool,
						hsa_amd_agent_memory_pool_info_t attribute,
						void *value)
{
	const struct agent *a = agent_find(agent);
	hsa_status_t status = api_enter(__func__);
	const struct pool *pool;
	struct agent *owner;

	if (status)
		return status;
	pool = pool_find(memory_pool, &owner);
	if (!a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!pool)
		return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	switch (attribute) {
	case HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS:
		*(hsa_amd_memory_pool_access_t *)value =
			a == owner ? HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT :
			is_allocatable(pool) ? HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT :
			HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
		break;
	case HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS:
		*(uint32_t *)value = a != owner;
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

/* Where an agent sees a block: what is locked may be elsewhere for it. */
static u64 view(const struct block *b, const struct agent *a)
{
	u64 host = (u64)(uintptr_t)b->ptr;

	return b->locked && a->altva ? host ^ ALTVA : host;
}

static bool give(struct block *b, struct agent *a)
{
	u32 bit = 1U << a->node, flags = REGION_WRITE;
	char what[48];

	if (!a->chip || b->agents & bit)
		return true;
	if (b->pool && b->pool->flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)
		flags |= REGION_KERNARG;
	snprintf(what, sizeof(what), "%zu bytes of %s", b->size,
		 b->locked ? "locked memory" : b->pool->what);
	if (!aspace_add(&a->aspace, view(b, a), b->ptr, b->size, flags, what))
		return false;
	b->agents |= bit;
	return true;
}

static void take(struct block *b, struct agent *a, const char *how)
{
	u32 bit = 1U << a->node;

	if (a->chip && b->agents & bit)
		aspace_remove(&a->aspace, view(b, a), how);
	b->agents &= ~bit;
}

static void take_from_all(struct block *b, const char *how)
{
	struct agent *a;

	for (unsigned int n = 0; (a = agent_at(n)); n++)
		take(b, a, how);
}

static struct block **find(const void *ptr, bool locked)
{
	struct block **at;

	for (at = &memory.blocks; *at; at = &(*at)->next)
		if ((*at)->ptr == ptr && (*at)->locked == locked)
			break;
	return at;
}

hsa_status_t hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t memory_pool, size_t size,
					  uint32_t flags, void **ptr)
{
	hsa_status_t status = api_enter(__func__);
	const struct pool *pool;
	struct agent *owner;
	struct block *b;

	if (status)
		return status;
	pool = pool_find(memory_pool, &owner);
	if (!pool)
		return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
	if (!size || !ptr || flags)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	if (!is_allocatable(pool))
		return HSA_STATUS_ERROR_INVALID_ALLOCATION;
	b = calloc(1, sizeof(*b));
	if (!b)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	/* A page on either side that nobody may touch */
	b->map_size = (size + 3 * GRANULE - 1) / GRANULE * GRANULE;
	b->map = mmap(NULL, b->map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		      -1, 0);
	if (b->map == MAP_FAILED) {
		free(b);
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	b->ptr = (u8 *)b->map + GRANULE;
	if (mprotect(b->ptr, b->map_size - 2 * GRANULE, PROT_READ | PROT_WRITE)) {
		munmap(b->map, b->map_size);
		free(b);
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	b->size = size;
	b->pool = pool;
	b->owner = owner;
	give(b, owner);
	pthread_mutex_lock(&memory.lock);
	b->next = memory.blocks;
	memory.blocks = b;
	pthread_mutex_unlock(&memory.lock);
	*ptr = b->ptr;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_pool_free(void *ptr)
{
	hsa_status_t status = api_enter(__func__);
	struct block **at, *b;

	if (status || !ptr)
		return status;
	pthread_mutex_lock(&memory.lock);
	at = find(ptr, false);
	b = *at;
	if (b)
		*at = b->next;
	pthread_mutex_unlock(&memory.lock);
	if (!b) {
		report("hsa_amd_memory_pool_free(%p): nothing was allocated there", ptr);
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	take_from_all(b, "hsa_amd_memory_pool_free()");
	munmap(b->map, b->map_size);
	free(b);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_agents_allow_access(uint32_t num_agents, const hsa_agent_t *agents,
					 const uint32_t *flags, const void *ptr)
{
	hsa_status_t status = api_enter(__func__);
	struct agent *a;
	struct block *b;
	u32 wanted = 0;

	if (status)
		return status;
	if (!num_agents || !agents || flags || !ptr)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	for (uint32_t n = 0; n < num_agents; n++) {
		a = agent_find(agents[n]);
		if (!a)
			return HSA_STATUS_ERROR_INVALID_AGENT;
		wanted |= 1U << a->node;
	}
	pthread_mutex_lock(&memory.lock);
	b = *find(ptr, false);
	if (!b)
		status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
	/* Those that are not named lose it, but for its owner. */
	for (unsigned int n = 0; b && (a = agent_at(n)); n++) {
		if (wanted >> n & 1 && !give(b, a))
			status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
		if (!(wanted >> n & 1) && a != b->owner)
			take(b, a, "hsa_amd_agents_allow_access()");
	}
	pthread_mutex_unlock(&memory.lock);
	return status;
}

/* Locks for the agents named, or for all; one address must do for all of these. */
static hsa_status_t lock_for(struct block *b, hsa_agent_t *agents, int nr, void **agent_ptr)
{
	struct agent *a;

	*agent_ptr = b->ptr;
	for (unsigned int n = 0; agents ? n < (unsigned int)nr : !!agent_at(n); n++) {
		a = agents ? agent_find(agents[n]) : agent_at(n);
		if (!a)
			return HSA_STATUS_ERROR_INVALID_AGENT;
		if (a->lost || !give(b, a))
			return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
		if (a->chip)
			*agent_ptr = (void *)(uintptr_t)view(b, a);
	}
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t lock(void *host_ptr, size_t size, hsa_agent_t *agents, int num_agent,
			 void **agent_ptr)
{
	hsa_status_t status;
	struct block *b;

	if (!size || !host_ptr || !agent_ptr || (agents ? num_agent <= 0 : num_agent))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*agent_ptr = NULL;
	/* The driver pins pages of the process, and only those that have a struct page. */
	if (!pfnmap_lockable(host_ptr, size))
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	b = calloc(1, sizeof(*b));
	if (!b)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	b->ptr = host_ptr;
	b->size = size;
	b->locked = true;
	pthread_mutex_lock(&memory.lock);
	status = lock_for(b, agents, num_agent, agent_ptr);
	if (status) {
		take_from_all(b, "a lock that failed");
		free(b);
	} else {
		b->next = memory.blocks;
		memory.blocks = b;
	}
	pthread_mutex_unlock(&memory.lock);
	return status;
}

hsa_status_t hsa_amd_memory_lock(void *host_ptr, size_t size, hsa_agent_t *agents, int num_agent,
				 void **agent_ptr)
{
	hsa_status_t status = api_enter(__func__);

	return status ? status : lock(host_ptr, size, agents, num_agent, agent_ptr);
}

hsa_status_t hsa_amd_memory_lock_to_pool(void *host_ptr, size_t size, hsa_agent_t *agents,
					 int num_agent, hsa_amd_memory_pool_t memory_pool,
					 uint32_t flags, void **agent_ptr)
{
	hsa_status_t status = api_enter(__func__);
	const struct pool *pool;
	struct agent *owner;

	if (status)
		return status;
	pool = pool_find(memory_pool, &owner);
	if (!pool)
		return (hsa_status_t)HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
	/* Locked memory is the host's: it takes on the manner of a pool of the CPU. */
	if (owner->chip || flags)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return lock(host_ptr, size, agents, num_agent, agent_ptr);
}

hsa_status_t hsa_amd_memory_unlock(void *host_ptr)
{
	hsa_status_t status = api_enter(__func__);
	struct block **at, *b;

	if (status)
		return status;
	pthread_mutex_lock(&memory.lock);
	at = find(host_ptr, true);
	b = *at;
	if (b)
		*at = b->next;
	pthread_mutex_unlock(&memory.lock);
	if (!b) {
		report("hsa_amd_memory_unlock(%p): nothing was locked there", host_ptr);
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	take_from_all(b, "hsa_amd_memory_unlock()");
	free(b);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_pointer_info(const void *ptr, hsa_amd_pointer_info_t *info,
				  void *(*alloc)(size_t size), uint32_t *num_agents_accessible,
				  hsa_agent_t **accessible)
{
	hsa_status_t status = api_enter(__func__);
	struct block *b;

	if (status)
		return status;
	if (!ptr || !info || info->size < sizeof(*info) || alloc || num_agents_accessible ||
	    accessible)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	info->type = HSA_EXT_POINTER_TYPE_UNKNOWN;
	pthread_mutex_lock(&memory.lock);
	for (b = memory.blocks; b; b = b->next) {
		if ((uintptr_t)ptr - (uintptr_t)b->ptr >= b->size)
			continue;
		info->type = b->locked ? HSA_EXT_POINTER_TYPE_LOCKED : HSA_EXT_POINTER_TYPE_HSA;
		info->hostBaseAddress = b->ptr;
		info->agentBaseAddress = b->ptr;
		info->sizeInBytes = b->size;
		info->global_flags = b->pool ? b->pool->flags :
				     HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED;
		info->agentOwner.handle = (b->owner ? b->owner : agent_at(0))->handle;
		break;
	}
	pthread_mutex_unlock(&memory.lock);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_memory_fill(void *ptr, uint32_t value, size_t count)
{
	hsa_status_t status = api_enter(__func__);

	if (status)
		return status;
	if (!ptr || (uintptr_t)ptr % 4)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	for (size_t k = 0; k < count; k++)
		((uint32_t *)ptr)[k] = value;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_memory_copy(void *dst, const void *src, size_t size)
{
	hsa_status_t status = api_enter(__func__);

	if (status)
		return status;
	if (!dst || !src)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	memcpy(dst, src, size);
	return HSA_STATUS_SUCCESS;
}

void memory_exit(void)
{
	while (memory.blocks) {
		struct block *b = memory.blocks;

		memory.blocks = b->next;
		report("hsa_shut_down(): %zu bytes at %p are still %s", b->size, (void *)b->ptr,
		       b->locked ? "locked" : "allocated");
		take_from_all(b, "hsa_shut_down()");
		if (b->map)
			munmap(b->map, b->map_size);
		free(b);
	}
}
