// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Loops over the lanes, for the compiler to vectorise
 */
#include <math.h>
#include <string.h>

#include "lanes.h"

/* Rows of registers are the same or do not overlap at all. */
#ifdef __clang__
#define NO_OVERLAP _Pragma("clang loop vectorize(assume_safety)")
#else
#define NO_OVERLAP _Pragma("GCC ivdep")
#endif

static inline s32 s16_lo(u32 x)
{
	return (s16)x;
}

static inline s32 s16_hi(u32 x)
{
	return (s32)x >> 16;
}

static inline s32 sext24(u32 x)
{
	return (s32)(x << 8) >> 8;
}

static inline u32 pack(u32 lo, u32 hi)
{
	return (lo & 0xffff) | hi << 16;
}

static inline s32 min_s(s32 a, s32 b)
{
	return a < b ? a : b;
}

static inline s32 max_s(s32 a, s32 b)
{
	return a > b ? a : b;
}

static inline s32 med_s(s32 a, s32 b, s32 c)
{
	return max_s(min_s(a, b), min_s(max_s(a, b), c));
}

static inline u32 min_u(u32 a, u32 b)
{
	return a < b ? a : b;
}

static inline u32 max_u(u32 a, u32 b)
{
	return a > b ? a : b;
}

static inline u32 med_u(u32 a, u32 b, u32 c)
{
	return max_u(min_u(a, b), min_u(max_u(a, b), c));
}

static inline s32 clamp(s32 x, s32 low, s32 high)
{
	return min_s(max_s(x, low), high);
}

static inline s32 saturate(s64 x)
{
	return x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : (s32)x;
}

static inline float real(u32 x)
{
	float f;

	memcpy(&f, &x, sizeof(f));
	return f;
}

static inline u32 bits(float f)
{
	u32 x;

	memcpy(&x, &f, sizeof(x));
	/* One of all that are not numbers */
	return f == f ? x : 0x7fc00000;
}

static inline u32 to_u32(float f)
{
	/* Not a number, and what is negative, are zero. */
	if (!(f > 0))
		return 0;
	return f >= 4294967296.0f ? ~0U : (u32)f;
}

static inline u32 reverse(u32 x)
{
	x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
	x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
	x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(x);
}

/* Bits from the top that equal the sign, or -1 if all do */
static inline u32 leading_signs(u32 x)
{
	u32 changes = x ^ (u32)((s32)x >> 31);

	return changes ? (u32)__builtin_clz(changes) : ~0U;
}

static inline u32 bfe_signed(u32 x, u32 shift, u32 length)
{
	u32 left = 32 - length;

	if (!length)
		return 0;
	/* What would lie behind the top is the sign. */
	return (u32)((s32)((u32)((s32)x >> shift) << left) >> left);
}

static inline u32 lerp(u32 x, u32 y, u32 z)
{
	u32 r = 0;

	for (unsigned int k = 0; k < 32; k += 8)
		r |= ((x >> k & 255) + (y >> k & 255) + (z >> k & 1)) >> 1 << k;
	return r;
}

/* Sum of absolute differences of bytes or words; masked: not where y has none */
static inline u32 sad(u32 x, u32 y, unsigned int width, bool masked)
{
	u32 r = 0, mask = (1U << width) - 1;

	for (unsigned int k = 0; k < 32; k += width) {
		u32 a = x >> k & mask, b = y >> k & mask;

		if (!masked || b)
			r += a > b ? a - b : b - a;
	}
	return r;
}

static inline u32 permute_byte(u64 q, u32 select)
{
	if (select < 8)
		return (u32)(q >> 8 * select) & 255;
	if (select < 12)
		return q >> (16 * (select - 8) + 15) & 1 ? 255 : 0;
	return select == 12 ? 0 : 255;
}

static inline u32 permute(u32 x, u32 y, u32 z)
{
	u64 q = (u64)x << 32 | y;
	u32 r = 0;

	for (unsigned int k = 0; k < 32; k += 8)
		r |= permute_byte(q, z >> k & 255) << k;
	return r;
}

/* A bit for each of 64 bytes that are 0 or 1 */
static inline u64 gather(const u8 *flags)
{
	u64 r = 0;

	for (unsigned int k = 0; k < 8; k++) {
		u64 eight;

		memcpy(&eight, flags + 8 * k, 8);
		/* Moves byte n's lowest bit to bit 56 + n. */
		r |= (eight * 0x0102040810204080ULL >> 56) << 8 * k;
	}
	return r;
}

static inline void scatter(u32 *d, u64 mask)
{
	u32 lo = (u32)mask, hi = (u32)(mask >> 32);

	for (u32 i = 0; i < 32; i++)
		d[i] = lo >> i & 1;
	for (u32 i = 0; i < 32; i++)
		d[i + 32] = hi >> i & 1;
}

#define LANE(name, value)						\
static void lane_ ## name(u32 *d, const u32 *a, const u32 *b, const u32 *c) \
{									\
	NO_OVERLAP							\
	for (u32 i = 0; i < LANES; i++) {				\
		u32 x = a[i], y = b[i], z = c[i];			\
									\
		(void)x;						\
		(void)y;						\
		(void)z;						\
		d[i] = (value);						\
	}								\
}

#define CARRY(name, value, out)						\
static u64 carry_ ## name(u32 *d, const u32 *a, const u32 *b, u64 carry) \
{									\
	u32 ins[LANES];							\
	u8 outs[LANES];							\
									\
	scatter(ins, carry);						\
	NO_OVERLAP							\
	for (u32 i = 0; i < LANES; i++) {				\
		u32 x = a[i], y = b[i], in = ins[i];			\
									\
		(void)in;						\
		outs[i] = (out);					\
		d[i] = (value);						\
	}								\
	return gather(outs);						\
}

#define CMP(name, value)						\
static u64 cmp_ ## name(const u32 *a, const u32 *b)			\
{									\
	u8 outs[LANES];							\
									\
	NO_OVERLAP							\
	for (u32 i = 0; i < LANES; i++) {				\
		u32 x = a[i], y = b[i];					\
									\
		outs[i] = (value);					\
	}								\
	return gather(outs);						\
}

#define CMP64(name, value)						\
static u64 cmp64_ ## name(const u32 *a, const u32 *a_hi, const u32 *b, const u32 *b_hi) \
{									\
	u8 outs[LANES];							\
									\
	NO_OVERLAP							\
	for (u32 i = 0; i < LANES; i++) {				\
		u64 x = a[i] | (u64)a_hi[i] << 32;			\
		u64 y = b[i] | (u64)b_hi[i] << 32;			\
									\
		outs[i] = (value);					\
	}								\
	return gather(outs);						\
}

#define WIDE(name, value, out)						\
static u64 wide_ ## name(u32 *d, u32 *d_hi, const u32 *a, const u32 *b, \
			 const u32 *c, const u32 *c_hi)			\
{									\
	u8 outs[LANES];							\
									\
	NO_OVERLAP							\
	for (u32 i = 0; i < LANES; i++) {				\
		u32 x = a[i], y = b[i];					\
		u64 z = c[i] | (u64)c_hi[i] << 32, r;			\
									\
		(void)y;						\
		r = (value);						\
		outs[i] = (out);					\
		d[i] = (u32)r;						\
		d_hi[i] = (u32)(r >> 32);				\
	}								\
	return gather(outs);						\
}

#include "lanes.inc"

static void blend(u32 *d, const u32 *a, u64 mask)
{
	u32 take[LANES];

	scatter(take, mask);
	NO_OVERLAP
	for (u32 i = 0; i < LANES; i++)
		d[i] = take[i] ? a[i] : d[i];
}

#undef LANE
#undef CARRY
#undef CMP
#undef CMP64
#undef WIDE
#define LANE(name, ...) .fn[LANE_ ## name].lane = lane_ ## name,
#define CARRY(name, ...) .fn[CARRY_ ## name].carry = carry_ ## name,
#define CMP(name, ...) .fn[CMP_ ## name].cmp = cmp_ ## name,
#define CMP64(name, ...) .fn[CMP64_ ## name].cmp64 = cmp64_ ## name,
#define WIDE(name, ...) .fn[WIDE_ ## name].wide = wide_ ## name,

const struct lane_table LANE_TABLE = {
#include "lanes.inc"
	.blend = blend,
};
