/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AES-CTR (RFC 3686), which is its own reverse: by a team of lanes for each
 * packet, as in gcm.cl.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* The block that is @n after @first, whose last word counts */
INLINE uint4 counter_block(uint4 first, int n)
{
	first.w = swap_bytes(swap_bytes(first.w) + n);
	return first;
}

/* A packet for each team, from the @first on */
INLINE void ctr_teams(const __private struct work *work, int first, __local uint4 *pool)
{
	const int lane = work->lane, team = lane / TEAM;
	const struct packet p = get_packet(work, team < TEAMS ? first + team : work->count);
	const uint4 counter = get_iv(work, &p);
	struct aes_keys keys;

	group_barrier();
	aes_load_team_keys(&keys, lane, get_key(work, &p), work->rounds, pool);
	group_barrier();

#pragma unroll 1
	for (int c = lane % TEAM; c < p.quads; c += TILE) {
		const uint4 x = *quad_at(work, p.data, c);
		const uint4 y = c + TEAM < p.quads ? *quad_at(work, p.data, c + TEAM) : (uint4)(0);
		const uint8 stream = aes_unslice(aes_encrypt(
			aes_slice(counter_block(counter, c), counter_block(counter, c + TEAM)),
			&keys, work->rounds));

		store_head(quad_at(work, p.data, c), x ^ stream.even, p.len - 16 * c);
		if (c + TEAM < p.quads)
			store_head(quad_at(work, p.data, c + TEAM), y ^ stream.odd,
				   p.len - 16 * (c + TEAM));
	}
}

INLINE void ctr(const __private struct work *work, __local uint4 *pool)
{
#pragma unroll 1
	for (int first = 0; first < work->count; first += TEAMS)
		ctr_teams(work, first, pool);
}
