// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "aspace.h"

void aspace_init(struct aspace *as)
{
	pthread_rwlockattr_t attr;

	memset(as, 0, sizeof(*as));
	/* Or kernels that never end would keep everybody else out. */
	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&as->lock, &attr);
	pthread_rwlockattr_destroy(&attr);
}

static size_t cells_size(const struct region *r)
{
	return (r->size + 3) / 4 * sizeof(r->cells[0]);
}

void aspace_free(struct aspace *as)
{
	for (unsigned int i = 0; i < as->nr; i++) {
		munmap(as->regions[i]->cells, cells_size(as->regions[i]));
		free(as->regions[i]);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(as->released); i++)
		free(as->released[i]);
	free(as->regions);
	pthread_rwlock_destroy(&as->lock);
}

/* The first region that ends behind addr */
static unsigned int position(const struct aspace *as, u64 addr)
{
	unsigned int low = 0, high = as->nr;

	while (low < high) {
		unsigned int mid = (low + high) / 2;
		const struct region *r = as->regions[mid];

		if (r->base + r->size <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct region *aspace_find(const struct aspace *as, u64 addr, u64 size)
{
	unsigned int at = position(as, addr);
	const struct region *r;

	if (at == as->nr)
		return NULL;
	r = as->regions[at];
	if (addr < r->base || size > r->size || addr - r->base > r->size - size)
		return NULL;
	return r;
}

static bool insert(struct aspace *as, struct region *r)
{
	unsigned int at = position(as, r->base);

	if (at < as->nr && as->regions[at]->base < r->base + r->size)
		return false;
	if (as->nr == as->max) {
		unsigned int max = as->max ? 2 * as->max : 64;
		struct region **regions = realloc(as->regions, max * sizeof(*regions));

		if (!regions)
			return false;
		as->regions = regions;
		as->max = max;
	}
	memmove(&as->regions[at + 1], &as->regions[at],
		(as->nr - at) * sizeof(as->regions[0]));
	as->regions[at] = r;
	as->nr++;
	as->generation++;
	return true;
}

bool aspace_add(struct aspace *as, u64 base, void *host, u64 size, u32 flags,
		const char *what)
{
	struct region *r = calloc(1, sizeof(*r));
	bool added;

	if (!r)
		return false;
	r->base = base;
	r->size = size;
	r->host = host;
	r->flags = flags;
	snprintf(r->what, sizeof(r->what), "%s", what);
	/* Costs memory only where the region is really used */
	r->cells = mmap(NULL, cells_size(r), PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (r->cells == MAP_FAILED) {
		free(r);
		return false;
	}
	pthread_rwlock_wrlock(&as->lock);
	added = insert(as, r);
	pthread_rwlock_unlock(&as->lock);
	if (!added) {
		munmap(r->cells, cells_size(r));
		free(r);
	}
	return added;
}

bool aspace_remove(struct aspace *as, u64 base, const char *how)
{
	struct region **slot, *r;
	unsigned int at;

	pthread_rwlock_wrlock(&as->lock);
	at = position(as, base);
	if (at == as->nr || as->regions[at]->base != base) {
		pthread_rwlock_unlock(&as->lock);
		return false;
	}
	r = as->regions[at];
	as->nr--;
	memmove(&as->regions[at], &as->regions[at + 1],
		(as->nr - at) * sizeof(as->regions[0]));
	as->generation++;
	munmap(r->cells, cells_size(r));
	r->cells = NULL;
	r->released = how;
	slot = &as->released[as->nr_released++ % ARRAY_SIZE(as->released)];
	free(*slot);
	*slot = r;
	pthread_rwlock_unlock(&as->lock);
	return true;
}

void aspace_explain(const struct aspace *as, u64 addr, char *buf, size_t size)
{
	unsigned int nr = as->nr_released, kept = ARRAY_SIZE(as->released);
	const struct region *r = NULL;
	u64 distance = 0;
	bool behind = false;

	for (unsigned int i = nr; i > 0 && nr - i < kept; i--) {
		r = as->released[(i - 1) % kept];
		if (addr - r->base < r->size) {
			snprintf(buf, size, "%#lx bytes into %s, which %s released",
				 addr - r->base, r->what, r->released);
			return;
		}
	}
	r = NULL;
	for (unsigned int i = 0; i < as->nr; i++) {
		const struct region *c = as->regions[i];
		bool past = addr >= c->base;
		u64 d = past ? addr - c->base - c->size : c->base - addr;

		/* The start of an access may lie inside, its end outside */
		if (past && addr - c->base < c->size)
			d = 0;
		if (!r || d < distance) {
			r = c;
			distance = d;
			behind = past;
		}
	}
	if (r && distance < 1 << 20)
		snprintf(buf, size, "%#lx bytes %s %s", distance,
			 behind ? "behind the end of" : "before", r->what);
	else
		snprintf(buf, size, "nothing is near it");
}
