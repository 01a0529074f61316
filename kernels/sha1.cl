/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SHA-1's compression function (FIPS 180-4, 6.1.2).
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* The schedule's word @t, in a window of 16 that @t moves through */
INLINE uint sha1_word(__private uint *w, const int t)
{
	if (t >= 16)
		w[t % 16] = ROTATE_LEFT(w[(t - 3) % 16] ^ w[(t - 8) % 16] ^
					w[(t - 14) % 16] ^ w[t % 16], 1);
	return w[t % 16];
}

#define SHA1_STEP(f, k) do {						\
	const uint sum = ROTATE_LEFT(a, 5) + (f) + e + (k) + sha1_word(w, t); \
									\
	e = d;								\
	d = c;								\
	c = ROTATE_LEFT(b, 30);						\
	b = a;								\
	a = sum;							\
} while (0)

/* Adds the block @w, which it overwrites, to the state @h */
INLINE void sha1_compress(__private uint *h, __private uint *w)
{
	uint a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

#pragma unroll
	for (int t = 0; t < 20; t++)
		SHA1_STEP(BLEND(c, d, b), 0x5a827999u);
#pragma unroll
	for (int t = 20; t < 40; t++)
		SHA1_STEP(b ^ c ^ d, 0x6ed9eba1u);
#pragma unroll
	for (int t = 40; t < 60; t++)
		SHA1_STEP((b & c) | (b & d) | (c & d), 0x8f1bbcdcu);
#pragma unroll
	for (int t = 60; t < 80; t++)
		SHA1_STEP(b ^ c ^ d, 0xca62c1d6u);

	h[0] += a;
	h[1] += b;
	h[2] += c;
	h[3] += d;
	h[4] += e;
}
