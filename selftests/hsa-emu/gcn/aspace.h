/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * The memory that an agent may use, and who used it last
 *
 * Every access of a kernel is looked up here: what was not allocated or locked
 * for the agent does not exist for it. Each four bytes have a cell beside them
 * that remembers the last wave that wrote and one that read them, so that two
 * which nothing orders are found racing.
 */
#ifndef GCN_ASPACE_H
#define GCN_ASPACE_H

#include <pthread.h>

#include "types.h"

enum region_flags {
	REGION_WRITE = 1,	/* the agent may write it */
	REGION_KERNARG = 2,	/* kernel arguments may lie in it */
};

struct race_cell {
	u64 writer, reader;	/* changed by several threads */
};

/**
 * struct region - memory of an agent
 * @base: where the agent sees it
 * @size: bytes
 * @host: where the process sees it
 * @flags: enum region_flags
 * @what: what it is, for messages
 * @released: what released it, and then it is no memory any more
 * @cells: who used it, one for each four bytes
 */
struct region {
	u64 base, size;
	u8 *host;
	u32 flags;
	char what[48];
	const char *released;
	struct race_cell *cells;
};

/**
 * struct aspace - all memory of an agent
 * @lock: held for reading by whoever executes kernels, for writing to change
 *	what is there
 * @regions: sorted by address
 * @released: what was there, newest last, to explain a use after release
 * @generation: changes with @regions
 */
struct aspace {
	pthread_rwlock_t lock;
	struct region **regions;
	unsigned int nr, max;
	struct region *released[64];
	unsigned int nr_released;
	unsigned int generation;
};

/* Waves are told apart by these; see race.c for what is in which bits. */
struct race_unit {
	u32 id;			/* of the wave, within its dispatch */
	u32 seen;		/* what happened before this tick happened before it */
	u32 seen_group;		/* the same, within its group: the last barrier */
};

/**
 * struct race_launch - how a dispatch is ordered with others
 * @id: its number
 * @queue: its queue's number
 * @start: what was done before this tick is ordered before it, whoever did it
 * @start_queue: the same, of its own queue's earlier packets
 * @waves: in each of its groups
 */
struct race_launch {
	u32 id, queue;
	u32 start, start_queue;
	u32 waves;
};

struct race_report {
	u32 launch, unit;
	bool write;
};

void aspace_init(struct aspace *as);
void aspace_free(struct aspace *as);

/**
 * aspace_add() - let the agent see memory
 * @as: the agent's memory
 * @base: where it is to see it
 * @host: where it is
 * @size: bytes
 * @flags: enum region_flags
 * @what: what it is
 *
 * Return: false without memory, or if something is there already
 */
bool aspace_add(struct aspace *as, u64 base, void *host, u64 size, u32 flags,
		const char *what);

/**
 * aspace_remove() - take memory away
 * @as: the agent's memory
 * @base: where it starts
 * @how: what did it, for messages about a use after this
 *
 * Waits until no instruction is using it. Return: whether it was there
 */
bool aspace_remove(struct aspace *as, u64 base, const char *how);

/**
 * aspace_find() - look memory up, with the lock held
 * @as: the agent's memory
 * @addr: an address in it
 * @size: bytes from there that must be in it
 *
 * Return: it, or NULL
 */
const struct region *aspace_find(const struct aspace *as, u64 addr, u64 size);

/**
 * aspace_explain() - say what is known of an address that is not there
 * @as: the agent's memory
 * @addr: the address
 * @buf: for the text
 * @size: of @buf
 */
void aspace_explain(const struct aspace *as, u64 addr, char *buf, size_t size);

/**
 * race_tick() - a new point in time
 *
 * Return: its number
 */
u32 race_tick(void);

/**
 * race_now() - the last point in time that there was
 */
u32 race_now(void);

/**
 * race_name() - tell a launch's number and queue to those that meet its traces
 * @l: the launch
 */
void race_name(const struct race_launch *l);

/**
 * race_access() - note an access to up to four bytes
 * @c: their cell
 * @l: the dispatch
 * @u: the wave
 * @mask: which bytes
 * @write: whether it writes
 * @atomic: whether atomically
 * @r: with whom it races
 *
 * Return: whether it races
 */
bool race_access(struct race_cell *c, const struct race_launch *l,
		 const struct race_unit *u, u32 mask, bool write, bool atomic,
		 struct race_report *r);

#endif
