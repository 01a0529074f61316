/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SHA-512's compression function (FIPS 180-4, 6.4.2), which is SHA-384's, too.
 * What goes in and out are words of 32 bits, the upper half of each of SHA-512's
 * first.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
__constant ulong sha512_k[80] = {
	0x428a2f98d728ae22ul, 0x7137449123ef65cdul, 0xb5c0fbcfec4d3b2ful,
	0xe9b5dba58189dbbcul, 0x3956c25bf348b538ul, 0x59f111f1b605d019ul,
	0x923f82a4af194f9bul, 0xab1c5ed5da6d8118ul, 0xd807aa98a3030242ul,
	0x12835b0145706fbeul, 0x243185be4ee4b28cul, 0x550c7dc3d5ffb4e2ul,
	0x72be5d74f27b896ful, 0x80deb1fe3b1696b1ul, 0x9bdc06a725c71235ul,
	0xc19bf174cf692694ul, 0xe49b69c19ef14ad2ul, 0xefbe4786384f25e3ul,
	0x0fc19dc68b8cd5b5ul, 0x240ca1cc77ac9c65ul, 0x2de92c6f592b0275ul,
	0x4a7484aa6ea6e483ul, 0x5cb0a9dcbd41fbd4ul, 0x76f988da831153b5ul,
	0x983e5152ee66dfabul, 0xa831c66d2db43210ul, 0xb00327c898fb213ful,
	0xbf597fc7beef0ee4ul, 0xc6e00bf33da88fc2ul, 0xd5a79147930aa725ul,
	0x06ca6351e003826ful, 0x142929670a0e6e70ul, 0x27b70a8546d22ffcul,
	0x2e1b21385c26c926ul, 0x4d2c6dfc5ac42aedul, 0x53380d139d95b3dful,
	0x650a73548baf63deul, 0x766a0abb3c77b2a8ul, 0x81c2c92e47edaee6ul,
	0x92722c851482353bul, 0xa2bfe8a14cf10364ul, 0xa81a664bbc423001ul,
	0xc24b8b70d0f89791ul, 0xc76c51a30654be30ul, 0xd192e819d6ef5218ul,
	0xd69906245565a910ul, 0xf40e35855771202aul, 0x106aa07032bbd1b8ul,
	0x19a4c116b8d2d0c8ul, 0x1e376c085141ab53ul, 0x2748774cdf8eeb99ul,
	0x34b0bcb5e19b48a8ul, 0x391c0cb3c5c95a63ul, 0x4ed8aa4ae3418acbul,
	0x5b9cca4f7763e373ul, 0x682e6ff3d6b2b8a3ul, 0x748f82ee5defb2fcul,
	0x78a5636f43172f60ul, 0x84c87814a1f0ab72ul, 0x8cc702081a6439ecul,
	0x90befffa23631e28ul, 0xa4506cebde82bde9ul, 0xbef9a3f7b2c67915ul,
	0xc67178f2e372532bul, 0xca273eceea26619cul, 0xd186b8c721c0c207ul,
	0xeada7dd6cde0eb1eul, 0xf57d4f7fee6ed178ul, 0x06f067aa72176fbaul,
	0x0a637dc5a2c898a6ul, 0x113f9804bef90daeul, 0x1b710b35131c471bul,
	0x28db77f523047d84ul, 0x32caab7b40c72493ul, 0x3c9ebe0a15c9bebcul,
	0x431d67c49c100d4cul, 0x4cc5d4becb3e42b6ul, 0x597f299cfc657e2aul,
	0x5fcb6fab3ad6faecul, 0x6c44198c4a475817ul,
};

#define ROTATE_LONG(x, n)	(((x) >> (n)) | ((x) << (64 - (n))))

INLINE ulong sha512_word(const __private uint *words, const int i)
{
	return (ulong)words[2 * i] << 32 | words[2 * i + 1];
}

/* As sha256_next() */
INLINE ulong sha512_next(const __private ulong *w, const int i)
{
	const ulong x = w[(i + 1) % 16], y = w[(i + 14) % 16];

	return w[i] + w[(i + 9) % 16] +
		(ROTATE_LONG(x, 1) ^ ROTATE_LONG(x, 8) ^ (x >> 7)) +
		(ROTATE_LONG(y, 19) ^ ROTATE_LONG(y, 61) ^ (y >> 6));
}

/* Adds the block @block of 32 words to the state @h of 16 */
INLINE void sha512_compress(__private uint *h, const __private uint *block)
{
	ulong s[8], w[16];

#pragma unroll
	for (int i = 0; i < 8; i++)
		s[i] = sha512_word(h, i);
#pragma unroll
	for (int i = 0; i < 16; i++)
		w[i] = sha512_word(block, i);
	/* As in sha256_compress() */
#pragma unroll 1
	for (int t = 0; ; t += 16) {
#pragma unroll
		for (int i = 0; i < 16; i++) {
			const ulong a = s[(16 - i) % 8], b = s[(17 - i) % 8], c = s[(18 - i) % 8];
			const ulong e = s[(20 - i) % 8], f = s[(21 - i) % 8], g = s[(22 - i) % 8];
			const ulong sum = s[(23 - i) % 8] + sha512_k[t + i] + w[i] +
				(ROTATE_LONG(e, 14) ^ ROTATE_LONG(e, 18) ^ ROTATE_LONG(e, 41)) +
				BLEND(f, g, e);

			s[(19 - i) % 8] += sum;
			s[(23 - i) % 8] = sum + BLEND(c, b, a ^ b) +
				(ROTATE_LONG(a, 28) ^ ROTATE_LONG(a, 34) ^ ROTATE_LONG(a, 39));
		}
		if (t == 64)
			break;
#pragma unroll
		for (int i = 0; i < 16; i++)
			w[i] = sha512_next(w, i);
	}
#pragma unroll
	for (int i = 0; i < 8; i++) {
		const ulong sum = sha512_word(h, i) + s[i];

		h[2 * i] = sum >> 32;
		h[2 * i + 1] = (uint)sum;
	}
}
