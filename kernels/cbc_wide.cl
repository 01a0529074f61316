/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CBC encryption and HMAC, four lanes to a packet's chain. Other lanes, one for
 * each packet, hash and write out the tile before and fetch the one after.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
INLINE void cbc_encrypt(const __private struct work *work, __local uint4 *pool)
{
	/* The tiles being fetched, encrypted and hashed, and one before that */
	const struct ring ring = {
		pool, 4 * TILE, TILE, (__local uint2 *)(pool + TEAMS * 4 * TILE)
	};
	const int lane = work->lane, hashed = lane - HASH_FIRST;
	const bool hashes = hashed >= 0;
	const int index = hashes ? hashed : lane / TEAM;
	const struct packet p = get_packet(work, index);
	uint chain = work->packets[p.index].iv[lane % TEAM];
	struct aes_team aes;
	struct hmac hmac;

	aes_team_init(&aes, lane, get_key(work, &p), work->rounds);
	hmac_init(&hmac, work, &p);
	if (hashes) {
		ring_note(ring, index, &p);
		ring_load_aad(ring, index, work, &p);
	}

	/* Tile by tile: fetched, a barrier, encrypted, a barrier, hashed and written */
	for (int tile = 0; tile < tiles_of(work, TILE) + 2; tile++) {
		group_barrier();
		if (hashes) {
			ring_turn(ring, work, hashed, TEAMS, TEAMS, tile, tile - 2);
			if (work->auth)
				hmac_advance(&hmac, ring, index, work, &p, tile - 2);
		} else if (tile >= 1) {
			/* As long for all, since all take part in the shuffles */
			const int end = tile * TILE < work->quads ? tile * TILE : work->quads;
#pragma unroll 1
			for (int c = (tile - 1) * TILE; c < end; c++) {
				__local uint *word = (__local uint *)
					ring_quad(ring, index, c) + lane % TEAM;

				chain = aes_team_encrypt(&aes, chain ^ *word, work->rounds);
				if (c < p.quads)
					*word = chain;
			}
		}
	}
	if (hashes && work->auth)
		hmac_store(&hmac, work, &p);
}
