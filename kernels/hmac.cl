/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * HMAC (RFC 2104) with SHA-1, SHA-256, SHA-384 or SHA-512 of AAD and payload, by
 * one lane, as the payload's tiles arrive in its ring. The states after the key
 * blocks come from the host. Which hash it is, is the group's.
 *
 * AAD and payload are one run of bytes, cut into blocks from the AAD's start; so
 * block i lies at its size times i, less aad_len, from the payload's start, and
 * with at most 64 bytes of AAD never reaches further back than one block before
 * the tile in which it ends. The run's end, that is an extended sequence number's
 * upper half and the padding, is in no ring. After the last of these blocks comes
 * one more: the outer hash.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
struct hmac {
	uint h[16];
	int inner;		/* blocks of the inner hash, -1: of no packet */
	int done;		/* blocks hashed */
};

/* Does it hash 128 bytes at a time, words being 64 bits? */
INLINE bool hmac_is_long(const __private struct work *work)
{
	return work->auth >= WAVECRYPT_GPU_SHA384;
}

/* How many blocks @bytes fill */
INLINE int hmac_blocks(const __private struct work *work, int bytes)
{
	return bytes >> (hmac_is_long(work) ? 7 : 6);
}

/* Words of the digest */
INLINE int hmac_words(const __private struct work *work)
{
	/* Afresh: what depends on it would take up registers meanwhile. */
	const int auth = uniform(afresh(work->auth));

	return auth == WAVECRYPT_GPU_SHA1 ? 5 : auth == WAVECRYPT_GPU_SHA256 ? 8 :
	       auth == WAVECRYPT_GPU_SHA384 ? 12 : 16;
}

/* Bytes of the run */
INLINE int hmac_run(const __private struct work *work, const __private struct packet *p)
{
	return p->aad_len + p->len + work->packets[p->index].seq_hi_len;
}

/* The state after the inner or the outer key block */
INLINE void hmac_load_state(__private struct hmac *hmac, const __private struct work *work,
			    const __private struct packet *p, const int outer)
{
	__global const uint4 *from = (__global const uint4 *)get_key(work, p)->hash + 4 * outer;

#pragma unroll
	for (int i = 0; i < 4; i++) {
		const uint4 x = from[i];

		hmac->h[4 * i] = x.x;
		hmac->h[4 * i + 1] = x.y;
		hmac->h[4 * i + 2] = x.z;
		hmac->h[4 * i + 3] = x.w;
	}
}

INLINE void hmac_init(__private struct hmac *hmac, const __private struct work *work,
		      const __private struct packet *p)
{
	const int padding = hmac_is_long(work) ? 16 : 8;

	hmac_load_state(hmac, work, p, 0);
	/* With the padding: a one bit, and the length */
	hmac->inner = p->len < 0 ? -1 : hmac_blocks(work, hmac_run(work, p) + padding) + 1;
	hmac->done = 0;
}

/* The block of @words words that starts at @at and lies inside AAD and payload */
INLINE void hmac_whole_block(const struct ring ring, int index, int at,
			     __private uint *w, const int words)
{
	const int shift = 8 * (at & 3);

	if (shift == 0) {
#pragma unroll
		for (int i = 0; i < words; i++)
			w[i] = swap_bytes(ring_word(ring, index, at + 4 * i));
	} else {
		uint next = ring_word(ring, index, at & ~3);
#pragma unroll
		for (int i = 0; i < words; i++) {
			const uint low = next;

			next = ring_word(ring, index, (at & ~3) + 4 * i + 4);
			w[i] = swap_bytes(low >> shift | next << (32 - shift));
		}
	}
}

/* What follows the payload, up to the one bit, from @behind bytes after its end on */
INLINE uint hmac_trailer(const __private struct work *work, const __private struct packet *p,
			 int behind)
{
	__global const struct wavecrypt_gpu_packet *desc = work->packets + p->index;
	const ulong one = 0x8000000000000000ul;
	const ulong all = desc->seq_hi_len ?
		(ulong)swap_bytes(desc->seq_hi) << 32 | one >> 32 : one;

	return behind >= 8 || behind <= -4 ? 0 :
	       behind < 4 ? (uint)(all >> (32 - 8 * behind)) : (uint)(all << (8 * behind - 32));
}

/* The block that starts at @at and goes past the payload's end */
INLINE void hmac_padded_block(const struct ring ring, int index, int at,
			      const __private struct work *work,
			      const __private struct packet *p, __private uint *w,
			      const int words)
{
	const int shift = 8 * (at & 3);
	const int end = hmac_run(work, p) - p->aad_len;

#pragma unroll
	for (int i = 0; i < words; i++) {
		const int here = at + 4 * i, left = p->len - here;
		uint low = 0, next = 0;

		if (left > 0)
			low = ring_word(ring, index, here & ~3) >> shift;
		if (shift != 0 && left > 4 - (at & 3))
			next = ring_word(ring, index, (here & ~3) + 4) << (32 - shift);
		w[i] = swap_bytes((low | next) & head_mask(left)) |
			hmac_trailer(work, p, -left);
	}
	/* The last block: there is room for the bit and the length. */
	if (at + 4 * words >= end + 1 + words / 2)
		w[words - 1] = 8 * (4 * words + p->aad_len + end);
}

/* The next block: the outer one, one that is padded, or a whole one */
INLINE void hmac_block(__private struct hmac *hmac, const struct ring ring, int index,
		       const __private struct work *work, const __private struct packet *p,
		       __private uint *w, const int words)
{
	const int at = 4 * words * hmac->done - p->aad_len;

	if (hmac->done == hmac->inner) {
		const int nr = hmac_words(work);

#pragma unroll
		for (int i = 0; i < words; i++)
			w[i] = i == words - 1 ? (uint)(8 * (4 * words + 4 * nr)) :
			       i < 16 && i < nr ? hmac->h[i % 16] : i == nr ? 0x80000000u : 0;
		hmac_load_state(hmac, work, p, 1);
	} else if (at + 4 * words > p->len) {
		hmac_padded_block(ring, index, at, work, p, w, words);
	} else {
		hmac_whole_block(ring, index, at, w, words);
	}
}

/* Hashes what tiles 0 to @tile bring to completion, and all if that is all */
INLINE void hmac_advance(__private struct hmac *hmac, const struct ring ring,
			 int index, const __private struct work *work,
			 const __private struct packet *p, int tile)
{
	const int have = 16 * ring.tile * (tile + 1);
	const int ready = have >= p->len ? hmac->inner + 1 :
			  hmac_blocks(work, p->aad_len + have);

	for (; hmac->done < ready; hmac->done++) {
		uint w[32];

		if (hmac_is_long(work)) {
			hmac_block(hmac, ring, index, work, p, w, 32);
			sha512_compress(hmac->h, w);
			continue;
		}
		hmac_block(hmac, ring, index, work, p, w, 16);
		if (work->auth == WAVECRYPT_GPU_SHA1)
			sha1_compress(hmac->h, w);
		else
			sha256_compress(hmac->h, w);
	}
}

INLINE void hmac_store(const __private struct hmac *hmac,
		       const __private struct work *work,
		       const __private struct packet *p)
{
	if (p->len >= 0)
		store_icv(work, p, hmac->h, 16, hmac_words(work));
}

/* All of it, of packets as they lie in memory: a lane for each, @HASHED at a time */
INLINE void hmac_packets(const __private struct work *work, __local uint4 *pool)
{
	const struct ring ring = {
		pool, 2 * HASH_TILE, HASH_TILE, (__local uint2 *)(pool + HASHED * 2 * HASH_TILE)
	};
	const int lane = work->lane;

#pragma unroll 1
	for (int first = 0; first < work->count; first += HASHED) {
		const int left = work->count - first, packets = left < HASHED ? left : HASHED;
		const struct packet p = get_packet(work, lane < packets ? first + lane : work->count);
		struct hmac hmac;

		group_barrier();
		hmac_init(&hmac, work, &p);
		if (p.len >= 0) {
			ring_note(ring, lane, &p);
			ring_load_aad(ring, lane, work, &p);
		}
#pragma unroll 1
		for (int tile = 0; tile < tiles_of(work, HASH_TILE); tile++) {
			group_barrier();
			ring_turn(ring, work, lane, LANES, packets, tile, -1);
			group_barrier();
			hmac_advance(&hmac, ring, lane, work, &p, tile);
		}
		hmac_store(&hmac, work, &p);
	}
}
