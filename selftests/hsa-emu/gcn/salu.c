// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Scalar arithmetic: SOP2, SOP1, SOPC, SOPK
 */
#include "encodings.h"
#include "operand.h"
#include "wave.h"

/* Takes operands zero-extended; what it returns is cut to the result's width. */
typedef u64 salu_fn(u64 a, u64 b, u32 *scc);

enum sflags {
	SETS_SCC = 1,
	READS_SCC = 2,
	READS_DST = 4,		/* b is the old destination */
	BITWISE = 8,		/* each bit of the result depends on its own bit, or quad */
	LOW_OF_LOW = 16,	/* the lower half does not depend on the upper one */
	NO_DST = 32,
};

struct salu_op {
	const char *name;
	salu_fn *fn;
	u8 dst, a, b;		/* enum width */
	u8 flags;
	u8 gens;
};

static u64 sext32(u64 x)
{
	return (u64)(s64)(s32)x;
}

static u32 reverse32(u32 x)
{
	u32 r = 0;

	for (unsigned int i = 0; i < 32; i++)
		r |= (x >> i & 1) << (31 - i);
	return r;
}

/* The field of a 32 or 64-bit value that S_BFE takes out */
static u64 field(u64 a, u64 b, unsigned int bits, bool sign)
{
	unsigned int shift = b & (bits - 1), length = b >> 16 & 0x7f;
	u64 r;

	if (!length)
		return 0;
	if (shift + length > bits)
		length = bits - shift;
	r = a >> shift;
	if (length == 64)
		return r;
	r &= (1ULL << length) - 1;
	if (sign && r >> (length - 1) & 1)
		r |= ~0ULL << length;
	return r;
}

static u32 quads(u64 a)
{
	u32 r = 0;

	for (unsigned int i = 0; i < 16; i++)
		r |= (u32)((a >> 4 * i & 15) != 0) << i;
	return r;
}

static u64 whole_quads(u64 a)
{
	u64 r = 0;

	for (unsigned int i = 0; i < 16; i++)
		r |= (a >> 4 * i & 15) ? 15ULL << 4 * i : 0;
	return r;
}

static u64 replicate(u32 a)
{
	u64 r = 0;

	for (unsigned int i = 0; i < 32; i++)
		r |= (u64)(a >> i & 1) * 3 << 2 * i;
	return r;
}

/* Leading bits that equal the sign, or -1 if all do */
static u32 sign_bits(u64 a, unsigned int bits)
{
	for (unsigned int i = 1; i < bits; i++)
		if ((a >> (bits - 1 - i) & 1) != (a >> (bits - 1) & 1))
			return i;
	return ~0U;
}

#include "salu.inc"

#define OP(str, f, to, x, y, what, in) \
	{ .name = str, .fn = f, .dst = to, .a = x, .b = y, .flags = what, .gens = in }
#define BINARY32(str, f, what) OP(str, f, W32, W32, W32, what, GFX8_9)
#define BINARY64(str, f, what) OP(str, f, W64, W64, W64, what, GFX8_9)
#define SHIFT64(str, f, what) OP(str, f, W64, W64, W32, what, GFX8_9)
#define BINARY32_9(str, f, what) OP(str, f, W32, W32, W32, what, GFX9)

static const struct salu_op sop2[] = {
	[0] = BINARY32("s_add_u32", add_u32, SETS_SCC),
	[1] = BINARY32("s_sub_u32", sub_u32, SETS_SCC),
	[2] = BINARY32("s_add_i32", add_i32, SETS_SCC),
	[3] = BINARY32("s_sub_i32", sub_i32, SETS_SCC),
	[4] = BINARY32("s_addc_u32", addc_u32, SETS_SCC | READS_SCC),
	[5] = BINARY32("s_subb_u32", subb_u32, SETS_SCC | READS_SCC),
	[6] = BINARY32("s_min_i32", min_i32, SETS_SCC),
	[7] = BINARY32("s_min_u32", min_u32, SETS_SCC),
	[8] = BINARY32("s_max_i32", max_i32, SETS_SCC),
	[9] = BINARY32("s_max_u32", max_u32, SETS_SCC),
	[10] = BINARY32("s_cselect_b32", cselect, READS_SCC | BITWISE),
	[11] = BINARY64("s_cselect_b64", cselect, READS_SCC | BITWISE),
	[12] = BINARY32("s_and_b32", and, SETS_SCC | BITWISE),
	[13] = BINARY64("s_and_b64", and, SETS_SCC | BITWISE),
	[14] = BINARY32("s_or_b32", or, SETS_SCC | BITWISE),
	[15] = BINARY64("s_or_b64", or, SETS_SCC | BITWISE),
	[16] = BINARY32("s_xor_b32", xor, SETS_SCC | BITWISE),
	[17] = BINARY64("s_xor_b64", xor, SETS_SCC | BITWISE),
	[18] = BINARY32("s_andn2_b32", andn2_b32, SETS_SCC | BITWISE),
	[19] = BINARY64("s_andn2_b64", andn2_b64, SETS_SCC | BITWISE),
	[20] = BINARY32("s_orn2_b32", orn2_b32, SETS_SCC | BITWISE),
	[21] = BINARY64("s_orn2_b64", orn2_b64, SETS_SCC | BITWISE),
	[22] = BINARY32("s_nand_b32", nand_b32, SETS_SCC | BITWISE),
	[23] = BINARY64("s_nand_b64", nand_b64, SETS_SCC | BITWISE),
	[24] = BINARY32("s_nor_b32", nor_b32, SETS_SCC | BITWISE),
	[25] = BINARY64("s_nor_b64", nor_b64, SETS_SCC | BITWISE),
	[26] = BINARY32("s_xnor_b32", xnor_b32, SETS_SCC | BITWISE),
	[27] = BINARY64("s_xnor_b64", xnor_b64, SETS_SCC | BITWISE),
	[28] = BINARY32("s_lshl_b32", lshl_b32, SETS_SCC),
	[29] = SHIFT64("s_lshl_b64", lshl_b64, SETS_SCC | LOW_OF_LOW),
	[30] = BINARY32("s_lshr_b32", lshr_b32, SETS_SCC),
	[31] = SHIFT64("s_lshr_b64", lshr_b64, SETS_SCC),
	[32] = BINARY32("s_ashr_i32", ashr_i32, SETS_SCC),
	[33] = OP("s_ashr_i64", ashr_i64, W64S, W64S, W32, SETS_SCC, GFX8_9),
	[34] = BINARY32("s_bfm_b32", bfm_b32, 0),
	[35] = OP("s_bfm_b64", bfm_b64, W64, W32, W32, 0, GFX8_9),
	[36] = BINARY32("s_mul_i32", mul_i32, 0),
	[37] = BINARY32("s_bfe_u32", bfe_u32, SETS_SCC),
	[38] = BINARY32("s_bfe_i32", bfe_i32, SETS_SCC),
	[39] = SHIFT64("s_bfe_u64", bfe_u64, SETS_SCC),
	[40] = OP("s_bfe_i64", bfe_i64, W64S, W64S, W32, SETS_SCC, GFX8_9),
	[42] = BINARY32("s_absdiff_i32", absdiff_i32, SETS_SCC),
	[44] = BINARY32_9("s_mul_hi_u32", mul_hi_u32, 0),
	[45] = BINARY32_9("s_mul_hi_i32", mul_hi_i32, 0),
	[46] = BINARY32_9("s_lshl1_add_u32", lshl1_add_u32, SETS_SCC),
	[47] = BINARY32_9("s_lshl2_add_u32", lshl2_add_u32, SETS_SCC),
	[48] = BINARY32_9("s_lshl3_add_u32", lshl3_add_u32, SETS_SCC),
	[49] = BINARY32_9("s_lshl4_add_u32", lshl4_add_u32, SETS_SCC),
	[50] = BINARY32_9("s_pack_ll_b32_b16", pack_ll, 0),
	[51] = BINARY32_9("s_pack_lh_b32_b16", pack_lh, 0),
	[52] = BINARY32_9("s_pack_hh_b32_b16", pack_hh, 0),
};

#define UNARY32(str, f, what) OP(str, f, W32, W32, W0, what, GFX8_9)
#define UNARY64(str, f, what) OP(str, f, W64, W64, W0, what, GFX8_9)
#define COUNT64(str, f, what) OP(str, f, W32, W64, W0, what, GFX8_9)

static const struct salu_op sop1[] = {
	[0] = UNARY32("s_mov_b32", mov, BITWISE),
	[1] = UNARY64("s_mov_b64", mov, BITWISE),
	[2] = UNARY32("s_cmov_b32", cmov, READS_SCC | READS_DST | BITWISE),
	[3] = UNARY64("s_cmov_b64", cmov, READS_SCC | READS_DST | BITWISE),
	[4] = UNARY32("s_not_b32", not_b32, SETS_SCC | BITWISE),
	[5] = UNARY64("s_not_b64", not_b64, SETS_SCC | BITWISE),
	[6] = UNARY32("s_wqm_b32", wqm, SETS_SCC | BITWISE),
	[7] = UNARY64("s_wqm_b64", wqm, SETS_SCC | BITWISE),
	[8] = UNARY32("s_brev_b32", brev_b32, 0),
	[9] = UNARY64("s_brev_b64", brev_b64, 0),
	[10] = UNARY32("s_bcnt0_i32_b32", bcnt0_b32, SETS_SCC),
	[11] = COUNT64("s_bcnt0_i32_b64", bcnt0_b64, SETS_SCC),
	[12] = UNARY32("s_bcnt1_i32_b32", bcnt1, SETS_SCC),
	[13] = COUNT64("s_bcnt1_i32_b64", bcnt1, SETS_SCC),
	[14] = UNARY32("s_ff0_i32_b32", ff0_b32, 0),
	[15] = COUNT64("s_ff0_i32_b64", ff0_b64, 0),
	[16] = UNARY32("s_ff1_i32_b32", ff1, 0),
	[17] = COUNT64("s_ff1_i32_b64", ff1, 0),
	[18] = UNARY32("s_flbit_i32_b32", flbit_b32, 0),
	[19] = COUNT64("s_flbit_i32_b64", flbit_b64, 0),
	[20] = UNARY32("s_flbit_i32", flbit_i32, 0),
	[21] = OP("s_flbit_i32_i64", flbit_i64, W32, W64S, W0, 0, GFX8_9),
	[22] = UNARY32("s_sext_i32_i8", sext_i8, 0),
	[23] = UNARY32("s_sext_i32_i16", sext_i16, 0),
	[24] = UNARY32("s_bitset0_b32", bitset0_b32, READS_DST),
	[25] = OP("s_bitset0_b64", bitset0_b64, W64, W32, W0, READS_DST, GFX8_9),
	[26] = UNARY32("s_bitset1_b32", bitset1_b32, READS_DST),
	[27] = OP("s_bitset1_b64", bitset1_b64, W64, W32, W0, READS_DST, GFX8_9),
	[40] = UNARY32("s_quadmask_b32", quadmask, SETS_SCC),
	[41] = UNARY64("s_quadmask_b64", quadmask, SETS_SCC),
	[48] = UNARY32("s_abs_i32", abs_i32, SETS_SCC),
	[55] = OP("s_bitreplicate_b64_b32", bitreplicate, W64, W32, W0, 0, GFX9),
};

#define SAVEEXEC(str, f, in) OP(str, f, W64, W64, W0, SETS_SCC | BITWISE, in)

static const struct salu_op saveexec[] = {
	[32] = SAVEEXEC("s_and_saveexec_b64", and, GFX8_9),
	[33] = SAVEEXEC("s_or_saveexec_b64", or, GFX8_9),
	[34] = SAVEEXEC("s_xor_saveexec_b64", xor, GFX8_9),
	[35] = SAVEEXEC("s_andn2_saveexec_b64", andn2_b64, GFX8_9),
	[36] = SAVEEXEC("s_orn2_saveexec_b64", orn2_b64, GFX8_9),
	[37] = SAVEEXEC("s_nand_saveexec_b64", nand_b64, GFX8_9),
	[38] = SAVEEXEC("s_nor_saveexec_b64", nor_b64, GFX8_9),
	[39] = SAVEEXEC("s_xnor_saveexec_b64", xnor_b64, GFX8_9),
	[51] = SAVEEXEC("s_andn1_saveexec_b64", andn1, GFX9),
	[52] = SAVEEXEC("s_orn1_saveexec_b64", orn1, GFX9),
	/* These write the new mask to the register as well. */
	[53] = SAVEEXEC("s_andn1_wrexec_b64", andn1, GFX9),
	[54] = SAVEEXEC("s_andn2_wrexec_b64", andn2_b64, GFX9),
};

enum { FIRST_WREXEC = 53 };

static const struct salu_op setpc[] = {
	[28] = OP("s_getpc_b64", NULL, W64, W0, W0, 0, GFX8_9),
	[29] = OP("s_setpc_b64", NULL, W0, W64, W0, 0, GFX8_9),
	[30] = OP("s_swappc_b64", NULL, W64, W64, W0, 0, GFX8_9),
};

#define CMP(str, f, x, y) OP(str, f, W0, x, y, SETS_SCC | NO_DST, GFX8_9)

static const struct salu_op sopc[] = {
	[0] = CMP("s_cmp_eq_i32", cmp_eq, W32, W32),
	[1] = CMP("s_cmp_lg_i32", cmp_lg, W32, W32),
	[2] = CMP("s_cmp_gt_i32", cmp_gt_i32, W32, W32),
	[3] = CMP("s_cmp_ge_i32", cmp_ge_i32, W32, W32),
	[4] = CMP("s_cmp_lt_i32", cmp_lt_i32, W32, W32),
	[5] = CMP("s_cmp_le_i32", cmp_le_i32, W32, W32),
	[6] = CMP("s_cmp_eq_u32", cmp_eq, W32, W32),
	[7] = CMP("s_cmp_lg_u32", cmp_lg, W32, W32),
	[8] = CMP("s_cmp_gt_u32", cmp_gt_u32, W32, W32),
	[9] = CMP("s_cmp_ge_u32", cmp_ge_u32, W32, W32),
	[10] = CMP("s_cmp_lt_u32", cmp_lt_u32, W32, W32),
	[11] = CMP("s_cmp_le_u32", cmp_le_u32, W32, W32),
	[12] = CMP("s_bitcmp0_b32", bitcmp0_b32, W32, W32),
	[13] = CMP("s_bitcmp1_b32", bitcmp1_b32, W32, W32),
	[14] = CMP("s_bitcmp0_b64", bitcmp0_b64, W64, W32),
	[15] = CMP("s_bitcmp1_b64", bitcmp1_b64, W64, W32),
	[18] = CMP("s_cmp_eq_u64", cmp_eq, W64, W64),
	[19] = CMP("s_cmp_lg_u64", cmp_lg, W64, W64),
};

#define CMPK(str, f) OP(str, f, W32, W0, W0, SETS_SCC | NO_DST | READS_DST, GFX8_9)

static const struct salu_op sopk[] = {
	[0] = OP("s_movk_i32", movk, W32, W0, W0, 0, GFX8_9),
	[1] = OP("s_cmovk_i32", cmovk, W32, W0, W0, READS_SCC | READS_DST, GFX8_9),
	[2] = CMPK("s_cmpk_eq_i32", cmp_eq),
	[3] = CMPK("s_cmpk_lg_i32", cmp_lg),
	[4] = CMPK("s_cmpk_gt_i32", cmp_gt_i32),
	[5] = CMPK("s_cmpk_ge_i32", cmp_ge_i32),
	[6] = CMPK("s_cmpk_lt_i32", cmp_lt_i32),
	[7] = CMPK("s_cmpk_le_i32", cmp_le_i32),
	[8] = CMPK("s_cmpk_eq_u32", cmp_eq),
	[9] = CMPK("s_cmpk_lg_u32", cmp_lg),
	[10] = CMPK("s_cmpk_gt_u32", cmp_gt_u32),
	[11] = CMPK("s_cmpk_ge_u32", cmp_ge_u32),
	[12] = CMPK("s_cmpk_lt_u32", cmp_lt_u32),
	[13] = CMPK("s_cmpk_le_u32", cmp_le_u32),
	[14] = OP("s_addk_i32", add_i32, W32, W0, W0, SETS_SCC | READS_DST, GFX8_9),
	[15] = OP("s_mulk_i32", mul_i32, W32, W0, W0, READS_DST, GFX8_9),
};

enum { FIRST_UNSIGNED_K = 8, LAST_UNSIGNED_K = 13 };

/* A scalar operand; *def says which of its bits hold a value. */
static u64 read(struct wave *w, const struct insn *i, unsigned int code, enum width width,
		u64 *def)
{
	*def = ~0ULL;
	if (code < INLINE_INT) {
		bool wide = width_dwords(width) == 2;

		*def = wide ? wave_sdef64(w, code) : w->sdef[code] | ~0ULL << 32;
		return wide ? wave_s64(w, code) : w->s[code];
	}
	switch (code) {
	case VCCZ:
		if (!wave_known_zero(wave_s64(w, VCC_LO), wave_sdef64(w, VCC_LO)))
			*def = 0;
		return !wave_s64(w, VCC_LO);
	case EXECZ:
		return !wave_exec(w);
	case SCC:
		*def = w->scc_def ? ~0ULL : 0;
		return w->scc;
	case SHARED_BASE:
	case SHARED_LIMIT:
	case PRIVATE_BASE:
	case PRIVATE_LIMIT: {
		u32 high = w->group->launch->aperture + (code >= PRIVATE_BASE);
		u32 low = code % 2 ? 0 : ~0U;

		return width == W32 ? high : (u64)high << 32 | low;
	}
	}
	return operand_constant(code, width, (u32)i->imm);
}

/* A scalar operand, and which of its bits hold a value */
struct value {
	u64 is, def;
};

/* Bits of the result that are the same whatever the missing bits might be */
static u64 bitwise_def(const struct salu_op *op, const struct value *a, const struct value *b,
		       u32 scc)
{
	u64 def = ~0ULL, r = op->fn(a->is, b->is, &(u32) { scc });

	for (unsigned int k = 0; k < 4; k++) {
		u64 x = k & 1 ? a->is | ~a->def : a->is & a->def;
		u64 y = k & 2 ? b->is | ~b->def : b->is & b->def;

		def &= ~(r ^ op->fn(x, y, &(u32) { scc }));
	}
	return def;
}

static u64 result_def(const struct salu_op *op, const struct value *a, const struct value *b,
		      u32 scc)
{
	if (!~(a->def & b->def))
		return ~0ULL;
	if (op->flags & BITWISE)
		return bitwise_def(op, a, b, scc);
	if (op->flags & LOW_OF_LOW && !~b->def && !~(a->def | ~0ULL << 32))
		return ~0U;
	return 0;
}

static int write(struct wave *w, const struct insn *i, unsigned int code,
		 enum width width, u64 value, u64 def)
{
	bool wide = width_dwords(width) == 2;

	if (code >= EXEC_LO && ~(def | (wide ? 0 : ~0ULL << 32)))
		return wave_undefined(w, i, i->src[0], 0);
	w->s[code] = (u32)value;
	w->sdef[code] = (u32)def;
	if (wide) {
		w->s[code + 1] = (u32)(value >> 32);
		w->sdef[code + 1] = (u32)(def >> 32);
	}
	return 0;
}

static int run_op(struct wave *w, const struct insn *i, struct value a, struct value b)
{
	const struct salu_op *op = i->op;
	u64 def = result_def(op, &a, &b, w->scc), r;
	u32 scc = w->scc;

	if (op->flags & READS_SCC && !w->scc_def)
		def = 0;
	r = op->fn(a.is, b.is, &scc);
	if (op->flags & SETS_SCC) {
		w->scc = scc;
		/* Of these it says whether the result is zero. */
		w->scc_def = op->flags & BITWISE ? wave_known_zero(r, def) : !~def;
	}
	if (op->flags & NO_DST)
		return 0;
	return write(w, i, i->sdst, op->dst, r, def);
}

static int run_salu(struct wave *w, const struct insn *i)
{
	const struct salu_op *op = i->op;
	struct value a, b = { 0, ~0ULL };

	a.is = read(w, i, i->src[0], op->a, &a.def);
	if (op->flags & READS_DST)
		b.is = read(w, i, i->sdst, op->dst, &b.def);
	else if (op->b)
		b.is = read(w, i, i->src[1], op->b, &b.def);
	return run_op(w, i, a, b);
}

static int run_sopk(struct wave *w, const struct insn *i)
{
	const struct salu_op *op = i->op;
	struct value a = { 0, ~0ULL };

	if (op->flags & READS_DST)
		a.is = read(w, i, i->sdst, W32, &a.def);
	return run_op(w, i, a, (struct value) { (u32)i->imm, ~0ULL });
}

static int run_saveexec(struct wave *w, const struct insn *i)
{
	const struct salu_op *op = i->op;
	struct value exec = { wave_exec(w), ~0ULL }, a;
	u64 r;

	a.is = read(w, i, i->src[0], W64, &a.def);
	if (~result_def(op, &a, &exec, 0))
		return wave_undefined(w, i, i->src[0], 0);
	r = op->fn(a.is, exec.is, &w->scc);
	w->scc_def = true;
	write(w, i, i->sdst, W64, op - saveexec >= FIRST_WREXEC ? r : exec.is, ~0ULL);
	wave_set_s64(w, EXEC_LO, r);
	return 0;
}

static int run_setpc(struct wave *w, const struct insn *i)
{
	const struct program *p = w->group->launch->program;
	const struct salu_op *op = i->op;
	u64 next = p->base + 4ULL * w->next, target = 0, def;

	if (op->a) {
		target = read(w, i, i->src[0], W64, &def);
		if (~def)
			return wave_undefined(w, i, i->src[0], 0);
		if (target - p->base >= 4ULL * p->nr || target % 4)
			return wave_fault(w, i, FAULT_MEMORY, "jump to %#lx, which is no code",
					  target);
		w->next = (u32)((target - p->base) / 4);
	}
	return op->dst ? write(w, i, i->sdst, W64, next, ~0ULL) : 0;
}

static void print_salu(const struct insn *i, char *buf, size_t size)
{
	const struct salu_op *op = i->op;
	const char *comma = " ";

	append(buf, size, "%s", op->name);
	if (op->dst) {
		append(buf, size, "%s", comma);
		operand_print(buf, size, i->sdst, op->dst, 0);
		comma = ", ";
	}
	if (op->a) {
		append(buf, size, "%s", comma);
		operand_print(buf, size, i->src[0], op->a, (u32)i->imm);
		comma = ", ";
	}
	if (op->b) {
		append(buf, size, "%s", comma);
		operand_print(buf, size, i->src[1], op->b, (u32)i->imm);
	}
}

static void print_sopk(const struct insn *i, char *buf, size_t size)
{
	const struct salu_op *op = i->op;

	append(buf, size, "%s ", op->name);
	operand_print(buf, size, i->sdst, W32, 0);
	append(buf, size, ", 0x%x", i->word[0] & 0xffff);
}

static u16 sregs_of(u16 max, unsigned int code, enum width w)
{
	unsigned int end = code + width_dwords(w);

	return w && code < VCC_LO && end > max ? (u16)end : max;
}

static const struct salu_op *lookup(const struct salu_op *table, size_t nr, unsigned int op,
				    enum gcn_gen gen)
{
	if (op >= nr || !table[op].name || !(table[op].gens & gen))
		return NULL;
	return &table[op];
}

static bool decode_sop1(struct program *p, struct insn *i, unsigned int code)
{
	i->run = run_salu;
	i->op = lookup(sop1, ARRAY_SIZE(sop1), code, p->gen);
	if (i->op)
		return true;
	i->run = run_saveexec;
	i->op = lookup(saveexec, ARRAY_SIZE(saveexec), code, p->gen);
	if (i->op)
		return true;
	i->run = run_setpc;
	i->op = lookup(setpc, ARRAY_SIZE(setpc), code, p->gen);
	i->class = CLASS_BRANCH;
	return i->op;
}

static bool decode_sopk(struct program *p, struct insn *i)
{
	unsigned int code = i->word[0] >> 23 & 31;
	const struct salu_op *op = lookup(sopk, ARRAY_SIZE(sopk), code, p->gen);

	if (!op || !operand_ok_sdst(i->word[0] >> 16 & 127, W32))
		return false;
	i->op = op;
	i->run = run_sopk;
	i->print = print_sopk;
	i->sdst = i->word[0] >> 16 & 127;
	i->sregs = sregs_of(0, i->sdst, W32);
	i->imm = code >= FIRST_UNSIGNED_K && code <= LAST_UNSIGNED_K ?
		 (s32)(i->word[0] & 0xffff) : (s16)i->word[0];
	return true;
}

bool decode_salu(struct program *p, struct insn *i)
{
	u32 word = i->word[0];
	unsigned int code = word >> 23 & 127;
	const struct salu_op *op;

	i->class = CLASS_SALU;
	if (code >= 96 && code < 125)
		return decode_sopk(p, i);
	i->src[0] = word & 255;
	i->src[1] = word >> 8 & 255;
	i->sdst = word >> 16 & 127;
	i->run = run_salu;
	i->print = print_salu;
	if (code == 125) {
		if (!decode_sop1(p, i, i->src[1]))
			return false;
	} else if (code == 126) {
		i->op = lookup(sopc, ARRAY_SIZE(sopc), i->sdst, p->gen);
	} else {
		i->op = lookup(sop2, ARRAY_SIZE(sop2), code, p->gen);
	}
	op = i->op;
	if (!op)
		return false;
	if (op->dst && !operand_ok_sdst(i->sdst, op->dst))
		return false;
	if (op->a && !operand_ok_ssrc(p->gen, i->src[0], op->a))
		return false;
	if (op->b && !operand_ok_ssrc(p->gen, i->src[1], op->b))
		return false;
	if (!op->a && i->src[0])
		return false;
	if (!op->dst && code == 125 && i->sdst)
		return false;
	if (i->run == run_setpc && op->a && i->src[0] >= INLINE_INT)
		return false;
	if ((op->a && i->src[0] == LITERAL) || (op->b && i->src[1] == LITERAL)) {
		i->words = 2;
		i->imm = (s32)i->word[1];
	}
	i->sregs = sregs_of(i->sregs, i->sdst, op->dst);
	i->sregs = sregs_of(i->sregs, i->src[0], op->a);
	i->sregs = sregs_of(i->sregs, i->src[1], op->b);
	return true;
}
