/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AES (FIPS-197) on two blocks at once, without tables: fixsliced.
 *
 * Slices. A word holds one bit of each of the 32 bytes of two blocks, eight
 * words hold the state: slice i, bit 8 * row + 2 * column + block, is bit i of
 * that byte. SubBytes is then a circuit of logic gates; adding a key is XOR.
 *
 * Fixslicing (A. Adomnicai, T. Peyrin: Fixslicing AES-like Ciphers, TCHES 2021).
 * ShiftRows is never done. After r rounds without it, row i stands i * r columns
 * too far right. SubBytes and the key do not mind (the host stores the keys
 * shifted likewise); MixColumns finds the next row's byte of a true column
 * r columns further on, which is a rotation of words by another amount. Four
 * ShiftRows are none, so there are four MixColumns, numbered by r modulo 4.
 *
 * The constant 0x63 of SubBytes is left out here and contained in the round
 * keys 1 to last: MixColumns leaves a state of equal bytes as it is.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/*
 * Transposition of 8x8 bits in each byte of eight words, in two parts that can
 * change places: within the words of one block, and between two blocks. A round
 * key is stored with the first part done.
 */
INLINE uint8 pair_blocks(uint4 a, uint4 b)
{
	uint8 q;

	q.even = BLEND(a, b << 1, 0x55555555u);
	q.odd = BLEND(a >> 1, b, 0x55555555u);
	return q;
}

INLINE uint8 slice_words(uint8 q)
{
	const uint4 a = q.s0145, b = q.s2367;
	uint4 c, d;

	q.s0145 = BLEND(a, b << 2, 0x33333333u);
	q.s2367 = BLEND(a >> 2, b, 0x33333333u);
	c = q.lo;
	d = q.hi;
	q.lo = BLEND(c, d << 4, 0x0f0f0f0fu);
	q.hi = BLEND(c >> 4, d, 0x0f0f0f0fu);
	return q;
}

/* Two blocks, as they lie in memory, to slices */
INLINE uint8 aes_slice(uint4 a, uint4 b)
{
	return slice_words(pair_blocks(a, b));
}

/* And back, the even words being one block and the odd words the other */
INLINE uint8 aes_unslice(uint8 q)
{
	q = slice_words(q);
	return pair_blocks(q.even, q.odd);
}

/*
 * SubBytes less its constant: the circuit, of 32 AND and 83 XOR, by J. Boyar and
 * R. Peralta: A new combinational logic minimization technique with applications
 * to cryptology, SEA 2010. What they number is numbered so here.
 */
INLINE uint8 sub_bytes(uint8 q)
{
	/* Linear: to a tower of fields, where inversion is cheap */
	const uint x0 = q.s7, x1 = q.s6, x2 = q.s5, x3 = q.s4;
	const uint x4 = q.s3, x5 = q.s2, x6 = q.s1, x7 = q.s0;
	const uint y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5;
	const uint t0 = x1 ^ x2, y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14;
	const uint y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8, t1 = x4 ^ y12;
	const uint y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0;
	const uint y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8;
	const uint y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;
	/* Inversion */
	const uint t2 = y12 & y15, t3 = y3 & y6, t4 = t3 ^ t2, t5 = y4 & x7;
	const uint t6 = t5 ^ t2, t7 = y13 & y16, t8 = y5 & y1, t9 = t8 ^ t7;
	const uint t10 = y2 & y7, t11 = t10 ^ t7, t12 = y9 & y11, t13 = y14 & y17;
	const uint t14 = t13 ^ t12, t15 = y8 & y10, t16 = t15 ^ t12, t17 = t4 ^ t14;
	const uint t18 = t6 ^ t16, t19 = t9 ^ t14, t20 = t11 ^ t16, t21 = t17 ^ y20;
	const uint t22 = t18 ^ y19, t23 = t19 ^ y21, t24 = t20 ^ y18, t25 = t21 ^ t22;
	const uint t26 = t21 & t23, t27 = t24 ^ t26, t28 = t25 & t27, t29 = t28 ^ t22;
	const uint t30 = t23 ^ t24, t31 = t22 ^ t26, t32 = t31 & t30, t33 = t32 ^ t24;
	const uint t34 = t23 ^ t33, t35 = t27 ^ t33, t36 = t24 & t35, t37 = t36 ^ t34;
	const uint t38 = t27 ^ t36, t39 = t29 & t38, t40 = t25 ^ t39, t41 = t40 ^ t37;
	const uint t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
	const uint z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16;
	const uint z4 = t40 & y1, z5 = t29 & y7, z6 = t42 & y11, z7 = t45 & y17;
	const uint z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4;
	const uint z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9;
	const uint z16 = t45 & y14, z17 = t41 & y8;
	/* Linear: back, with the affine map */
	const uint t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10;
	const uint t50 = z2 ^ z12, t51 = z2 ^ z5, t52 = z7 ^ z8, t53 = z0 ^ z3;
	const uint t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48, t57 = t50 ^ t53;
	const uint t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57;
	const uint t62 = t52 ^ t58, t63 = t49 ^ t58, t64 = z4 ^ t59, t65 = t61 ^ t62;
	const uint t66 = z1 ^ t63, s0 = t59 ^ t63, s6 = t56 ^ t62, s7 = t48 ^ t60;
	const uint t67 = t64 ^ t65, s3 = t53 ^ t66, s4 = t51 ^ t66, s5 = t47 ^ t65;
	const uint s1 = t64 ^ s3, s2 = t55 ^ t67;

	return (uint8)(s7, s6, s5, s4, s3, s2, s1, s0);
}

/*
 * InvSubBytes of a state to which 0x63 was added. With A the linear part of
 * SubBytes' affine map and S its whole linear-conjugate, S(x) = A(1 / x), the
 * inverse is 1 / A'(y) = A'(S(A'(y))), A' being A's inverse.
 */
INLINE uint8 undo_affine(uint8 q)
{
	return q.s23456701 ^ q.s56701234 ^ q.s70123456;
}

INLINE uint8 inv_sub_bytes(uint8 q)
{
	return undo_affine(sub_bytes(undo_affine(q)));
}

/* Each byte times x, modulo x^8 + x^4 + x^3 + x + 1 */
INLINE uint8 times_x(uint8 q)
{
	uint8 r = q.s70123456;

	r.s1 ^= q.s7;
	r.s3 ^= q.s7;
	r.s4 ^= q.s7;
	return r;
}

/* The bytes one row down and @r columns on, and those two rows, 2 * r columns */
INLINE uint8 one_down(uint8 q, const int r)
{
	if (r == 0)
		return ROTATE_RIGHT(q, 8);
	return BLEND(ROTATE_RIGHT(q, 8 + 2 * r), ROTATE_RIGHT(q, 2 * r),
		     0x01010101u * (0xffu >> (2 * r)));
}

INLINE uint8 two_down(uint8 q, const int r)
{
	if (r % 2 == 0)
		return ROTATE_RIGHT(q, 16);
	return BLEND(ROTATE_RIGHT(q, 20), ROTATE_RIGHT(q, 12), 0x0f0f0f0fu);
}

/* Columns times (2 3 1 1) */
INLINE uint8 mix_columns(uint8 q, const int r)
{
	const uint8 down = one_down(q, r), sum = q ^ down;

	return times_x(sum) ^ down ^ two_down(sum, r);
}

/* Columns times (14 11 13 9) = (2 3 1 1) (5 0 4 0) */
INLINE uint8 inv_mix_columns(uint8 q, const int r)
{
	return mix_columns(q ^ times_x(times_x(q ^ two_down(q, r))), r);
}

/* ShiftRows twice, or its inverse: what 10 and 14 rounds are short of */
INLINE uint8 shift_rows_twice(uint8 q)
{
	return BLEND(q, BLEND(q >> 4, q << 4, 0x0f0f0f0fu), 0x00ff00ffu);
}

/*
 * Round keys. In the narrow shape they lie in registers, which is why loops over
 * rounds are unrolled, and the two blocks may have different keys. In the wide
 * shape, registers are what limits the number of work-groups at work, and a
 * team's lanes share what lies in local memory.
 */
#ifdef WAVECRYPT_WIDE

struct aes_keys {
	__local const uint4 *paired;
};

INLINE uint8 round_key(const __private struct aes_keys *keys, const int r)
{
	volatile __local const uint4 *at = keys->paired + 2 * r;
	uint8 key;

	key.lo = at[0];
	key.hi = at[1];
	return key;
}

/* For a team: its packet's key, into a place of its own. A barrier must follow. */
INLINE void aes_load_team_keys(__private struct aes_keys *keys, int lane,
			       __global const struct wavecrypt_gpu_key *key, int rounds,
			       __local uint4 *pool)
{
	__local uint4 *place = pool + lane / TEAM * 30;

	for (int r = lane % TEAM; r < 15; r += TEAM) {
		const uint4 one = ((__global const uint4 *)key->sliced)[r];
		const uint8 pair = pair_blocks(one, one);

		place[2 * r] = pair.lo;
		place[2 * r + 1] = pair.hi;
	}
	keys->paired = place;
}

#else

struct aes_keys {
	uint8 k[15];
};

INLINE uint8 round_key(const __private struct aes_keys *keys, const int r)
{
	return keys->k[r];
}

/*
 * For two blocks, one of each key. Round keys past the last are not read, but
 * zeros, lest registers be kept for what they might have been before.
 */
INLINE void aes_load_keys(__private struct aes_keys *keys,
			  __global const struct wavecrypt_gpu_key *a,
			  __global const struct wavecrypt_gpu_key *b, int rounds)
{
	__global const uint4 *ka = (__global const uint4 *)a->sliced;
	__global const uint4 *kb = (__global const uint4 *)b->sliced;

#pragma unroll
	for (int r = 0; r < 15; r++)
		keys->k[r] = r < 10 || r < rounds || r == 14 ?
			pair_blocks(ka[r], kb[r]) : (uint8)(0);
}

INLINE void aes_load_team_keys(__private struct aes_keys *keys, int lane,
			       __global const struct wavecrypt_gpu_key *key, int rounds,
			       __local uint4 *pool)
{
	aes_load_keys(keys, key, key, rounds);
}

#endif

INLINE uint8 aes_encrypt(uint8 q, const __private struct aes_keys *keys, int rounds)
{
	q ^= round_key(keys, 0);
#pragma unroll
	for (int r = 1; r < 14; r++)
		if (r < 10 || r < rounds)
			q = mix_columns(sub_bytes(q), r % 4) ^ round_key(keys, r);
	q = sub_bytes(q);
	if (rounds != 12)
		q = shift_rows_twice(q);
	return q ^ round_key(keys, 14);
}

INLINE uint8 aes_decrypt(uint8 q, const __private struct aes_keys *keys, int rounds)
{
	q ^= round_key(keys, 14);
	if (rounds != 12)
		q = shift_rows_twice(q);
#pragma unroll
	for (int r = 13; r > 0; r--)
		if (r < 10 || r < rounds)
			q = inv_mix_columns(inv_sub_bytes(q) ^ round_key(keys, r), r % 4);
	return inv_sub_bytes(q) ^ round_key(keys, 0);
}
