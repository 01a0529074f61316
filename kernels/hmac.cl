/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * HMAC-SHA-1 (RFC 2104) of AAD and payload, by one lane, as the payload's tiles
 * arrive in its ring. The states after the key blocks come from the host.
 *
 * AAD and payload are one run of bytes, cut into blocks of 64 from the AAD's
 * start; so block i lies at 64 * i - aad_len from the payload's start, and with
 * at most 64 bytes of AAD never reaches further back than one block before the
 * tile in which it ends. After the last of these blocks, padded, comes one more:
 * the outer hash.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
struct hmac {
	uint h[5];
	int done;		/* blocks hashed */
};

INLINE void hmac_init(__private struct hmac *hmac, const __private struct work *work,
		      const __private struct packet *p)
{
#pragma unroll
	for (int i = 0; i < 5; i++)
		hmac->h[i] = get_key(work, p)->hash[i];
	hmac->done = 0;
}

/* Blocks of AAD and payload, with the padding: a one bit and 64 of length */
INLINE int hmac_inner_blocks(const __private struct packet *p)
{
	return (p->aad_len + p->len + 8) / 64 + 1;
}

/* The block that starts at @at and lies inside the run */
INLINE void hmac_whole_block(const struct ring ring, int index, int at,
			     __private uint *w)
{
	const int shift = 8 * (at & 3);

	if (shift == 0) {
#pragma unroll
		for (int i = 0; i < 16; i++)
			w[i] = swap_bytes(ring_word(ring, index, at + 4 * i));
	} else {
		uint next = ring_word(ring, index, at & ~3);
#pragma unroll
		for (int i = 0; i < 16; i++) {
			const uint low = next;

			next = ring_word(ring, index, (at & ~3) + 4 * i + 4);
			w[i] = swap_bytes(low >> shift | next << (32 - shift));
		}
	}
}

/* The block that starts at @at and goes past the run's end */
INLINE void hmac_padded_block(const struct ring ring, int index, int at,
			      const __private struct packet *p, __private uint *w)
{
	const int shift = 8 * (at & 3);
	const int end = p->len;

#pragma unroll
	for (int i = 0; i < 16; i++) {
		const int here = at + 4 * i, left = end - here;
		uint low = 0, next = 0;

		if (left > 0)
			low = ring_word(ring, index, here & ~3) >> shift;
		if (shift != 0 && left > 4 - (at & 3))
			next = ring_word(ring, index, (here & ~3) + 4) << (32 - shift);
		w[i] = swap_bytes(low | next);
		/* The run's last bytes, if any, and the bit after them */
		if (left >= 0 && left < 4)
			w[i] = (w[i] & ~(0xffffffffu >> (8 * left))) |
				0x80000000u >> (8 * left);
	}
	/* The last block: there is room for the bit and the length. */
	if (at + 64 >= end + 9) {
		w[14] = 0;
		w[15] = 8 * (64 + p->aad_len + p->len);
	}
}

/* Hashes what tiles 0 to @tile bring to completion, and all if that is all */
INLINE void hmac_advance(__private struct hmac *hmac, const struct ring ring,
			 int index, const __private struct work *work,
			 const __private struct packet *p, int tile)
{
	const int have = 16 * TILE * (tile + 1);
	const int inner = hmac_inner_blocks(p);
	const int ready = p->len < 0 ? 0 :
		have >= p->len ? inner + 1 : (p->aad_len + have) / 64;

	for (; hmac->done < ready; hmac->done++) {
		const int at = 64 * hmac->done - p->aad_len;
		uint w[16];

		if (hmac->done == inner) {
#pragma unroll
			for (int i = 0; i < 5; i++) {
				w[i] = hmac->h[i];
				hmac->h[i] = get_key(work, p)->hash[5 + i];
			}
			w[5] = 0x80000000u;
#pragma unroll
			for (int i = 6; i < 15; i++)
				w[i] = 0;
			w[15] = 8 * (64 + 20);
		} else if (at + 64 > p->len) {
			hmac_padded_block(ring, index, at, p, w);
		} else {
			hmac_whole_block(ring, index, at, w);
		}
		sha1_compress(hmac->h, w);
	}
}

INLINE void hmac_store(const __private struct hmac *hmac,
		       const __private struct work *work,
		       const __private struct packet *p)
{
	if (p->len >= 0)
		store_icv(work, p, hmac->h, 5);
}
