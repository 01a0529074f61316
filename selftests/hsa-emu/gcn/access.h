/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Access to memory, with all that can be wrong with it
 */
#ifndef GCN_ACCESS_H
#define GCN_ACCESS_H

#include <string.h>

#include "wave.h"

/**
 * struct access - what an instruction does to memory
 * @size: bytes, for each lane
 * @write: it writes, or reads and writes
 * @atomic: it does so atomically
 */
struct access {
	u32 size;
	bool write, atomic;
};

/**
 * mem_access() - look up the memory that a lane wants
 * @w: the wave
 * @i: its instruction
 * @a: what it is about to do
 * @addr: where
 *
 * Return: where the process has it, or NULL, and then the wave is at fault
 */
u8 *mem_access(struct wave *w, const struct insn *i, const struct access *a, u64 addr);

/**
 * lds_access() - the same for local memory
 * @w: the wave
 * @i: its instruction
 * @a: what it is about to do
 * @addr: where
 * @def: whether what it reads was ever written; NULL if it does not read
 */
u8 *lds_access(struct wave *w, const struct insn *i, const struct access *a, u32 addr,
	       bool *def);

/**
 * lds_cells_size() - memory that lds_access() needs to check with
 * @lds_size: bytes of local memory
 */
size_t lds_cells_size(u32 lds_size);

/**
 * lanes_overlap() - check that lanes do not store different things at one place
 * @w: the wave
 * @i: its instruction
 * @lanes: that store
 * @addr: where, for each lane
 * @host: the same in the process, after it was stored
 * @rows: what, for each dword and lane
 * @size: bytes
 *
 * Return: 0 or STOP_FAULT
 */
int lanes_overlap(struct wave *w, const struct insn *i, u64 lanes, const u64 *addr,
		  u32 rows[][LANES], u32 size);

/**
 * check_vregs() - stop if registers that matter hold no value
 * @w: the wave
 * @i: its instruction
 * @reg: first of the registers
 * @nr: how many
 * @lanes: for which lanes they matter
 *
 * Return: 0 or STOP_FAULT
 */
int check_vregs(struct wave *w, const struct insn *i, unsigned int reg, unsigned int nr,
		u64 lanes);

/*
 * The host's threads may look at the same memory at the same time: that is what
 * a coherent agent is for. Aligned accesses are atomic, and order what is
 * before and after them at least as much as the hardware does.
 */
static inline u32 load32(const u8 *p)
{
	u32 x;

	if ((uintptr_t)p % 4 == 0)
		return __atomic_load_n((const u32 *)(const void *)p, __ATOMIC_ACQUIRE);
	memcpy(&x, p, sizeof(x));
	return x;
}

static inline void store32(u8 *p, u32 x)
{
	if ((uintptr_t)p % 4 == 0)
		__atomic_store_n((u32 *)(void *)p, x, __ATOMIC_RELEASE);
	else
		memcpy(p, &x, sizeof(x));
}

static inline u32 load16(const u8 *p)
{
	u16 x;

	if ((uintptr_t)p % 2 == 0)
		return __atomic_load_n((const u16 *)(const void *)p, __ATOMIC_ACQUIRE);
	memcpy(&x, p, sizeof(x));
	return x;
}

static inline void store16(u8 *p, u16 x)
{
	if ((uintptr_t)p % 2 == 0)
		__atomic_store_n((u16 *)(void *)p, x, __ATOMIC_RELEASE);
	else
		memcpy(p, &x, sizeof(x));
}

#endif
