/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Kernels that the host compiles, too: each work-item reads and writes its own.
 * in and out have WORDS words for each.
 */
#include "portable.clh"

#ifndef WORDS
#define WORDS 32
#endif

static inline uint rotl(uint x, uint n)
{
	return x << n | x >> (32 - n);
}

static inline uint swab(uint x)
{
	return (rotl(x, 8) & 0x00ff00ff) | (rotl(x, 24) & 0xff00ff00);
}

/* One block of SHA-1, from 16 words, big-endian */
KERNEL(64) void sha1(PTR(const uint) in, PTR(uint) out)
{
	uint g = GID(64), w[16], a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
	uint e = 0xc3d2e1f0, t;

	for (int i = 0; i < 16; i++)
		w[i] = swab(in[g * WORDS + i]);
#ifdef __AMDGCN__
#pragma unroll
#endif
	for (int i = 0; i < 80; i++) {
		uint f, k;

		if (i < 20) {
			f = (b & c) | (~b & d);
			k = 0x5a827999;
		} else if (i < 40) {
			f = b ^ c ^ d;
			k = 0x6ed9eba1;
		} else if (i < 60) {
			f = (b & c) | (b & d) | (c & d);
			k = 0x8f1bbcdc;
		} else {
			f = b ^ c ^ d;
			k = 0xca62c1d6;
		}
		if (i >= 16)
			w[i & 15] = rotl(w[(i + 13) & 15] ^ w[(i + 8) & 15] ^ w[(i + 2) & 15] ^
					 w[i & 15], 1);
		t = rotl(a, 5) + f + e + k + w[i & 15];
		e = d;
		d = c;
		c = rotl(b, 30);
		b = a;
		a = t;
	}
	out[g * WORDS] = 0x67452301 + a;
	out[g * WORDS + 1] = 0xefcdab89 + b;
	out[g * WORDS + 2] = 0x98badcfe + c;
	out[g * WORDS + 3] = 0x10325476 + d;
	out[g * WORDS + 4] = 0xc3d2e1f0 + e;
}

static inline uchar xtime(uchar x)
{
	return (uchar)(x << 1 ^ (x >> 7) * 0x1b);
}

/* The S-box by arithmetic: an inverse in GF(2^8), then the affine map */
static inline uchar gmul(uchar a, uchar b)
{
	uchar r = 0;

	for (int i = 0; i < 8; i++) {
		r ^= (uchar)(-(b & 1)) & a;
		a = xtime(a);
		b >>= 1;
	}
	return r;
}

static inline uchar sbox(uchar x)
{
	uchar x2 = gmul(x, x), x3 = gmul(x2, x), x12, x15, x240, inverse;

	x12 = gmul(gmul(x3, x3), gmul(x3, x3));
	x15 = gmul(x12, x3);
	x240 = gmul(x15, x15);
	x240 = gmul(x240, x240);
	x240 = gmul(x240, x240);
	x240 = gmul(x240, x240);
	inverse = gmul(gmul(x240, x12), x2);
	return (uchar)(inverse ^ (inverse << 1 | inverse >> 7) ^ (inverse << 2 | inverse >> 6) ^
		       (inverse << 3 | inverse >> 5) ^ (inverse << 4 | inverse >> 4) ^ 0x63);
}

/* AES-128 of one block with a key of its own: byte arithmetic, and bytes in memory */
KERNEL(64) void aes(PTR(const uint) in, PTR(uint) out)
{
	uint g = GID(64);
	PTR(const uchar) p = (PTR(const uchar))(in + g * WORDS);
	PTR(uchar) q = (PTR(uchar))(out + g * WORDS);
	uchar s[16], k[16], rcon = 1;

	for (int i = 0; i < 16; i++) {
		k[i] = p[i];
		s[i] = p[16 + i] ^ k[i];
	}
	for (int round = 1; round <= 10; round++) {
		uchar t[16];

		k[0] ^= sbox(k[13]) ^ rcon;
		k[1] ^= sbox(k[14]);
		k[2] ^= sbox(k[15]);
		k[3] ^= sbox(k[12]);
		rcon = xtime(rcon);
		for (int i = 4; i < 16; i++)
			k[i] ^= k[i - 4];
		for (int i = 0; i < 16; i++)
			t[i] = sbox(s[(i + 4 * (i % 4)) % 16]);
		for (int c = 0; c < 16; c += 4) {
			uchar all = t[c] ^ t[c + 1] ^ t[c + 2] ^ t[c + 3];

			for (int r = 0; r < 4; r++) {
				uchar m = t[c + r];

				if (round < 10)
					m ^= all ^ xtime(t[c + r] ^ t[c + (r + 1) % 4]);
				s[c + r] = m ^ k[c + r];
			}
		}
	}
	for (int i = 0; i < 16; i++)
		q[i] = s[i];
}

/* A product in GF(2^128) as GHASH has it, bit by bit */
KERNEL(64) void ghash(PTR(const uint) in, PTR(uint) out)
{
	uint g = GID(64) * WORDS;
	ulong h = (ulong)in[g] << 32 | in[g + 1], l = (ulong)in[g + 2] << 32 | in[g + 3];
	ulong zh = 0, zl = 0;

	for (int i = 0; i < 128; i++) {
		ulong bit = in[g + 4 + i / 32] >> (31 - i % 32) & 1, carry = l & 1;

		zh ^= h & -bit;
		zl ^= l & -bit;
		l = l >> 1 | h << 63;
		h = h >> 1 ^ (0xe1UL << 56 & -carry);
	}
	out[g] = (uint)(zh >> 32);
	out[g + 1] = (uint)zh;
	out[g + 2] = (uint)(zl >> 32);
	out[g + 3] = (uint)zl;
}

/* Whatever C can do with integers */
KERNEL(64) void mix(PTR(const uint) in, PTR(uint) out)
{
	uint g = GID(64) * WORDS, a = in[g], b = in[g + 1], n = 0;
	int x = (int)in[g + 2], y = (int)in[g + 3];
	ulong u = (ulong)in[g + 4] << 32 | in[g + 5], v = (ulong)in[g + 6] << 32 | in[g + 7];
	long s = (long)u, t = (long)v;
	ushort h = (ushort)in[g + 8], i = (ushort)in[g + 9];
	short j = (short)h, k = (short)i;
	uchar c = (uchar)in[g + 10], d = (uchar)in[g + 11];

	out[g + n++] = a / (b | 1);
	out[g + n++] = a % (b | 1);
	out[g + n++] = (uint)(x / (y | 1));
	out[g + n++] = (uint)(x % (y | 1));
	out[g + n++] = (uint)(u * v) ^ (uint)(u * v >> 32);
	out[g + n++] = (uint)((ulong)a * b >> 32);
	out[g + n++] = (uint)((ulong)((long)x * y) >> 32);
	out[g + n++] = (uint)(u << (a & 63)) + (uint)(u << (a & 63) >> 32);
	out[g + n++] = (uint)(u >> (b & 63)) + (uint)(u >> (b & 63) >> 32);
	out[g + n++] = (uint)((ulong)(s >> (b & 63)) >> 20);
	out[g + n++] = s < t ? 3 : u < v ? 5 : 7;
	out[g + n++] = x > y ? (uint)x : a > b ? a : b;
	out[g + n++] = (uint)(ushort)(h * i + h);
	out[g + n++] = (uint)(j > k ? j : k);
	out[g + n++] = (uint)(short)(j >> (i & 15)) + (ushort)(h << (i & 15));
	out[g + n++] = (uint)(uchar)(c * d) + (uint)(signed char)(c - d);
	out[g + n++] = a > b ? a - b : 0;
	out[g + n++] = (uint)(j < 0 ? -j : j) + (uint)(h > i ? h - i : 0);
	out[g + n++] = (a & b) | (~a & (uint)x);
	out[g + n++] = rotl(a, b & 31 ? b & 31 : 1);
	out[g + n++] = (a >> (b & 15) & 0xff) + ((uint)((int)(a << 7) >> 20));
	for (uint m = a; m; m &= m - 1)
		out[g + n] = m ^ n;
	out[g + n + (a == 0)] = a ? out[g + n] + 1 : 0;
	n++;
	/* A loop of a different length in each lane, with a branch inside */
	for (uint m = 0, z = a; m < b % 50; m++)
		out[g + n] = z = z & 1 ? 3 * z + 1 : z >> 1;
	if (b % 50 == 0)
		out[g + n] = 0;
	n++;
	out[g + n] = 0;
	for (uint m = 0; m < 16; m++)
		out[g + n] += in[g + (in[g + m] & 15)] * m;
}
