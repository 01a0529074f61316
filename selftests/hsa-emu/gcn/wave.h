/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * A wave: 64 work-items with one program counter; a group: the waves that
 * share local memory and barriers; a launch: all groups of one dispatch.
 *
 * Vector registers carry a bit for each lane that says whether it holds a value,
 * scalar registers one for each of their bits, since masks are put together
 * from what some lanes know and others do not. An instruction's result holds a
 * value if its operands did; that a value
 * is missing matters, and is reported, where it would decide something: an
 * address, a branch, what is stored. A load clears the bits of the registers
 * it loads until an s_waitcnt has waited for it, so that code which forgets
 * to wait is found as well.
 */
#ifndef GCN_WAVE_H
#define GCN_WAVE_H

#include "aspace.h"
#include "program.h"

/* Why a wave stopped; 0 is that it did not */
enum stop {
	STOP_END = 1,	/* s_endpgm */
	STOP_BARRIER,	/* waits for the others of its group */
	STOP_SLEEP,	/* s_sleep: let others go first */
	STOP_BUDGET,	/* has executed as many instructions as it was to */
	STOP_FAULT,	/* see the group's fault */
};

enum fault_kind {
	FAULT_NONE,
	FAULT_INSN,		/* not an instruction that there is */
	FAULT_REGISTER,		/* a register beyond those it was given */
	FAULT_UNDEFINED,	/* a value that was never written or not waited for */
	FAULT_MEMORY,		/* memory that it has no business with */
	FAULT_LDS,		/* outside of its local memory */
	FAULT_UNALIGNED,
	FAULT_RACE,
	FAULT_BARRIER,		/* one that some waves will never reach */
	FAULT_TRAP,		/* s_trap */
	FAULT_INJECTED,
};

struct fault {
	enum fault_kind kind;
	u64 address;		/* of FAULT_MEMORY */
	bool write;
	u32 group[3];
	unsigned int wave;
	u64 pc;			/* as the agent sees it */
	char insn[96];
	char what[256];
};

/* Loads under way, oldest first, and what is to be marked when they arrive */
enum { PENDING_MAX = 64 };
struct pending {
	u64 lanes;
	u16 reg;
	u8 nr;
	bool sgpr, lds;
};

struct counter {
	struct pending ring[PENDING_MAX];
	unsigned int head, nr;
	bool unordered;		/* scalar loads return in any order */
};

struct group;

struct wave {
	u32 (*v)[LANES];
	u32 s[128];
	u64 vdef[256];
	u32 sdef[128];
	u32 splat[6][LANES];	/* scalar operands of a vector instruction */
	u32 tmp[4][LANES];	/* operands and results on their way */
	u32 pc, next;		/* in dwords from the program's start */
	u32 scc;
	bool scc_def;
	u16 nr_vregs, nr_sregs;
	u8 index;		/* within its group */
	bool done, at_barrier;
	struct counter vm, lgkm;
	const struct region *region;	/* the last one used */
	struct race_unit unit;
	struct group *group;
	u64 count[CLASSES];
};

struct launch;

struct group {
	struct launch *launch;
	u32 id[3];
	u32 index;
	u8 *lds;
	struct lds_cell *lds_cells;
	u32 lds_size;
	u32 lds_epoch;		/* barriers passed */
	unsigned int nr_waves, started, live, arrived;
	struct wave *waves;
	struct fault fault;
	void *memory;
	struct group *next;	/* in the queue where it waits */
};

/* What starts in the scalar registers, in this order (AMDHSA kernel descriptor) */
struct launch_sgprs {
	bool private_buffer, dispatch_ptr, queue_ptr, kernarg_ptr, dispatch_id,
	     flat_scratch, private_size;
	u8 user;		/* how many SGPRs these are, with padding */
	bool group_id[3], group_info, wave_offset;
	u8 item_id;		/* 0: x, 1: x and y, 2: all three */
};

/**
 * struct launch - what the work-groups of one dispatch have in common
 * @program: their code
 * @entry: where they start, in dwords
 * @aspace: the memory that the agent sees
 * @race: how the dispatch is ordered with others
 * @sgprs: what the kernel wants to find in its registers
 * @group_size: work-items in a group
 * @grid_size: work-items in all
 * @lds_size: bytes of local memory
 * @nr_vregs: vector registers of a wave
 * @nr_sregs: scalar registers of a wave
 * @dispatch_ptr: the packet's address
 * @queue_ptr: the queue's
 * @kernarg_ptr: the arguments'
 * @dispatch_id: the packet's number
 * @aperture: upper half of the addresses that mean local memory to a flat
 *	instruction; the next is the private aperture
 */
struct launch {
	struct program *program;
	u32 entry;
	struct aspace *aspace;
	struct race_launch race;
	struct launch_sgprs sgprs;
	u32 group_size[3], grid_size[3];
	u32 lds_size;
	u16 nr_vregs, nr_sregs;
	u64 dispatch_ptr, queue_ptr, kernarg_ptr, dispatch_id;
	u32 aperture;
};

/**
 * wave_fault() - stop the group with an error
 * @w: the wave whose doing it is
 * @i: its instruction
 * @kind: what sort of error
 * @fmt: what happened, as of printf()
 *
 * Return: STOP_FAULT
 */
int wave_fault(struct wave *w, const struct insn *i, enum fault_kind kind,
	       const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/**
 * wave_undefined() - stop with an error: a register holds no value
 * @w: the wave
 * @i: its instruction
 * @reg: an operand's number
 * @lane: the work-item's, of a vector register
 *
 * Return: STOP_FAULT
 */
int wave_undefined(struct wave *w, const struct insn *i, unsigned int reg,
		   unsigned int lane);

/**
 * wave_run() - execute
 * @w: the wave
 * @budget: how many instructions at most
 *
 * Return: why it stopped
 */
enum stop wave_run(struct wave *w, unsigned int budget);

/**
 * wave_pending() - note a memory instruction that is under way
 * @w: the wave
 * @c: the counter that an s_waitcnt will wait for, one of the wave's two
 * @p: the registers it will write, which hold nothing until then; none for a
 *	store
 */
void wave_pending(struct wave *w, struct counter *c, struct pending p);

/**
 * wave_wait() - wait for memory instructions
 * @w: the wave
 * @c: which
 * @left: until no more than that many are under way
 */
void wave_wait(struct wave *w, struct counter *c, unsigned int left);

/**
 * group_create() - memory for a work-group
 * @l: its launch
 *
 * Return: the group, for group_start(), or NULL without memory
 */
struct group *group_create(struct launch *l);

/**
 * group_start() - put a work-group at its start
 * @g: the group
 * @index: its number in the grid, x first
 */
void group_start(struct group *g, u32 index);

/**
 * group_run() - execute a work-group for a while
 * @g: the group
 * @budget: instructions for each of its waves
 *
 * Return: STOP_END when all is done, STOP_FAULT, STOP_SLEEP if all that any
 * wave did was to sleep, else STOP_BUDGET
 */
enum stop group_run(struct group *g, unsigned int budget);

/**
 * group_destroy() - free a work-group
 * @g: the group
 */
void group_destroy(struct group *g);

static inline u64 wave_s64(const struct wave *w, unsigned int r)
{
	return w->s[r] | (u64)w->s[r + 1] << 32;
}

static inline void wave_set_s64(struct wave *w, unsigned int r, u64 value)
{
	w->s[r] = (u32)value;
	w->s[r + 1] = (u32)(value >> 32);
}

static inline u64 wave_exec(const struct wave *w)
{
	return wave_s64(w, EXEC_LO);
}

/* Does all of a scalar register hold a value? */
static inline bool wave_sdef(const struct wave *w, unsigned int r)
{
	return w->sdef[r] == ~0U;
}

/* Which bits of two do? */
static inline u64 wave_sdef64(const struct wave *w, unsigned int r)
{
	return w->sdef[r] | (u64)w->sdef[r + 1] << 32;
}

static inline void wave_set_sdef(struct wave *w, unsigned int r, bool def)
{
	w->sdef[r] = def ? ~0U : 0;
}

static inline void wave_set_sdef64(struct wave *w, unsigned int r, u64 def)
{
	w->sdef[r] = (u32)def;
	w->sdef[r + 1] = (u32)(def >> 32);
}

/* Is it known whether a mask is zero? */
static inline bool wave_known_zero(u64 mask, u64 def)
{
	return !~def || mask & def;
}

#endif
