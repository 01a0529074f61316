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
	__global uchar *icv;
	int lane;		/* this lane's number in the work-group */
	int count;
	int quads;		/* of the longest packet */
	int tiles;		/* likewise, one at least */
	int rounds;
};

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

/* Big-endian words to any address: a GCM payload ends where it ends */
INLINE void store_icv(const __private struct work *work,
		      const __private struct packet *p,
		      const __private uint *words, const int nr)
{
	const uint at = work->packets[p->index].icv;
	__global uchar *icv = work->icv + at;

	if (at % 4 == 0) {
#pragma unroll
		for (int i = 0; i < nr; i++)
			((__global uint *)icv)[i] = swap_bytes(words[i]);
	} else {
#pragma unroll
		for (int i = 0; i < 4 * nr; i++)
			icv[i] = words[i / 4] >> (24 - 8 * (i % 4));
	}
}
