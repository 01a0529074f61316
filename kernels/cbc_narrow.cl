/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CBC encryption, two packets to a lane: their blocks are the two that fixsliced
 * AES works on.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
INLINE void cbc_encrypt(const __private struct work *work, __local uint4 *pool)
{
	const struct ring ring = {
		pool, 2 * TILE, TILE, (__local uint2 *)(pool + 2 * PAIRS * 2 * TILE)
	};
	const int lane = work->lane, other = lane + PAIRS;
	const struct packet a = get_packet(work, lane < PAIRS ? lane : work->count);
	const struct packet b = get_packet(work, lane < PAIRS ? other : work->count);
	struct aes_keys keys;
	uint8 chain;

	if (lane < PAIRS) {
		ring_note(ring, lane, &a);
		ring_note(ring, other, &b);
	}
	aes_load_keys(&keys, get_key(work, &a), get_key(work, &b), work->rounds);
	chain = aes_slice(get_iv(work, &a), get_iv(work, &b));

	/* Once more than there are tiles, for the last one to be written */
	for (int tile = 0; tile <= tiles_of(work, TILE); tile++) {
		group_barrier();
		ring_turn(ring, work, lane, LANES, 2 * PAIRS, tile, tile - 1);
		group_barrier();

#pragma unroll 1
		for (int c = tile * TILE; c < (tile + 1) * TILE; c++) {
			uint4 x = 0, y = 0;

			if (c >= a.quads && c >= b.quads)
				break;
			if (c < a.quads)
				x = *ring_quad(ring, lane, c);
			if (c < b.quads)
				y = *ring_quad(ring, other, c);
			chain = aes_encrypt(chain ^ aes_slice(x, y), &keys, work->rounds);
			const uint8 out = aes_unslice(chain);
			if (c < a.quads)
				*ring_quad(ring, lane, c) = out.even;
			if (c < b.quads)
				*ring_quad(ring, other, c) = out.odd;
		}
	}
}
