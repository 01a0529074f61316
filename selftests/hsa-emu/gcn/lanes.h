/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Arithmetic on all lanes at once
 *
 * lanes.c is compiled several times, for what the processor can do at best;
 * each time makes a table of the functions that lanes.inc lists. None of them
 * looks at EXEC: they compute all lanes, and valu.c keeps what is wanted.
 */
#ifndef GCN_LANES_H
#define GCN_LANES_H

#include "types.h"

/* d may be one of the operands, but does not overlap them otherwise. */
typedef void lane_fn(u32 *d, const u32 *a, const u32 *b, const u32 *c);
/* Carries, in and out, are a bit for each lane. */
typedef u64 carry_fn(u32 *d, const u32 *a, const u32 *b, u64 carry);
typedef u64 cmp_fn(const u32 *a, const u32 *b);
/* 64 bits are two rows; a row that an operand does not have is not looked at. */
typedef u64 cmp64_fn(const u32 *a, const u32 *a_hi, const u32 *b, const u32 *b_hi);
typedef u64 wide_fn(u32 *d, u32 *d_hi, const u32 *a, const u32 *b, const u32 *c,
		    const u32 *c_hi);

#define LANE(name, ...) LANE_ ## name,
#define CARRY(name, ...) CARRY_ ## name,
#define CMP(name, ...) CMP_ ## name,
#define CMP64(name, ...) CMP64_ ## name,
#define WIDE(name, ...) WIDE_ ## name,
enum lane_index {
#include "lanes.inc"
	LANE_FNS
};

#undef LANE
#undef CARRY
#undef CMP
#undef CMP64
#undef WIDE

union lane_any {
	lane_fn *lane;
	carry_fn *carry;
	cmp_fn *cmp;
	cmp64_fn *cmp64;
	wide_fn *wide;
};

struct lane_table {
	union lane_any fn[LANE_FNS];
	/* d = mask & a | ~mask & d, a bit of the mask for each lane */
	void (*blend)(u32 *d, const u32 *a, u64 mask);
};

extern const struct lane_table lanes_base, lanes_avx2, lanes_avx512;

/**
 * lanes_best() - the table for this processor
 */
const struct lane_table *lanes_best(void);

#endif
