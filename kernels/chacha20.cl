/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ChaCha20 (RFC 8439, 2.3 and 2.4): a team of lanes for each packet, every lane
 * taking each TEAM-th block of 64 bytes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#define CHACHA20_ADD(a, b, d, n)	do {	\
	x[a] += x[b];				\
	x[d] = ROTATE_LEFT(x[d] ^ x[a], n);	\
} while (0)

#define CHACHA20_QUARTER(a, b, c, d)	do {	\
	CHACHA20_ADD(a, b, d, 16);		\
	CHACHA20_ADD(c, d, b, 12);		\
	CHACHA20_ADD(a, b, d, 8);		\
	CHACHA20_ADD(c, d, b, 7);		\
} while (0)

/* Block @n of the packet's key stream, of 16 words */
INLINE void chacha20_block(const __private struct work *work,
			   const __private struct packet *p, int n, __private uint *x)
{
	__global const uint4 *key = (__global const uint4 *)get_key(work, p)->plain;
	const uint4 low = key[0], high = key[1], nonce = get_iv(work, p);
	const uint first[16] = {
		0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, low.x, low.y, low.z, low.w,
		high.x, high.y, high.z, high.w, n, nonce.x, nonce.y, nonce.z,
	};

#pragma unroll
	for (int i = 0; i < 16; i++)
		x[i] = first[i];
#pragma unroll 1
	for (int round = 0; round < 20; round += 2) {
		CHACHA20_QUARTER(0, 4, 8, 12);
		CHACHA20_QUARTER(1, 5, 9, 13);
		CHACHA20_QUARTER(2, 6, 10, 14);
		CHACHA20_QUARTER(3, 7, 11, 15);
		CHACHA20_QUARTER(0, 5, 10, 15);
		CHACHA20_QUARTER(1, 6, 11, 12);
		CHACHA20_QUARTER(2, 7, 8, 13);
		CHACHA20_QUARTER(3, 4, 9, 14);
	}
#pragma unroll
	for (int i = 0; i < 16; i++)
		x[i] += first[i];
}

INLINE void chacha20(const __private struct work *work)
{
	const struct packet p = get_packet(work, work->lane / TEAM);

	/* Block 0 is Poly1305's key. */
#pragma unroll 1
	for (int block = work->lane % TEAM; 4 * block < p.quads; block += TEAM) {
		uint x[16];

		chacha20_block(work, &p, block + 1, x);
#pragma unroll
		for (int i = 0; i < 4; i++) {
			const int c = 4 * block + i;

			if (c < p.quads)
				store_head(quad_at(work, p.data, c), *quad_at(work, p.data, c) ^
					   (uint4)(x[4 * i], x[4 * i + 1], x[4 * i + 2],
						   x[4 * i + 3]), p.len - 16 * c);
		}
	}
}
