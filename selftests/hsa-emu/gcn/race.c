// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Who races with whom
 *
 * Time is counted in ticks. A wave that acquires (at a barrier for its group,
 * with buffer_wbinvl1 for everybody) starts a new tick: what others did in
 * earlier ticks then happened before it, as far as can be known here. What they
 * do in later ones is unordered. That errs on the side of order, so that what
 * is reported is a race.
 *
 * What a cell remembers of an access:
 *
 *	bits 32-63	the tick
 *	bits 22-31	the dispatch, modulo 1024
 *	bits 6-21	the wave in it, modulo 65536
 *	bit 5		of a reader: there was another one
 *	bit 4		atomic
 *	bits 0-3	which bytes
 */
#include "aspace.h"

enum { LAUNCHES = 1024, UNITS = 65536 };

#define OTHERS 0x20
#define ATOMIC 0x10
#define BYTES 0xf

/* Shared by all threads that execute */
static u32 ticks = 1;
static u64 launches[LAUNCHES];	/* queue << 32 | id */

u32 race_tick(void)
{
	return __atomic_add_fetch(&ticks, 1, __ATOMIC_SEQ_CST);
}

u32 race_now(void)
{
	return __atomic_load_n(&ticks, __ATOMIC_RELAXED);
}

void race_name(const struct race_launch *l)
{
	__atomic_store_n(&launches[l->id % LAUNCHES], (u64)l->queue << 32 | l->id,
			 __ATOMIC_RELAXED);
}

static u32 rec_launch(u64 rec)
{
	return rec >> 22 & (LAUNCHES - 1);
}

static u64 launch_named(u64 rec)
{
	return __atomic_load_n(&launches[rec_launch(rec)], __ATOMIC_RELAXED);
}

static u32 rec_unit(u64 rec)
{
	return rec >> 6 & (UNITS - 1);
}

/* Whether it happened after all that orders it before this wave */
static bool unordered(u64 rec, const struct race_launch *l, const struct race_unit *u)
{
	u32 tick = rec >> 32, seen = u->seen;

	if (rec_launch(rec) == l->id % LAUNCHES) {
		if (rec_unit(rec) / l->waves == u->id % UNITS / l->waves &&
		    u->seen_group > seen)
			seen = u->seen_group;
	} else if (launch_named(rec) >> 32 == l->queue && l->start_queue > seen) {
		seen = l->start_queue;
	}
	return tick >= seen;
}

/* Whether two accesses to the same bytes were by two waves that nothing orders */
static bool conflict(u64 rec, u64 self, const struct race_launch *l,
		     const struct race_unit *u)
{
	bool same = rec_launch(rec) == rec_launch(self) && rec_unit(rec) == rec_unit(self);

	if (!rec || (same && !(rec & OTHERS)) || !(rec & self & BYTES))
		return false;
	return unordered(rec, l, u);
}

static void report(struct race_report *r, u64 rec, bool write)
{
	r->launch = (u32)launch_named(rec);
	r->unit = rec_unit(rec);
	r->write = write;
}

/* Keep the first of several readers that nothing orders, and that there are more */
static u64 merge_reader(u64 old, u64 self, const struct race_launch *l,
			const struct race_unit *u)
{
	if (!old || !unordered(old, l, u))
		return self;
	if (rec_launch(old) == rec_launch(self) && rec_unit(old) == rec_unit(self))
		return self | (old & (BYTES | OTHERS));
	return old | OTHERS | (self & BYTES);
}

/*
 * Nothing races with an atomic access: machine code has no atomic stores of its
 * own, and compilers begin a loop of compare and swap with a plain load. Atomic
 * loads are told by their glc bit.
 */
bool race_access(struct race_cell *c, const struct race_launch *l,
		 const struct race_unit *u, u32 mask, bool write, bool atomic,
		 struct race_report *r)
{
	u64 self = (u64)race_now() << 32 | (u64)(l->id % LAUNCHES) << 22 |
		   (u64)(u->id % UNITS) << 6 | (atomic ? ATOMIC : 0) | mask;
	u64 writer = __atomic_load_n(&c->writer, __ATOMIC_RELAXED);
	u64 reader;

	if (!atomic && !(writer & ATOMIC) && conflict(writer, self, l, u)) {
		report(r, writer, true);
		return true;
	}
	reader = __atomic_load_n(&c->reader, __ATOMIC_RELAXED);
	if (!write) {
		__atomic_store_n(&c->reader, merge_reader(reader, self, l, u),
				 __ATOMIC_RELAXED);
		return false;
	}
	if (!atomic && !(reader & ATOMIC) && conflict(reader, self, l, u)) {
		report(r, reader, false);
		return true;
	}
	if (rec_launch(writer) == rec_launch(self) && rec_unit(writer) == rec_unit(self))
		self |= writer & BYTES;
	__atomic_store_n(&c->writer, self, __ATOMIC_RELAXED);
	return false;
}
