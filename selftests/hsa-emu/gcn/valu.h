/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * The vector arithmetic's opcodes (valu_ops.c), for its decoder and printer
 * (valu_decode.c), its execution (valu.c) and its sub-encodings (valu_select.c)
 */
#ifndef GCN_VALU_H
#define GCN_VALU_H

#include "lanes.h"
#include "operand.h"
#include "wave.h"

/* What an opcode does besides arithmetic */
enum shape {
	SHAPE_NONE,
	SHAPE_NOP,
	SHAPE_LANE,		/* a 32-bit result of up to three operands */
	SHAPE_CARRY,		/* carry out */
	SHAPE_CARRY_IN,		/* carry in and out */
	SHAPE_CNDMASK,		/* a mask chooses */
	SHAPE_CMP,
	SHAPE_WIDE,		/* a 64-bit result */
	SHAPE_WIDE_CARRY,	/* and a carry out */
	SHAPE_READFIRSTLANE,
	SHAPE_READLANE,
	SHAPE_WRITELANE,
	SHAPE_SWAP,
};

/* How a comparison comes from the few in lanes.inc */
enum cmp_flags {
	CMP_SWAP = 1,
	CMP_NOT = 2,
	CMP_NEVER = 4,
	CMP_X = 8,		/* writes EXEC as well */
};

struct valu_op {
	const char *name;
	enum gcn_gen gens;
	enum shape shape;
	enum width dst, a, b, c;
	u16 fn;			/* enum lane_index */
	u16 sat;		/* the same with the clamp bit, or 0 */
	bool op_sel;		/* its 16-bit operands may be upper halves */
	bool real;		/* works on floating point */
	enum cmp_flags cmp;
};

/* Which of the encodings an instruction has */
enum valu_enc {
	ENC_E32,
	ENC_E64,
	ENC_SDWA,
	ENC_DPP,
	ENC_VOP3P,
};

/* In VOP3's numbering VOPC starts at 0, VOP2 and VOP1 here: */
enum { VOP2_BASE = 0x100, VOP1_BASE = 0x140, VOP3_ONLY = 0x1c0 };

/**
 * valu_op() - look an opcode up
 * @code: in VOP3's numbering
 * @gen: in which generation
 *
 * Return: the opcode, or NULL
 */
const struct valu_op *valu_op(unsigned int code, enum gcn_gen gen);

/**
 * valu_op_packed() - look an opcode of VOP3P up
 * @code: the opcode
 * @gen: in which generation
 *
 * Return: the opcode, or NULL
 */
const struct valu_op *valu_op_packed(unsigned int code, enum gcn_gen gen);

/* What an instruction works on: a row for each operand, and for which lanes */
struct valu_in {
	const u32 *x[3];
	u64 def;		/* lanes whose operands hold values */
	u64 mask;		/* lanes whose result is written */
};

/**
 * valu_select() - take the parts of its operands that an instruction asks for
 * @w: the wave
 * @i: an instruction with SDWA, DPP, op_sel, or packed
 * @in: its operands
 */
void valu_select(struct wave *w, const struct insn *i, struct valu_in *in);

/**
 * valu_merge() - put a result where SDWA wants it
 * @w: the wave
 * @i: the instruction
 * @r: the result
 * @def: which lanes of it hold a value
 *
 * Return: which lanes of the destination will hold one
 */
u64 valu_merge(struct wave *w, const struct insn *i, u32 *r, u64 def);

/**
 * valu_run() - which function executes an opcode
 * @op: the opcode
 * @clamp: whether it is to saturate
 */
insn_fn *valu_run(const struct valu_op *op, bool clamp);

void valu_print(const struct insn *i, char *buf, size_t size);

#endif
