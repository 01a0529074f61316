/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Random instructions, as text for the assembler and as what they should do
 */
#ifndef TEST_OPS_H
#define TEST_OPS_H

#include "../gcn/wave.h"

enum {
	NR_VREGS = 32,
	NR_SREGS = 40,
	LDS_SIZE = 4096,
	MEM_SIZE = 4096,
	INSTS = 40000,
	APERTURE = 0x00010000,
};

#define MEM_BASE 0x7f0000001000ULL
#define CODE_BASE 0x7e0000000000ULL

/* All that instructions change, but for the program counter */
struct state {
	u32 v[NR_VREGS][LANES];
	u32 s[NR_SREGS];
	u64 vcc, exec;
	u32 m0, scc;
	u8 lds[LDS_SIZE];
	u8 mem[MEM_SIZE];
};

/* What instructions read and write besides their operands */
struct flags {
	u32 scc, lane;
	u32 in, out;		/* a carry's bit; 2: nothing to rely on */
	bool clamp;
};

typedef u64 oracle_fn(u64 a, u64 b, u64 c, u64 d, struct flags *f);

/* The forms that instructions take, and how they are printed and applied */
enum enc {
	SOP2, SOP1, SAVEEXEC, WREXEC, SOPC, SOPK, CMPK,
	VOP2, VOP2S, REAL2, VOP1, REAL1, VOP3, VOP3S, VOP3P,
	CARRY, CARRY_IN, CNDMASK, MAD64, VCMP, VCMPX,
	READFIRST, READLANE, WRITELANE, SWAP,
	DS_READ, DS_READ2, DS_WRITE, DS_WRITE2, DS_ATOMIC, DS_WRXCHG2, DS_SWIZZLE, DS_PERMUTE,
	DS_BPERMUTE,
	FLAT_LOAD, FLAT_STORE, FLAT_ATOMIC, SMEM_LOAD,
};

struct op {
	const char *name;
	enum enc enc;
	const char *widths;
	enum gcn_gen gens;
	oracle_fn *fn;
	/* Of memory instructions */
	u8 size, stride, part;	/* part: 1 the lower half, 2 the upper one */
	bool sign, two, back;
};

enum kind { OPERAND_V, OPERAND_S, OPERAND_INT, OPERAND_LITERAL, OPERAND_VCC };

struct operand {
	enum kind kind;
	s32 n;
};

enum form { FORM_PLAIN, FORM_E32, FORM_E64, FORM_SDWA, FORM_DPP };

struct inst {
	const struct op *op;
	unsigned int id;
	enum gcn_gen gen;
	enum form form;
	struct operand x[3];
	unsigned int dst, sdst;		/* NR_SREGS for VCC */
	u32 imm;
	bool clamp, glc, global, saddr, dpp_bound;
	u8 sel[2], dst_sel, unused, row_mask, bank_mask;
	bool sext[2];
	u16 dpp;
	u32 op_sel, op_sel_hi;
	u32 offset[2];
	char text[160];
};

u32 rnd(void);
u32 rnd_below(u32 n);
u32 rnd_value(void);

/* A random instruction of this generation */
void inst_make(struct inst *in, enum gcn_gen gen);
/* Put addresses where it wants them */
void inst_prepare(const struct inst *in, struct state *st);
/* What it does, by the oracle */
void inst_expect(const struct inst *in, struct state *st);
unsigned int inst_names(enum gcn_gen gen);
const char *inst_name(enum gcn_gen gen, unsigned int id);

/* Memory instructions (oracle_mem.c) */
extern const struct op mem_ops[];
extern const unsigned int nr_mem_ops;
void mem_make(struct inst *in);
void mem_prepare(const struct inst *in, struct state *st);
void mem_expect(const struct inst *in, struct state *st);

#endif
