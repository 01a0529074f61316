/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * GHASH's multiplication (SP 800-38D, 6.3): in GF(2^128), whose elements GCM
 * writes with the coefficient of x^0 first. Read as a big-endian number, x^0 is
 * the most significant bit, and times x is a shift to the right.
 *
 * No tables: a comb, most significant power first, over the bits of all four
 * words of one factor at once, each bit spread to a mask. The product's 256 bits
 * move by one place 32 times instead of 128 times.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
INLINE uint4 ghash_multiply(uint4 x, uint4 y)
{
	uint z0 = 0, z1 = 0, z2 = 0, z3 = 0, z4 = 0, z5 = 0, z6 = 0, z7 = 0;

#pragma unroll 4
	for (int i = 0; i < 32; i++) {
		const uint4 m = -(x >> i & 1u);

		z7 = z7 >> 1 | z6 << 31;
		z6 = z6 >> 1 | z5 << 31;
		z5 = z5 >> 1 | z4 << 31;
		z4 = z4 >> 1 | z3 << 31;
		z3 = z3 >> 1 | z2 << 31;
		z2 = z2 >> 1 | z1 << 31;
		z1 = z1 >> 1 | z0 << 31;
		z0 = z0 >> 1;
		z0 ^= m.x & y.x;
		z1 ^= (m.x & y.y) ^ (m.y & y.x);
		z2 ^= (m.x & y.z) ^ (m.y & y.y) ^ (m.z & y.x);
		z3 ^= (m.x & y.w) ^ (m.y & y.z) ^ (m.z & y.y) ^ (m.w & y.x);
		z4 ^= (m.y & y.w) ^ (m.z & y.z) ^ (m.w & y.y);
		z5 ^= (m.z & y.w) ^ (m.w & y.z);
		z6 ^= m.w & y.w;
	}

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
