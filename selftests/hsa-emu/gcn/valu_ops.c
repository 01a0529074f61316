// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Vector opcodes, by the numbers that VOP3 has for all of them
 *
 * What works on floating point is left out, but for the four that an integer
 * division is made of: kernels of this project have no use for them.
 */
#include <pthread.h>
#include <stdio.h>

#include "valu.h"

#define OP(sort, f, in, str, ...) \
	{ .name = str, .gens = in, .shape = SHAPE_ ## sort, .fn = f, __VA_ARGS__ }
#define UNARY(str, f, ...) \
	OP(LANE, LANE_ ## f, GFX8_9, str, .dst = W32, .a = W32, __VA_ARGS__)
#define BINARY(str, f, ...) \
	OP(LANE, LANE_ ## f, GFX8_9, str, .dst = W32, .a = W32, .b = W32, __VA_ARGS__)
#define BINARY16(str, f, ...) \
	OP(LANE, LANE_ ## f, GFX8_9, str, .dst = W32, .a = W16, .b = W16, __VA_ARGS__)
#define TERNARY(str, f) \
	OP(LANE, LANE_ ## f, GFX8_9, str, .dst = W32, .a = W32, .b = W32, .c = W32)
#define BINARY_9(str, f, ...) \
	OP(LANE, LANE_ ## f, GFX9, str, .dst = W32, .a = W32, .b = W32, __VA_ARGS__)
#define BINARY16_9(str, f, ...) \
	OP(LANE, LANE_ ## f, GFX9, str, .dst = W32, .a = W16, .b = W16, __VA_ARGS__)
#define TERNARY_9(str, f) \
	OP(LANE, LANE_ ## f, GFX9, str, .dst = W32, .a = W32, .b = W32, .c = W32)
#define TERNARY16_9(str, f) \
	OP(LANE, LANE_ ## f, GFX9, str, .dst = W32, .a = W16, .b = W16, .c = W16, .op_sel = true)
#define CARRY(str, f, ...) \
	OP(CARRY, CARRY_ ## f, GFX8, str, .dst = W32, .a = W32, .b = W32, __VA_ARGS__)
#define CARRY_IN(str, f) \
	OP(CARRY_IN, CARRY_ ## f, GFX8, str, .dst = W32, .a = W32, .b = W32, .c = W64)
#define WIDE_SHIFT(str, f, w) \
	OP(WIDE, WIDE_ ## f, GFX8_9, str, .dst = W64, .a = W32, .b = w)
#define WIDE_MAD(str, f) \
	OP(WIDE_CARRY, WIDE_ ## f, GFX8_9, str, .dst = W64, .a = W32, .b = W32, .c = W64)

static const struct valu_op ops[] = {
	[0x100] = OP(CNDMASK, CARRY_cndmask, GFX8_9, "v_cndmask_b32", .dst = W32, .a = W32,
		     .b = W32, .c = W64),
	[0x105] = BINARY("v_mul_f32", mul_f32, .real = true),
	[0x106] = BINARY("v_mul_i32_i24", mul_i32_i24),
	[0x107] = BINARY("v_mul_hi_i32_i24", mul_hi_i32_i24),
	[0x108] = BINARY("v_mul_u32_u24", mul_u32_u24),
	[0x109] = BINARY("v_mul_hi_u32_u24", mul_hi_u32_u24),
	[0x10c] = BINARY("v_min_i32", min_i32),
	[0x10d] = BINARY("v_max_i32", max_i32),
	[0x10e] = BINARY("v_min_u32", min_u32),
	[0x10f] = BINARY("v_max_u32", max_u32),
	[0x110] = BINARY("v_lshrrev_b32", lshrrev_b32),
	[0x111] = BINARY("v_ashrrev_i32", ashrrev_i32),
	[0x112] = BINARY("v_lshlrev_b32", lshlrev_b32),
	[0x113] = BINARY("v_and_b32", and),
	[0x114] = BINARY("v_or_b32", or),
	[0x115] = BINARY("v_xor_b32", xor),
	[0x119] = CARRY("v_add_u32", add, .sat = LANE_add_u32_sat),
	[0x11a] = CARRY("v_sub_u32", sub, .sat = LANE_sub_u32_sat),
	[0x11b] = CARRY("v_subrev_u32", subrev, .sat = LANE_subrev_u32_sat),
	[0x11c] = CARRY_IN("v_addc_u32", addc),
	[0x11d] = CARRY_IN("v_subb_u32", subb),
	[0x11e] = CARRY_IN("v_subbrev_u32", subbrev),
	[0x126] = BINARY16("v_add_u16", add_u16, .sat = LANE_add_u16_sat),
	[0x127] = BINARY16("v_sub_u16", sub_u16, .sat = LANE_sub_u16_sat),
	[0x128] = BINARY16("v_subrev_u16", subrev_u16, .sat = LANE_subrev_u16_sat),
	[0x129] = BINARY16("v_mul_lo_u16", mul_lo_u16),
	[0x12a] = BINARY16("v_lshlrev_b16", lshlrev_b16),
	[0x12b] = BINARY16("v_lshrrev_b16", lshrrev_b16),
	[0x12c] = BINARY16("v_ashrrev_i16", ashrrev_i16),
	[0x12f] = BINARY16("v_max_u16", max_u16),
	[0x130] = BINARY16("v_max_i16", max_i16),
	[0x131] = BINARY16("v_min_u16", min_u16),
	[0x132] = BINARY16("v_min_i16", min_i16),
	[0x134] = BINARY_9("v_add_u32", add_u32, .sat = LANE_add_u32_sat),
	[0x135] = BINARY_9("v_sub_u32", sub_u32, .sat = LANE_sub_u32_sat),
	[0x136] = BINARY_9("v_subrev_u32", subrev_u32, .sat = LANE_subrev_u32_sat),
	[0x140] = OP(NOP, 0, GFX8_9, "v_nop", .dst = W0),
	[0x141] = UNARY("v_mov_b32", mov),
	[0x142] = OP(READFIRSTLANE, 0, GFX8_9, "v_readfirstlane_b32", .dst = W32, .a = W32),
	[0x146] = UNARY("v_cvt_f32_u32", cvt_f32_u32, .real = true),
	[0x147] = UNARY("v_cvt_u32_f32", cvt_u32_f32, .real = true),
	[0x163] = UNARY("v_rcp_iflag_f32", rcp_f32, .real = true),
	[0x16b] = UNARY("v_not_b32", not),
	[0x16c] = UNARY("v_bfrev_b32", bfrev),
	[0x16d] = UNARY("v_ffbh_u32", ffbh_u32),
	[0x16e] = UNARY("v_ffbl_b32", ffbl_b32),
	[0x16f] = UNARY("v_ffbh_i32", ffbh_i32),
	[0x18f] = OP(LANE, LANE_sat_pk_u8_i16, GFX9, "v_sat_pk_u8_i16", .dst = W32, .a = W32),
	[0x191] = OP(SWAP, 0, GFX9, "v_swap_b32", .dst = W32, .a = W32),
	[0x1c2] = TERNARY("v_mad_i32_i24", mad_i32_i24),
	[0x1c3] = TERNARY("v_mad_u32_u24", mad_u32_u24),
	[0x1c8] = TERNARY("v_bfe_u32", bfe_u32),
	[0x1c9] = TERNARY("v_bfe_i32", bfe_i32),
	[0x1ca] = TERNARY("v_bfi_b32", bfi),
	[0x1cd] = TERNARY("v_lerp_u8", lerp_u8),
	[0x1ce] = TERNARY("v_alignbit_b32", alignbit),
	[0x1cf] = TERNARY("v_alignbyte_b32", alignbyte),
	[0x1d1] = TERNARY("v_min3_i32", min3_i32),
	[0x1d2] = TERNARY("v_min3_u32", min3_u32),
	[0x1d4] = TERNARY("v_max3_i32", max3_i32),
	[0x1d5] = TERNARY("v_max3_u32", max3_u32),
	[0x1d7] = TERNARY("v_med3_i32", med3_i32),
	[0x1d8] = TERNARY("v_med3_u32", med3_u32),
	[0x1d9] = TERNARY("v_sad_u8", sad_u8),
	[0x1da] = TERNARY("v_sad_hi_u8", sad_hi_u8),
	[0x1db] = TERNARY("v_sad_u16", sad_u16),
	[0x1dc] = TERNARY("v_sad_u32", sad_u32),
	[0x1e4] = TERNARY("v_msad_u8", msad_u8),
	[0x1e8] = WIDE_MAD("v_mad_u64_u32", mad_u64_u32),
	[0x1e9] = WIDE_MAD("v_mad_i64_i32", mad_i64_i32),
	/* gfx9 calls these two legacy, and has new ones of the old name. */
	[0x1eb] = OP(LANE, LANE_mad_u16, GFX8, "v_mad_u16", .dst = W32, .a = W16, .b = W16,
		     .c = W16),
	[0x1ec] = OP(LANE, LANE_mad_u16, GFX8, "v_mad_i16", .dst = W32, .a = W16, .b = W16,
		     .c = W16),
	[0x1ed] = TERNARY("v_perm_b32", perm),
	[0x1f1] = OP(LANE, LANE_mad_u32_u16, GFX9, "v_mad_u32_u16", .dst = W32, .a = W16,
		     .b = W16, .c = W32, .op_sel = true),
	[0x1f2] = OP(LANE, LANE_mad_i32_i16, GFX9, "v_mad_i32_i16", .dst = W32, .a = W16,
		     .b = W16, .c = W32, .op_sel = true),
	[0x1f3] = TERNARY_9("v_xad_u32", xad),
	[0x1f5] = TERNARY16_9("v_min3_i16", min3_i16),
	[0x1f6] = TERNARY16_9("v_min3_u16", min3_u16),
	[0x1f8] = TERNARY16_9("v_max3_i16", max3_i16),
	[0x1f9] = TERNARY16_9("v_max3_u16", max3_u16),
	[0x1fb] = TERNARY16_9("v_med3_i16", med3_i16),
	[0x1fc] = TERNARY16_9("v_med3_u16", med3_u16),
	[0x1fd] = TERNARY_9("v_lshl_add_u32", lshl_add),
	[0x1fe] = TERNARY_9("v_add_lshl_u32", add_lshl),
	[0x1ff] = TERNARY_9("v_add3_u32", add3),
	[0x200] = TERNARY_9("v_lshl_or_b32", lshl_or),
	[0x201] = TERNARY_9("v_and_or_b32", and_or),
	[0x202] = TERNARY_9("v_or3_b32", or3),
	[0x204] = TERNARY16_9("v_mad_u16", mad_u16),
	[0x205] = TERNARY16_9("v_mad_i16", mad_u16),
	[0x285] = BINARY("v_mul_lo_u32", mul_lo_u32),
	[0x286] = BINARY("v_mul_hi_u32", mul_hi_u32),
	[0x287] = BINARY("v_mul_hi_i32", mul_hi_i32),
	[0x289] = OP(READLANE, 0, GFX8_9, "v_readlane_b32", .dst = W32, .a = W32, .b = W32),
	[0x28a] = OP(WRITELANE, 0, GFX8_9, "v_writelane_b32", .dst = W32, .a = W32, .b = W32),
	[0x28b] = BINARY("v_bcnt_u32_b32", bcnt),
	[0x28c] = BINARY("v_mbcnt_lo_u32_b32", mbcnt_lo),
	[0x28d] = BINARY("v_mbcnt_hi_u32_b32", mbcnt_hi),
	[0x28f] = WIDE_SHIFT("v_lshlrev_b64", lshlrev_b64, W64),
	[0x290] = WIDE_SHIFT("v_lshrrev_b64", lshrrev_b64, W64),
	[0x291] = WIDE_SHIFT("v_ashrrev_i64", ashrrev_i64, W64S),
	[0x293] = BINARY("v_bfm_b32", bfm),
	[0x297] = BINARY("v_cvt_pk_u16_u32", cvt_pk_u16_u32),
	[0x298] = BINARY("v_cvt_pk_i16_i32", cvt_pk_i16_i32),
	[0x29c] = BINARY_9("v_add_i32", add_u32, .sat = LANE_add_i32_sat),
	[0x29d] = BINARY_9("v_sub_i32", sub_u32, .sat = LANE_sub_i32_sat),
	[0x29e] = BINARY16_9("v_add_i16", add_u16, .sat = LANE_add_i16_sat, .op_sel = true),
	[0x29f] = BINARY16_9("v_sub_i16", sub_u16, .sat = LANE_sub_i16_sat, .op_sel = true),
};

#undef CARRY
#define CARRY(str, f, ...) \
	OP(CARRY, CARRY_ ## f, GFX9, str, .dst = W32, .a = W32, .b = W32, __VA_ARGS__)
#undef CARRY_IN
#define CARRY_IN(str, f) \
	OP(CARRY_IN, CARRY_ ## f, GFX9, str, .dst = W32, .a = W32, .b = W32, .c = W64)

/* What gfx9 renamed, because it has others of the old names */
enum { FIRST_RENAMED = 0x119 };
static const struct valu_op renamed[] = {
	CARRY("v_add_co_u32", add, .sat = LANE_add_u32_sat),
	CARRY("v_sub_co_u32", sub, .sat = LANE_sub_u32_sat),
	CARRY("v_subrev_co_u32", subrev, .sat = LANE_subrev_u32_sat),
	CARRY_IN("v_addc_co_u32", addc),
	CARRY_IN("v_subb_co_u32", subb),
	CARRY_IN("v_subbrev_co_u32", subbrev),
};

#define PACKED(str, f) \
	OP(LANE, LANE_ ## f, GFX9, str, .dst = W32, .a = W16, .b = W16)
#define PACKED3(str, f) \
	OP(LANE, LANE_ ## f, GFX9, str, .dst = W32, .a = W16, .b = W16, .c = W16)

static const struct valu_op packed[] = {
	[0x00] = PACKED3("v_pk_mad_i16", pk_mad_u16),
	[0x01] = PACKED("v_pk_mul_lo_u16", pk_mul_lo_u16),
	[0x02] = PACKED("v_pk_add_i16", pk_add_u16),
	[0x03] = PACKED("v_pk_sub_i16", pk_sub_u16),
	[0x04] = PACKED("v_pk_lshlrev_b16", pk_lshlrev_b16),
	[0x05] = PACKED("v_pk_lshrrev_b16", pk_lshrrev_b16),
	[0x06] = PACKED("v_pk_ashrrev_i16", pk_ashrrev_i16),
	[0x07] = PACKED("v_pk_max_i16", pk_max_i16),
	[0x08] = PACKED("v_pk_min_i16", pk_min_i16),
	[0x09] = PACKED3("v_pk_mad_u16", pk_mad_u16),
	[0x0a] = PACKED("v_pk_add_u16", pk_add_u16),
	[0x0b] = PACKED("v_pk_sub_u16", pk_sub_u16),
	[0x0c] = PACKED("v_pk_max_u16", pk_max_u16),
	[0x0d] = PACKED("v_pk_min_u16", pk_min_u16),
};

/* Comparisons are as regular as tables get: bits 5-6 the width, 4 whether it
 * writes EXEC, 3 whether it is unsigned, 0-2 of what.
 */
enum { FIRST_CMP = 0xa0, LAST_CMP = 0xff };
static struct valu_op cmps[LAST_CMP - FIRST_CMP + 1];
static char cmp_names[ARRAY_SIZE(cmps)][20];

static void make_cmp(unsigned int code)
{
	static const char *const what[] = { "f", "lt", "eq", "le", "gt", "ne", "ge", "t" };
	static const u8 flags[] = {
		CMP_NEVER, 0, 0, 0, CMP_SWAP, CMP_NOT, CMP_SWAP, CMP_NEVER | CMP_NOT
	};
	static const enum width widths[] = { W16, W32, W64 };
	/* For each width the signed, unsigned less, less or equal, and equal */
	static const u16 fns[][5] = {
		{ CMP_lt_i16, CMP_lt_u16, CMP_le_i16, CMP_le_u16, CMP_eq_16 },
		{ CMP_lt_i32, CMP_lt_u32, CMP_le_i32, CMP_le_u32, CMP_eq_32 },
		{ CMP64_lt_i64, CMP64_lt_u64, CMP64_le_i64, CMP64_le_u64, CMP64_eq_64 },
	};
	unsigned int size = (code >> 5) - 5, is_unsigned = code >> 3 & 1, of = code & 7;
	unsigned int at = code - FIRST_CMP;
	bool x = code & 0x10;

	snprintf(cmp_names[at], sizeof(cmp_names[at]), "v_cmp%s_%s_%c%u", x ? "x" : "",
		 what[of], is_unsigned ? 'u' : 'i', 16U << size);
	cmps[at] = (struct valu_op) {
		.name = cmp_names[at],
		.gens = GFX8_9,
		.shape = SHAPE_CMP,
		.dst = W64,
		.a = widths[size],
		.b = widths[size],
		.fn = fns[size][of == 2 || of == 5 ? 4 :
				(of == 3 || of == 6 ? 2 : 0) + is_unsigned],
		.cmp = flags[of] | (x ? CMP_X : 0),
	};
}

static void make_cmps(void)
{
	for (unsigned int code = FIRST_CMP; code <= LAST_CMP; code++)
		make_cmp(code);
}

static const struct valu_op *existing(const struct valu_op *op, enum gcn_gen gen)
{
	return op->shape && op->gens & gen ? op : NULL;
}

const struct valu_op *valu_op(unsigned int code, enum gcn_gen gen)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_cmps);
	if (code >= FIRST_CMP && code <= LAST_CMP)
		return &cmps[code - FIRST_CMP];
	if (gen == GFX9 && code >= FIRST_RENAMED &&
	    code < FIRST_RENAMED + ARRAY_SIZE(renamed))
		return &renamed[code - FIRST_RENAMED];
	return code < ARRAY_SIZE(ops) ? existing(&ops[code], gen) : NULL;
}

const struct valu_op *valu_op_packed(unsigned int code, enum gcn_gen gen)
{
	return code < ARRAY_SIZE(packed) ? existing(&packed[code], gen) : NULL;
}
