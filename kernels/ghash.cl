/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * GHASH's multiplication (SP 800-38D, 6.3): in GF(2^128), whose elements GCM
 * writes with the coefficient of x^0 first. Read as a big-endian number, x^0 is
 * the most significant bit, and times x is a shift to the right.
 *
 * No tables, and no instruction for products without carries: those of ordinary
 * multiplication are kept apart. Of bits four places from each other, eight in a
 * word, no column of a product sums up more than eight, which is a carry of three
 * places at most; so the lowest bit of each column is its parity (T. Pornin, in
 * BearSSL). GPUs multiply beside their logic, and in the same time whatever it is.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* Every fourth bit, from bit @n on */
#define EVERY_FOURTH(x, n)	((x) & (0x11111111u << (n)))
#define COLUMNS(z, n)		((z) & (0x1111111111111111ul << (n)))
#define WIDE(x, y)		((ulong)(x) * (y))

INLINE ulong ghash_multiply_32(uint x, uint y)
{
	const uint x0 = EVERY_FOURTH(x, 0), y0 = EVERY_FOURTH(y, 0);
	const uint x1 = EVERY_FOURTH(x, 1), y1 = EVERY_FOURTH(y, 1);
	const uint x2 = EVERY_FOURTH(x, 2), y2 = EVERY_FOURTH(y, 2);
	const uint x3 = EVERY_FOURTH(x, 3), y3 = EVERY_FOURTH(y, 3);
	const ulong z0 = WIDE(x0, y0) ^ WIDE(x1, y3) ^ WIDE(x2, y2) ^ WIDE(x3, y1);
	const ulong z1 = WIDE(x0, y1) ^ WIDE(x1, y0) ^ WIDE(x2, y3) ^ WIDE(x3, y2);
	const ulong z2 = WIDE(x0, y2) ^ WIDE(x1, y1) ^ WIDE(x2, y0) ^ WIDE(x3, y3);
	const ulong z3 = WIDE(x0, y3) ^ WIDE(x1, y2) ^ WIDE(x2, y1) ^ WIDE(x3, y0);

	return COLUMNS(z0, 0) | COLUMNS(z1, 1) | COLUMNS(z2, 2) | COLUMNS(z3, 3);
}

/* By Karatsuba, as the next */
INLINE uint4 ghash_multiply_64(uint2 x, uint2 y)
{
	const ulong high = ghash_multiply_32(x.x, y.x), low = ghash_multiply_32(x.y, y.y);
	const ulong mid = ghash_multiply_32(x.x ^ x.y, y.x ^ y.y) ^ high ^ low;

	return (uint4)(high >> 32, (uint)high ^ (uint)(mid >> 32),
		       (uint)(low >> 32) ^ (uint)mid, (uint)low);
}

INLINE uint4 ghash_multiply(uint4 x, uint4 h)
{
	/* Spread anew each time, lest all of that be kept in registers meanwhile */
	const uint4 y = (uint4)(afresh(h.x), afresh(h.y), afresh(h.z), afresh(h.w));
	const uint4 high = ghash_multiply_64(x.xy, y.xy), low = ghash_multiply_64(x.zw, y.zw);
	const uint4 mid = ghash_multiply_64(x.xy ^ x.zw, y.xy ^ y.zw) ^ high ^ low;
	const uint p2 = high.z ^ mid.x, p3 = high.w ^ mid.y;
	const uint p4 = low.x ^ mid.z, p5 = low.y ^ mid.w;
	/* x^0 times x^0 is x^0: the product begins one bit too low. */
	uint z0 = high.x << 1 | high.y >> 31, z1 = high.y << 1 | p2 >> 31;
	uint z2 = p2 << 1 | p3 >> 31, z3 = p3 << 1 | p4 >> 31;
	uint z4 = p4 << 1 | p5 >> 31, z5 = p5 << 1 | low.z >> 31;
	const uint z6 = low.z << 1 | low.w >> 31, z7 = low.w << 1;

	/* x^128 = x^7 + x^2 + x + 1, from the highest powers down */
	z4 ^= z7 << 31 ^ z7 << 30 ^ z7 << 25;
	z3 ^= z7 ^ z7 >> 1 ^ z7 >> 2 ^ z7 >> 7;
	z3 ^= z6 << 31 ^ z6 << 30 ^ z6 << 25;
	z2 ^= z6 ^ z6 >> 1 ^ z6 >> 2 ^ z6 >> 7;
	z2 ^= z5 << 31 ^ z5 << 30 ^ z5 << 25;
	z1 ^= z5 ^ z5 >> 1 ^ z5 >> 2 ^ z5 >> 7;
	z1 ^= z4 << 31 ^ z4 << 30 ^ z4 << 25;
	z0 ^= z4 ^ z4 >> 1 ^ z4 >> 2 ^ z4 >> 7;
	return (uint4)(z0, z1, z2, z3);
}
