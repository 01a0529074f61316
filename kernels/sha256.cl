/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SHA-256's compression function (FIPS 180-4, 6.2.2).
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
__constant uint sha256_k[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* The schedule's next word at place @i of a window of 16 */
INLINE uint sha256_next(const __private uint *w, const int i)
{
	const uint x = w[(i + 1) % 16], y = w[(i + 14) % 16];

	return w[i] + w[(i + 9) % 16] +
		(ROTATE_RIGHT(x, 7) ^ ROTATE_RIGHT(x, 18) ^ (x >> 3)) +
		(ROTATE_RIGHT(y, 17) ^ ROTATE_RIGHT(y, 19) ^ (y >> 10));
}

/* Adds the block @w, which it overwrites, to the state @h */
INLINE void sha256_compress(__private uint *h, __private uint *w)
{
	uint s[8];

#pragma unroll
	for (int i = 0; i < 8; i++)
		s[i] = h[i];
	/* Not all steps unrolled: caches of instructions are small. */
#pragma unroll 1
	for (int t = 0; ; t += 16) {
		/* The state stands still, and its names move. */
#pragma unroll
		for (int i = 0; i < 16; i++) {
			const uint a = s[(16 - i) % 8], b = s[(17 - i) % 8], c = s[(18 - i) % 8];
			const uint e = s[(20 - i) % 8], f = s[(21 - i) % 8], g = s[(22 - i) % 8];
			const uint sum = s[(23 - i) % 8] + sha256_k[t + i] + w[i] +
				(ROTATE_RIGHT(e, 6) ^ ROTATE_RIGHT(e, 11) ^ ROTATE_RIGHT(e, 25)) +
				BLEND(f, g, e);

			s[(19 - i) % 8] += sum;
			s[(23 - i) % 8] = sum + BLEND(c, b, a ^ b) +
				(ROTATE_RIGHT(a, 2) ^ ROTATE_RIGHT(a, 13) ^ ROTATE_RIGHT(a, 22));
		}
		if (t == 48)
			break;
#pragma unroll
		for (int i = 0; i < 16; i++)
			w[i] = sha256_next(w, i);
	}
#pragma unroll
	for (int i = 0; i < 8; i++)
		h[i] += s[i];
}
