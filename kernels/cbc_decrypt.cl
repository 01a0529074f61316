/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CBC decryption: teams of lanes decrypt, two quads each in a tile, and read the
 * quads before theirs in the ring. In the wide shape, one lane for each packet
 * hashes what is there. The plaintext goes straight to global memory, where the
 * quads of a team's lanes are neighbours.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* A packet for each team, from the @first on */
INLINE void cbc_decrypt_teams(const __private struct work *work, int first, __local uint4 *pool)
{
	const struct ring ring = { pool, 2 * TILE, TILE, 0 };
	__local uint4 *room = pool + TEAMS * 2 * TILE;
	const int lane = work->lane, team = lane / TEAM;
	const struct packet p = get_packet(work, team < TEAMS ? first + team : work->count);
#ifdef WAVECRYPT_WIDE
	const int hashed = lane - HASH_FIRST;
	const bool hashes = work->auth && hashed >= 0;
	const struct packet q = get_packet(work, hashes ? first + hashed : work->count);
	struct hmac hmac;
#endif
	struct aes_keys keys;
	uint4 x = 0, y = 0;
	int c = lane % TEAM;	/* this lane's first quad of the tile */

	aes_load_team_keys(&keys, lane, get_key(work, &p), work->rounds, room);
#ifdef WAVECRYPT_WIDE
	hmac_init(&hmac, work, &q);
	if (hashes && q.len >= 0)
		ring_load_aad(ring, hashed, work, &q);
#endif
	if (c < p.quads)
		*ring_quad(ring, team, c) = x = *quad_at(work, p.data, c);
	if (c + TEAM < p.quads)
		*ring_quad(ring, team, c + TEAM) = y = *quad_at(work, p.data, c + TEAM);
	group_barrier();

	for (int tile = 0; tile < tiles_of(work, TILE); tile++, c += TILE) {
		uint4 next_x = 0, next_y = 0;

		if (c + TILE < p.quads)
			next_x = *quad_at(work, p.data, c + TILE);
		if (c + TILE + TEAM < p.quads)
			next_y = *quad_at(work, p.data, c + TILE + TEAM);
		if (c < p.quads) {
			const uint8 out = aes_unslice(
				aes_decrypt(aes_slice(x, y), &keys, work->rounds));

			*quad_at(work, p.data, c) = out.even ^
				(c == 0 ? get_iv(work, &p) : *ring_quad(ring, team, c - 1));
			if (c + TEAM < p.quads)
				*quad_at(work, p.data, c + TEAM) = out.odd ^
					*ring_quad(ring, team, c + TEAM - 1);
		}
#ifdef WAVECRYPT_WIDE
		if (hashes)
			hmac_advance(&hmac, ring, hashed, work, &q, tile);
#endif
		group_barrier();
		x = next_x;
		y = next_y;
		if (c + TILE < p.quads)
			*ring_quad(ring, team, c + TILE) = x;
		if (c + TILE + TEAM < p.quads)
			*ring_quad(ring, team, c + TILE + TEAM) = y;
		group_barrier();
	}
#ifdef WAVECRYPT_WIDE
	if (hashes)
		hmac_store(&hmac, work, &q);
#endif
}

INLINE void cbc_decrypt(const __private struct work *work, __local uint4 *pool)
{
#pragma unroll 1
	for (int first = 0; first < work->count; first += TEAMS)
		cbc_decrypt_teams(work, first, pool);
}
