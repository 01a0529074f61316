/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernels, but for the wide shape's CBC encryption, which has AES by tables
 * in local memory, the usual way on GPUs: what constant time is to be compared
 * with, and nothing else. Its look-ups leak the key (Jiang, Fei, Kaeli: A complete
 * key recovery timing attack on a GPU, HPCA 2016).
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "../../../kernels/layout.h"
#include "../../../kernels/platform.cl"
#include "../../../kernels/aes.cl"
#include "../../../kernels/sha1.cl"
#include "../../../kernels/sha256.cl"
#include "../../../kernels/sha512.cl"
#include "../../../kernels/ghash.cl"
#include "../../../kernels/work.cl"
#include "../../../kernels/ring.cl"
#include "../../../kernels/hmac.cl"
#include "../../../kernels/aes_team.cl"

/* Column of MixColumns times SubBytes of a byte in row 0; the other rows rotate it */
INLINE uint table_entry(uint i)
{
	const uint s = aes_sbox[i], twice = (s << 1 ^ (s >> 7) * 0x1b) & 0xff;

	return twice | s << 8 | s << 16 | (twice ^ s) << 24;
}

INLINE uint table_encrypt(const __private struct aes_team *t, __local const uint *table,
			  uint w, int rounds)
{
	const uint first = t->lane & ~3u;
	uint w1, w2, w3;

	w ^= t->k[0];
#pragma unroll
	for (int r = 1; r < 14; r++) {
		if (r >= 10 && r >= rounds)
			continue;
		w1 = shuffle_word(w, first | ((t->lane + 1) & 3));
		w2 = shuffle_word(w, first | ((t->lane + 2) & 3));
		w3 = shuffle_word(w, first | ((t->lane + 3) & 3));
		w = table[w & 0xff] ^ ROTATE_LEFT(table[w1 >> 8 & 0xff], 8) ^
			ROTATE_LEFT(table[w2 >> 16 & 0xff], 16) ^
			ROTATE_LEFT(table[w3 >> 24], 24) ^ t->k[r];
	}
	w1 = shuffle_word(w, first | ((t->lane + 1) & 3));
	w2 = shuffle_word(w, first | ((t->lane + 2) & 3));
	w3 = shuffle_word(w, first | ((t->lane + 3) & 3));
	return ((table[w & 0xff] >> 8 & 0xff) | (table[w1 >> 8 & 0xff] & 0xff00) |
		(table[w2 >> 16 & 0xff] << 8 & 0xff0000) | (table[w3 >> 24] << 16 & 0xff000000)) ^
		t->k[14];
}

/* As in cbc_wide.cl. The table lies where that has no use for local memory. */
INLINE void cbc_encrypt(const __private struct work *work, __local uint4 *pool)
{
	__local uint *table = (__local uint *)(pool + POOL) - 256;
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

	for (int i = lane; i < 256; i += LANES)
		table[i] = table_entry(i);
	aes_team_init(&aes, lane, get_key(work, &p), work->rounds);
	hmac_init(&hmac, work, &p);
	if (hashes) {
		ring_note(ring, index, &p);
		ring_load_aad(ring, index, work, &p);
	}
	for (int tile = 0; tile < tiles_of(work, TILE) + 2; tile++) {
		group_barrier();
		if (hashes) {
			ring_turn(ring, work, hashed, TEAMS, TEAMS, tile, tile - 2);
			if (work->auth)
				hmac_advance(&hmac, ring, index, work, &p, tile - 2);
		} else if (tile >= 1) {
			const int end = tile * TILE < work->quads ? tile * TILE : work->quads;
#pragma unroll 1
			for (int c = (tile - 1) * TILE; c < end; c++) {
				__local uint *word = (__local uint *)
					ring_quad(ring, index, c) + lane % TEAM;

				chain = table_encrypt(&aes, table, chain ^ *word, work->rounds);
				if (c < p.quads)
					*word = chain;
			}
		}
	}
	if (hashes && work->auth)
		hmac_store(&hmac, work, &p);
}

#include "../../../kernels/cbc_decrypt.cl"
#include "../../../kernels/ctr.cl"
#include "../../../kernels/gcm.cl"
#include "../../../kernels/chacha20.cl"
#include "../../../kernels/poly1305.cl"
#include "../../../kernels/batch.cl"
