/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * HMAC-SHA-1 and CBC decryption: teams of lanes decrypt, two chunks each in a
 * tile; one lane for each packet hashes. Both read the ciphertext in the ring.
 * The plaintext goes straight to global memory, where the chunks of a team's
 * lanes are neighbours.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
INLINE void cbc_decrypt(const __private struct work *work, __local uint4 *pool)
{
	const struct ring ring = { pool, 2 * TILE, 0 };
	__local uint4 *room = pool + TEAMS * 2 * TILE;
	const int lane = work->lane, team = lane / TEAM;
	const int hashed = lane - HASH_FIRST;
	const bool hashes = hashed >= 0 && hashed < TEAMS;
	const struct packet p = get_packet(work, team < TEAMS ? team : work->count);
	const struct packet q = get_packet(work, hashes ? hashed : work->count);
	struct hmac hmac;
	struct aes_keys keys;
	uint4 x = 0, y = 0;
	int c = lane % TEAM;	/* this lane's first chunk of the tile */

	aes_load_team_keys(&keys, lane, get_key(work, &p), work->rounds, room);
	hmac_init(&hmac, work, &q);
	if (hashes && q.len >= 0)
		ring_load_aad(ring, hashed, work, &q);
	if (c < p.chunks)
		*ring_chunk(ring, team, c) = x = *chunk_at(work, p.data, c);
	if (c + TEAM < p.chunks)
		*ring_chunk(ring, team, c + TEAM) = y = *chunk_at(work, p.data, c + TEAM);
	group_barrier();

	for (int tile = 0; tile < work->tiles; tile++, c += TILE) {
		uint4 next_x = 0, next_y = 0;

		if (c + TILE < p.chunks)
			next_x = *chunk_at(work, p.data, c + TILE);
		if (c + TILE + TEAM < p.chunks)
			next_y = *chunk_at(work, p.data, c + TILE + TEAM);
		if (c < p.chunks) {
			const uint8 out = aes_unslice(
				aes_decrypt(aes_slice(x, y), &keys, work->rounds));

			*chunk_at(work, p.data, c) = out.even ^
				(c == 0 ? get_iv(work, &p) : *ring_chunk(ring, team, c - 1));
			if (c + TEAM < p.chunks)
				*chunk_at(work, p.data, c + TEAM) = out.odd ^
					*ring_chunk(ring, team, c + TEAM - 1);
		}
		hmac_advance(&hmac, ring, hashed, work, &q, tile);
		group_barrier();
		x = next_x;
		y = next_y;
		if (c + TILE < p.chunks)
			*ring_chunk(ring, team, c + TILE) = x;
		if (c + TILE + TEAM < p.chunks)
			*ring_chunk(ring, team, c + TILE + TEAM) = y;
		group_barrier();
	}
	hmac_store(&hmac, work, &q);
}
