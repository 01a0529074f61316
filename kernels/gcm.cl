/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AES-GCM (SP 800-38D), both directions: CTR and GHASH by a team of lanes for
 * each packet, every lane taking each TEAM-th quad from its own place on.
 *
 * GHASH in parallel: from one of its blocks to the next, a lane multiplies its
 * sum by H^TEAM. AAD is laid so that its last block is the team's last lane's,
 * as if blocks of zeros came before it. At the end each lane's last block is one
 * to TEAM blocks before the block of lengths, and its sum still lacks as many H.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* H^@n, n from 1 to TEAM */
INLINE uint4 power_of_h(const __private struct work *work,
			const __private struct packet *p, int n)
{
	return ((__global const uint4 *)get_key(work, p)->hash)[n - 1];
}

/* Ciphers and stores quad @c; returns its ciphertext as GHASH wants it */
INLINE uint4 gcm_quad(const __private struct work *work,
		       const __private struct packet *p, int c, uint4 in,
		       uint4 stream, int op)
{
	const int len = p->len - 16 * c;
	const uint4 out = in ^ stream;

	store_head(quad_at(work, p->data, c), out, len);
	return swap_words(head(op == WAVECRYPT_GPU_ENCRYPT ? out : in, len));
}

/* By the last lane of its team: lengths in bits, of AAD and payload; the upper halves are zero */
INLINE void gcm_icv(const __private struct work *work, const __private struct packet *p,
		    uint4 mask, __local const uint4 *sums)
{
	uint4 sum = (uint4)(0, 8 * p->aad_len, 0, 8 * p->len);

	for (int i = 0; i < TEAM; i++)
		sum ^= sums[work->lane - i];
	sum = ghash_multiply(sum, power_of_h(work, p, 1)) ^ swap_words(mask);
	{
		const uint tag[4] = { sum.x, sum.y, sum.z, sum.w };

		store_icv(work, p, tag, 4, 4);
	}
}

INLINE void gcm(const __private struct work *work, int op, __local uint4 *pool)
{
	const int lane = work->lane, place = lane % TEAM;
	const struct packet p = get_packet(work, lane / TEAM);
	const uint4 j0 = get_iv(work, &p), h = power_of_h(work, &p, TEAM);
	const int aad_blocks = (p.aad_len + 15) >> 4;
	const int aad_rows = (aad_blocks + TEAM - 1) / TEAM;
	uint4 next_x = 0, next_y = 0, sum = 0, mask = 0;
	struct aes_keys keys;
	int last;

	aes_load_team_keys(&keys, lane, get_key(work, &p), work->rounds, pool + LANES);
	group_barrier();

	for (int i = aad_blocks - aad_rows * TEAM + place; i < aad_blocks; i += TEAM)
		if (i >= 0)
			sum = ghash_multiply(sum, h) ^ swap_words(aad_block(work, &p, i));

	/* Before the payload one round for J0, which is the last lane's quad -1 */
#pragma unroll 1
	for (int c = place - TILE; c < p.quads; c += TILE) {
		uint4 x = next_x, y = next_y;
		const uint8 stream = aes_unslice(aes_encrypt(
			aes_slice(counter_block(j0, c + 1), counter_block(j0, c + 1 + TEAM)),
			&keys, work->rounds));

		if (c + TILE < p.quads)
			next_x = *quad_at(work, p.data, c + TILE);
		if (c + TILE + TEAM < p.quads)
			next_y = *quad_at(work, p.data, c + TILE + TEAM);
		if (c < 0) {
			mask = stream.odd;
			continue;
		}
		x = gcm_quad(work, &p, c, x, stream.even, op);
		sum = ghash_multiply(sum, h) ^ x;
		if (c + TEAM < p.quads) {
			y = gcm_quad(work, &p, c + TEAM, y, stream.odd, op);
			sum = ghash_multiply(sum, h) ^ y;
		}
	}

	last = (p.quads + TEAM - 1) % TEAM;	/* whose the last block is */
	pool[lane] = ghash_multiply(sum, power_of_h(work, &p, (last - place + TEAM) % TEAM + 1));
	group_barrier();
	if (place == TEAM - 1 && p.len >= 0)
		gcm_icv(work, &p, mask, pool);
	/* PoCL 6 does not do what is between the last barrier in here and where branches meet. */
	group_barrier();
}
