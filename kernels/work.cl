/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A work-group's work and one packet of it, as the functions here pass them on.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
struct work {
	__global const struct wavecrypt_gpu_packet *packets;	/* the group's */
	__global const struct wavecrypt_gpu_key *keys;
	__global uchar *data;
	int lane;		/* this lane's number in the work-group */
	int count;
	int quads;		/* of the longest packet */
	int rounds;
	int auth;
};

/* Of so many quads, that the longest packet has; one at least */
INLINE int tiles_of(const __private struct work *work, const int tile)
{
	return work->quads > tile ? (work->quads + tile - 1) / tile : 1;
}

/* What a lane keeps at hand; registers are short. The rest is read when needed. */
struct packet {
	uint index;
	uint data;
	int len;		/* -1: there is no such packet */
	int quads;		/* of payload: of four words each, the last perhaps partial */
	int aad_len;
};

/*
 * Packet @index of the group. A lane without a packet gets an empty one that
 * is good for reading keys, but for nothing else.
 */
INLINE struct packet get_packet(const __private struct work *work, int index)
{
	const bool there = index < work->count;
	__global const struct wavecrypt_gpu_packet *desc;
	struct packet p;

	p.index = there ? index : 0;
	desc = work->packets + p.index;
	p.data = desc->data;
	p.len = there ? desc->len : -1;
	p.quads = (p.len + 15) >> 4;
	p.aad_len = there ? desc->aad_len : 0;
	return p;
}

/*
 * Where quad @c of a payload at @data is. The sum is one of 32 bits, so that an
 * address is a base in scalar registers and one register of each lane.
 */
INLINE __global uint4 *quad_at(const __private struct work *work, uint data, int c)
{
	return (__global uint4 *)(work->data + (data + 16u * c));
}

INLINE __global const struct wavecrypt_gpu_key *get_key(const __private struct work *work,
							const __private struct packet *p)
{
	return work->keys + work->packets[p->index].key;
}

INLINE uint4 get_iv(const __private struct work *work, const __private struct packet *p)
{
	return *(__global const uint4 *)work->packets[p->index].iv;
}

/* Right behind the payload, which ends where it ends: @nr big-endian words of @most */
INLINE void store_icv(const __private struct work *work,
		      const __private struct packet *p,
		      const __private uint *words, const int most, int nr)
{
	const uint at = p->data + p->len;
	__global uchar *icv = work->data + at;

	if (at % 4 == 0) {
#pragma unroll
		for (int i = 0; i < most; i++)
			if (i < nr)
				((__global uint *)icv)[i] = swap_bytes(words[i]);
	} else {
#pragma unroll
		for (int i = 0; i < 4 * most; i++)
			if (i / 4 < nr)
				icv[i] = words[i / 4] >> (24 - 8 * (i % 4));
	}
}

/* Ones for the first @len bytes of a word of memory */
INLINE uint head_mask(int len)
{
	return len >= 4 ? 0xffffffffu : len <= 0 ? 0 : (1u << (8 * len)) - 1;
}

/* The quad's first @len bytes, and zeros */
INLINE uint4 head(uint4 x, int len)
{
	return len >= 16 ? x : x & (uint4)(head_mask(len), head_mask(len - 4),
					   head_mask(len - 8), head_mask(len - 12));
}

/* Stores the quad's first @len bytes and leaves the others be */
INLINE void store_head(__global uint4 *to, uint4 x, int len)
{
	if (len >= 16) {
		*to = x;
	} else {
		const uint w[4] = { x.x, x.y, x.z, x.w };
#pragma unroll
		for (int i = 0; i < 15; i++)
			if (i < len)
				((__global uchar *)to)[i] = w[i / 4] >> (8 * (i % 4));
	}
}

/* Block @i of the AAD, which need not start at a multiple of anything */
INLINE uint4 aad_block(const __private struct work *work,
		       const __private struct packet *p, int i)
{
	const int at = 16 * i - p->aad_len, shift = 8 * (at & 3);
	__global const uint *word =
		(__global const uint *)(work->data + (p->data + (at & ~3)));
	uint w[4];

#pragma unroll
	for (int j = 0; j < 4; j++) {
		const int left = -at - 4 * j;

		w[j] = left > 0 ? word[j] >> shift : 0;
		if (shift != 0 && left > 4 - (at & 3))
			w[j] |= word[j + 1] << (32 - shift);
	}
	return head((uint4)(w[0], w[1], w[2], w[3]), -at);
}
