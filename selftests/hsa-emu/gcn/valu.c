// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Execution of vector arithmetic
 */
#include <string.h>

#include "valu.h"

static const u32 zeroes[LANES];

static const struct lane_table *table(void)
{
	static const struct lane_table *best;
	const struct lane_table *t = __atomic_load_n(&best, __ATOMIC_RELAXED);

	if (!t) {
		t = lanes_best();
		__atomic_store_n(&best, t, __ATOMIC_RELAXED);
	}
	return t;
}

static const u32 *splat(struct wave *w, unsigned int at, u32 value)
{
	for (unsigned int l = 0; l < LANES; l++)
		w->splat[at][l] = value;
	return w->splat[at];
}

/* A scalar register, or one of the constants that are not constant */
static u32 scalar(struct wave *w, unsigned int code, u64 *def)
{
	switch (code) {
	case SHARED_BASE:
	case PRIVATE_BASE:
		return 0;
	case SHARED_LIMIT:
	case PRIVATE_LIMIT:
		return ~0U;
	case VCCZ:
		if (!wave_known_zero(wave_s64(w, VCC_LO), wave_sdef64(w, VCC_LO)))
			*def = 0;
		return !wave_s64(w, VCC_LO);
	case EXECZ:
		return !wave_exec(w);
	case SCC:
		if (!w->scc_def)
			*def = 0;
		return w->scc;
	}
	if (!wave_sdef(w, code))
		*def = 0;
	return w->s[code];
}

/* An operand, once for each lane */
static inline const u32 *row(struct wave *w, const struct insn *i, unsigned int k, u64 *def)
{
	unsigned int code = i->src[k];

	if (code >= VGPR) {
		*def &= w->vdef[code - VGPR];
		return w->v[code - VGPR];
	}
	if (i->row[k])
		return i->row[k];
	return splat(w, k, scalar(w, code, def));
}

/* The upper half of an operand */
static const u32 *row_hi(struct wave *w, const struct insn *i, unsigned int k, u64 *def)
{
	unsigned int code = i->src[k];

	if (code >= VGPR) {
		*def &= w->vdef[code - VGPR + 1];
		return w->v[code - VGPR + 1];
	}
	if (i->row_hi[k])
		return i->row_hi[k];
	return splat(w, 3 + k, scalar(w, code + 1, def));
}

static inline void fetch(struct wave *w, const struct insn *i, struct valu_in *in)
{
	const struct valu_op *op = i->op;

	in->def = ~0ULL;
	in->mask = wave_exec(w);
	in->x[0] = row(w, i, 0, &in->def);
	in->x[1] = op->b ? row(w, i, 1, &in->def) : zeroes;
	in->x[2] = op->c && op->c != W64 ? row(w, i, 2, &in->def) : zeroes;
	if (i->enc >= ENC_SDWA || i->op_sel)
		valu_select(w, i, in);
}

static void set_vdef(struct wave *w, unsigned int r, u64 mask, u64 def)
{
	w->vdef[r] = (w->vdef[r] & ~mask) | (mask & def);
}

/* Where to compute: in place if nothing of the old value stays */
static inline u32 *target(struct wave *w, const struct insn *i, const struct valu_in *in)
{
	return in->mask == ~0ULL && i->enc != ENC_SDWA ? w->v[i->dst] : w->tmp[3];
}

static inline void finish(struct wave *w, const struct insn *i, const struct valu_in *in,
			  u32 *r, u64 def)
{
	if (i->enc == ENC_SDWA)
		def = valu_merge(w, i, r, def);
	if (r != w->v[i->dst])
		table()->blend(w->v[i->dst], r, in->mask);
	set_vdef(w, i->dst, in->mask, def);
}

static int run_lane(struct wave *w, const struct insn *i)
{
	struct valu_in in;
	lane_fn *fn = (lane_fn *)i->fn;
	u32 *r;

	fetch(w, i, &in);
	r = target(w, i, &in);
	fn(r, in.x[0], in.x[1], in.x[2]);
	finish(w, i, &in, r, in.def);
	return 0;
}

/* A mask that an instruction writes: a bit for each active lane, else 0 */
static void write_mask(struct wave *w, unsigned int r, u64 value, u64 def)
{
	wave_set_s64(w, r, value);
	wave_set_sdef64(w, r, def | ~wave_exec(w));
}

/* A mask that an instruction reads; a constant one is all or nothing. */
static u64 read_mask(const struct wave *w, const struct insn *i, u64 *def)
{
	*def = ~0ULL;
	if (i->row[2])
		return i->row[2][0] | (u64)i->row_hi[2][0] << 32;
	*def = wave_sdef64(w, i->src[2]);
	return wave_s64(w, i->src[2]);
}

static int run_carry(struct wave *w, const struct insn *i)
{
	carry_fn *fn = (carry_fn *)i->fn;
	const struct valu_op *op = i->op;
	struct valu_in in;
	u64 carry = 0, carry_def = ~0ULL;
	u32 *r;

	fetch(w, i, &in);
	if (op->shape == SHAPE_CARRY_IN)
		carry = read_mask(w, i, &carry_def);
	in.def &= carry_def;
	r = target(w, i, &in);
	carry = fn(r, in.x[0], in.x[1], carry);
	finish(w, i, &in, r, in.def);
	write_mask(w, i->sdst, carry & in.mask, in.def);
	return 0;
}

/* Saturating, and then nothing says what the carry is: nobody may use it. */
static int run_carry_clamp(struct wave *w, const struct insn *i)
{
	run_lane(w, i);
	write_mask(w, i->sdst, 0, 0);
	return 0;
}

static u64 def_of(const struct wave *w, const struct insn *i, unsigned int k)
{
	unsigned int code = i->src[k];

	if (code >= VGPR)
		return w->vdef[code - VGPR];
	return code >= INLINE_INT || wave_sdef(w, code) ? ~0ULL : 0;
}

static int run_cndmask(struct wave *w, const struct insn *i)
{
	carry_fn *fn = (carry_fn *)i->fn;
	struct valu_in in;
	u64 mask, mask_def;
	u32 *r;

	fetch(w, i, &in);
	mask = read_mask(w, i, &mask_def);
	/* What is not chosen need not hold a value, if that is simple to say. */
	if (i->enc <= ENC_E64)
		in.def = (mask & def_of(w, i, 1)) | (~mask & def_of(w, i, 0));
	in.def &= mask_def;
	r = target(w, i, &in);
	fn(r, in.x[0], in.x[1], mask);
	finish(w, i, &in, r, in.def);
	return 0;
}

static u64 compare(struct wave *w, const struct insn *i, struct valu_in *in)
{
	const struct valu_op *op = i->op;
	unsigned int a = op->cmp & CMP_SWAP ? 1 : 0, b = 1 - a;
	const u32 *hi[2];

	if (width_dwords(op->a) == 2) {
		hi[0] = row_hi(w, i, 0, &in->def);
		hi[1] = row_hi(w, i, 1, &in->def);
		return ((cmp64_fn *)i->fn)(in->x[a], hi[a], in->x[b], hi[b]);
	}
	return ((cmp_fn *)i->fn)(in->x[a], in->x[b]);
}

static int run_cmp(struct wave *w, const struct insn *i)
{
	const struct valu_op *op = i->op;
	struct valu_in in;
	u64 r;

	fetch(w, i, &in);
	r = compare(w, i, &in);
	if (op->cmp & CMP_NEVER) {
		r = 0;
		in.def = ~0ULL;
	}
	if (op->cmp & CMP_NOT)
		r = ~r;
	if ((op->cmp & CMP_X || i->sdst == EXEC_LO) && in.mask & ~in.def)
		return wave_undefined(w, i, i->src[0],
				      (unsigned int)__builtin_ctzll(in.mask & ~in.def));
	write_mask(w, i->sdst, r & in.mask, in.def);
	if (op->cmp & CMP_X)
		wave_set_s64(w, EXEC_LO, r & in.mask);
	return 0;
}

/* The lower half of these does not depend on the upper one of what they read. */
static bool low_of_low(const struct valu_op *op)
{
	return op->fn == WIDE_lshlrev_b64 || op->fn == WIDE_mad_u64_u32 ||
	       op->fn == WIDE_mad_i64_i32;
}

static int run_wide(struct wave *w, const struct insn *i)
{
	const struct valu_op *op = i->op;
	unsigned int wide = op->c ? 2 : 1;
	u64 exec = wave_exec(w), def = ~0ULL, def_hi, carry;
	wide_fn *fn = (wide_fn *)i->fn;
	const u32 *x[3], *hi;

	x[0] = row(w, i, 0, &def);
	x[1] = row(w, i, 1, &def);
	x[2] = wide == 2 ? row(w, i, 2, &def) : x[1];
	def_hi = def;
	hi = row_hi(w, i, wide, &def_hi);
	carry = fn(w->tmp[2], w->tmp[3], x[0], x[1], x[2], hi);
	table()->blend(w->v[i->dst], w->tmp[2], exec);
	table()->blend(w->v[i->dst + 1], w->tmp[3], exec);
	set_vdef(w, i->dst, exec, low_of_low(op) ? def : def_hi);
	set_vdef(w, i->dst + 1, exec, def_hi);
	if (op->shape == SHAPE_WIDE_CARRY)
		write_mask(w, i->sdst, carry & exec,
			   op->fn != WIDE_mad_i64_i32 ? def_hi : 0);
	return 0;
}

static int run_nop(struct wave *w, const struct insn *i)
{
	(void)w;
	(void)i;
	return 0;
}

static int run_readfirstlane(struct wave *w, const struct insn *i)
{
	u64 exec = wave_exec(w), def = ~0ULL;
	unsigned int lane = exec ? (unsigned int)__builtin_ctzll(exec) : 0;
	const u32 *x = row(w, i, 0, &def);

	w->s[i->dst] = x[lane];
	wave_set_sdef(w, i->dst, def >> lane & 1);
	return 0;
}

/* Which lane, of the instructions that name one; negative if nobody knows */
static int which_lane(struct wave *w, const struct insn *i)
{
	u64 def = ~0ULL;
	u32 lane = i->row[1] ? i->row[1][0] : scalar(w, i->src[1], &def);

	return def ? (int)(lane % LANES) : -1;
}

static int run_readlane(struct wave *w, const struct insn *i)
{
	int lane = which_lane(w, i);
	u64 def = ~0ULL;
	const u32 *x = row(w, i, 0, &def);

	if (lane < 0)
		return wave_undefined(w, i, i->src[1], 0);
	w->s[i->dst] = x[lane];
	wave_set_sdef(w, i->dst, def >> lane & 1);
	return 0;
}

static int run_writelane(struct wave *w, const struct insn *i)
{
	int lane = which_lane(w, i);
	u64 def = ~0ULL;
	u32 x = i->row[0] ? i->row[0][0] : scalar(w, i->src[0], &def);

	if (lane < 0)
		return wave_undefined(w, i, i->src[1], 0);
	w->v[i->dst][lane] = x;
	set_vdef(w, i->dst, 1ULL << lane, def);
	return 0;
}

static int run_swap(struct wave *w, const struct insn *i)
{
	unsigned int other = i->src[0] - VGPR;
	u64 exec = wave_exec(w), def = w->vdef[i->dst];

	memcpy(w->tmp[3], w->v[i->dst], sizeof(w->tmp[3]));
	table()->blend(w->v[i->dst], w->v[other], exec);
	table()->blend(w->v[other], w->tmp[3], exec);
	set_vdef(w, i->dst, exec, w->vdef[other]);
	set_vdef(w, other, exec, def);
	return 0;
}

insn_fn *valu_run(const struct valu_op *op, bool clamp)
{
	static insn_fn *const run[] = {
		[SHAPE_NOP] = run_nop,
		[SHAPE_LANE] = run_lane,
		[SHAPE_CARRY] = run_carry,
		[SHAPE_CARRY_IN] = run_carry,
		[SHAPE_CNDMASK] = run_cndmask,
		[SHAPE_CMP] = run_cmp,
		[SHAPE_WIDE] = run_wide,
		[SHAPE_WIDE_CARRY] = run_wide,
		[SHAPE_READFIRSTLANE] = run_readfirstlane,
		[SHAPE_READLANE] = run_readlane,
		[SHAPE_WRITELANE] = run_writelane,
		[SHAPE_SWAP] = run_swap,
	};

	return clamp && op->shape == SHAPE_CARRY ? run_carry_clamp : run[op->shape];
}
