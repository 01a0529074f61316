/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * A decoded instruction
 *
 * Every encoding has one source file that holds its table of opcodes, decodes
 * it, executes it and prints it. Operands keep the numbers that they have in
 * the machine code: 0-127 scalar registers, 128-255 constants and specials,
 * 256-511 vector registers.
 */
#ifndef GCN_INSN_H
#define GCN_INSN_H

#include "types.h"

/* Generations, as bits of a set: an opcode may exist in one or in both. */
enum gcn_gen {
	GFX8 = 1,	/* gfx801, gfx803: GCN3 */
	GFX9 = 2,	/* gfx900, gfx902, gfx90c: Vega */
	GFX8_9 = GFX8 | GFX9,
};

enum {
	VCC_LO = 106,
	VCC_HI = 107,
	M0 = 124,
	EXEC_LO = 126,
	EXEC_HI = 127,
	INLINE_INT = 128,	/* 128-192: 0 to 64, 193-208: -1 to -16 */
	SHARED_BASE = 235,	/* gfx9 has the apertures as constants */
	SHARED_LIMIT = 236,
	PRIVATE_BASE = 237,
	PRIVATE_LIMIT = 238,
	INLINE_FLOAT = 240,	/* 240-248: +-0.5, +-1, +-2, +-4, 1/(2 pi) */
	SDWA = 249,
	DPP = 250,
	VCCZ = 251,
	EXECZ = 252,
	SCC = 253,
	LITERAL = 255,
	VGPR = 256,
};

/* What an instruction is counted as */
enum insn_class {
	CLASS_SALU,
	CLASS_BRANCH,
	CLASS_SMEM,
	CLASS_VALU,
	CLASS_VMEM,
	CLASS_LDS,
	CLASS_WAIT,
	CLASSES,
};

struct wave;
struct insn;

/* Returns 0 to go on, else why not: one of enum stop (wave.h). */
typedef int insn_fn(struct wave *w, const struct insn *i);
typedef void print_fn(const struct insn *i, char *buf, size_t size);

/* Sub-dword selection of an operand: SDWA, or op_sel of VOP3 */
struct sdwa {
	u8 sel[2], sext[2];
	u8 dst_sel, dst_unused;
};

struct dpp {
	u16 ctrl;
	u8 bound_ctrl, bank_mask, row_mask;
};

struct insn {
	/* Published last by decode(), so that waves can look without a lock */
	insn_fn *run;
	print_fn *print;
	const void *op;		/* the opcode's line in its encoding's table */
	const void *fn;		/* what does the arithmetic */
	u32 word[2];
	u32 pc;			/* in dwords from the program's start */
	u8 words;
	u8 class;
	u8 gen;
	bool clamp;
	u8 enc;			/* which of the encodings that one file knows */
	u16 vregs, sregs;	/* registers it needs: highest number + 1 */
	u16 dst, sdst;
	u16 src[3];
	s32 imm;		/* offset, jump or literal */
	const u32 *row[3];	/* a constant operand, once for each lane */
	const u32 *row_hi[3];	/* and its upper half, where 64 bits are read */
	union {
		struct sdwa sdwa;
		struct dpp dpp;
		u8 op_sel;
	};
};

#endif
