/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Poly1305 as ChaCha20-Poly1305 uses it (RFC 8439, 2.5 and 2.8): of AAD and
 * ciphertext, each padded with zeros, and their lengths. By a team of lanes for
 * each packet, every lane taking each TEAM-th block, as GHASH in gcm.cl.
 *
 * Numbers modulo 2^130 - 5 are five limbs of 26 bits, give or take one, so that
 * sums of products need no carry in between.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#define LIMB		0x3ffffffu

struct poly1305 {
	uint l[5];
};

/* 16 bytes, and perhaps a one behind them */
INLINE struct poly1305 poly1305_number(uint4 x, uint one)
{
	struct poly1305 n;

	n.l[0] = x.x & LIMB;
	n.l[1] = (x.x >> 26 | x.y << 6) & LIMB;
	n.l[2] = (x.y >> 20 | x.z << 12) & LIMB;
	n.l[3] = (x.z >> 14 | x.w << 18) & LIMB;
	n.l[4] = x.w >> 8 | one << 24;
	return n;
}

INLINE struct poly1305 poly1305_add(struct poly1305 a, struct poly1305 b)
{
#pragma unroll
	for (int i = 0; i < 5; i++)
		a.l[i] += b.l[i];
	return a;
}

INLINE struct poly1305 poly1305_multiply(struct poly1305 a, struct poly1305 b)
{
	ulong sum[5], carry = 0;

#pragma unroll
	for (int i = 0; i < 5; i++) {
		sum[i] = 0;
		/* 2^130 is 5. */
#pragma unroll
		for (int j = 0; j < 5; j++)
			sum[i] += (ulong)a.l[j] * (j <= i ? b.l[i - j] : 5 * b.l[5 + i - j]);
	}
#pragma unroll
	for (int i = 0; i < 5; i++) {
		sum[i] += carry;
		a.l[i] = (uint)sum[i] & LIMB;
		carry = sum[i] >> 26;
	}
	carry = carry * 5 + a.l[0];
	a.l[0] = (uint)carry & LIMB;
	a.l[1] += (uint)(carry >> 26);
	return a;
}

/* The same number as 32-bit words, less 2^130 - 5 if it is not below that, and less 2^128 */
INLINE uint4 poly1305_reduce(struct poly1305 n)
{
	uint carry = 0, less[5], all;

	/* Twice, for the first time may carry into the lowest limb again */
#pragma unroll
	for (int i = 0; i < 10; i++) {
		n.l[i % 5] += i == 5 ? 5 * carry : carry;
		carry = n.l[i % 5] >> 26;
		n.l[i % 5] &= LIMB;
	}
	n.l[0] += 5 * carry;
	carry = 5;
#pragma unroll
	for (int i = 0; i < 5; i++) {
		less[i] = n.l[i] + carry;
		carry = less[i] >> 26;
		less[i] &= LIMB;
	}
	/* A carry: adding 5 went past 2^130. */
	all = 0 - carry;
#pragma unroll
	for (int i = 0; i < 5; i++)
		n.l[i] = BLEND(less[i], n.l[i], all);
	return (uint4)(n.l[0] | n.l[1] << 26, n.l[1] >> 6 | n.l[2] << 20,
		       n.l[2] >> 12 | n.l[3] << 14, n.l[3] >> 18 | n.l[4] << 8);
}

/* Modulo 2^128 */
INLINE uint4 poly1305_add_words(uint4 a, uint4 b)
{
	const ulong x = (ulong)a.x + b.x, y = (ulong)a.y + b.y + (x >> 32);
	const ulong z = (ulong)a.z + b.z + (y >> 32);

	return (uint4)((uint)x, (uint)y, (uint)z, a.w + b.w + (uint)(z >> 32));
}

/* @r^@n, n from 1 to TEAM */
INLINE struct poly1305 poly1305_power(struct poly1305 r, int n)
{
	struct poly1305 power = r;

#pragma unroll 1
	for (int i = 1; i < n; i++)
		power = poly1305_multiply(power, r);
	return power;
}

INLINE struct poly1305 poly1305_next(struct poly1305 sum, struct poly1305 power, uint4 block)
{
	return poly1305_add(poly1305_multiply(sum, power), poly1305_number(block, 1));
}

INLINE void poly1305(const __private struct work *work, __local uint4 *pool)
{
	const int lane = work->lane, place = lane % TEAM;
	const struct packet p = get_packet(work, lane / TEAM);
	const int aad_blocks = (p.aad_len + 15) >> 4;
	const int aad_rows = (aad_blocks + TEAM - 1) / TEAM;
	const int last = (p.quads + TEAM - 1) % TEAM;	/* whose the last block is */
	__local uint *place_of_sums = (__local uint *)pool;
	struct poly1305 r, power, sum = { { 0 } };
	uint key[16];

	group_barrier();
	chacha20_block(work, &p, 0, key);
	r = poly1305_number((uint4)(key[0] & 0x0fffffff, key[1] & 0x0ffffffc,
				    key[2] & 0x0ffffffc, key[3] & 0x0ffffffc), 0);
	power = poly1305_power(r, TEAM);

	for (int i = aad_blocks - aad_rows * TEAM + place; i < aad_blocks; i += TEAM)
		if (i >= 0)
			sum = poly1305_next(sum, power, aad_block(work, &p, i));
#pragma unroll 1
	for (int c = place; c < p.quads; c += TEAM)
		sum = poly1305_next(sum, power,
				    head(*quad_at(work, p.data, c), p.len - 16 * c));

	/* What a lane's sum still lacks, but for the block of lengths */
	sum = poly1305_multiply(sum, poly1305_power(r, (last - place + TEAM) % TEAM + 1));
#pragma unroll
	for (int i = 0; i < 5; i++)
		place_of_sums[5 * lane + i] = sum.l[i];
	group_barrier();
	if (place != TEAM - 1 || p.len < 0)
		return;

	sum = poly1305_number((uint4)(p.aad_len, 0, p.len, 0), 1);
	for (int i = 0; i < TEAM; i++)
		for (int j = 0; j < 5; j++)
			sum.l[j] += place_of_sums[5 * (lane - i) + j];
	{
		const uint4 tag = swap_words(poly1305_add_words(
			poly1305_reduce(poly1305_multiply(sum, r)),
			(uint4)(key[4], key[5], key[6], key[7])));
		const uint words[4] = { tag.x, tag.y, tag.z, tag.w };

		store_icv(work, &p, words, 4, 4);
	}
}
