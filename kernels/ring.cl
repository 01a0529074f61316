/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packets staged in local memory: of each packet that a work-group has in hand,
 * a ring with its last few tiles of payload, or before the first of those the
 * end of its AAD (chunk -1 is what lies right before the payload).
 *
 * Global memory is read and written by neighbouring lanes at neighbouring
 * addresses, whole tiles of one packet after another's; but a lane then wants
 * its own packet's chunk while its neighbours want theirs. Rings therefore start
 * turned, each by one chunk more, so that those lie in different banks.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
struct ring {
	__local uint4 *pool;
	int size;		/* chunks in each packet's ring: a power of two */
	__local uint2 *notes;	/* where each payload is, and its chunks */
};

INLINE __local uint4 *ring_chunk(const struct ring ring, uint packet, int chunk)
{
	return ring.pool + packet * ring.size + ((chunk ^ packet) & (ring.size - 1));
}

/* The word at an offset from the payload's start, in bytes, a multiple of 4 */
INLINE uint ring_word(const struct ring ring, int packet, int offset)
{
	return ((__local uint *)ring_chunk(ring, packet, offset >> 4))[offset >> 2 & 3];
}

INLINE void ring_load_aad(const struct ring ring, int index,
			  const __private struct work *work,
			  const __private struct packet *p)
{
	for (int c = -((p->aad_len + 15) >> 4); c < 0; c++)
		*ring_chunk(ring, index, c) = *chunk_at(work, p->data, c);
}

/*
 * Moving tiles between global memory and the rings: of @packets packets, by
 * @movers lanes. @lane is this one's number among these. It moves MOVES chunks in one
 * go, and where that is not all of them, goes again with another @from.
 */
struct mover {
	uint lane, movers, packets, from;
};

/* Part @i of this lane: which packet, and the chunk's place in the tile */
#define PART_PACKET(m, i)	(((m)->lane + ((m)->from + (i)) * (m)->movers) / TILE)
#define PART_PLACE(m, i)	(((m)->lane + ((m)->from + (i)) * (m)->movers) % TILE)

/* Leaves a note for those who move the packet's payload */
INLINE void ring_note(const struct ring ring, int index, const __private struct packet *p)
{
	ring.notes[index] = (uint2)(p->data, p->chunks);
}

/* Is there a chunk to move? */
INLINE bool ring_part(const struct ring ring, const __private struct mover *m, int i,
		      int tile)
{
	return PART_PACKET(m, i) < m->packets &&
		tile * TILE + PART_PLACE(m, i) < ring.notes[PART_PACKET(m, i)].y;
}

INLINE __global uint4 *ring_source(const struct ring ring, const __private struct mover *m,
				   const __private struct work *work, int i, int tile)
{
	return chunk_at(work, ring.notes[PART_PACKET(m, i)].x, tile * TILE + PART_PLACE(m, i));
}

INLINE __local uint4 *ring_place(const struct ring ring, const __private struct mover *m,
				 int i, int tile)
{
	return ring_chunk(ring, PART_PACKET(m, i), tile * TILE + PART_PLACE(m, i));
}

/* Reads tile @tile into registers */
INLINE void ring_read(const struct ring ring, const __private struct mover *m,
		      const __private struct work *work, int tile, __private uint4 *chunk)
{
#pragma unroll
	for (int i = 0; i < MOVES; i++)
		chunk[i] = ring_part(ring, m, i, tile) ?
			*ring_source(ring, m, work, i, tile) : 0;
}

/* Puts what was read there into the rings */
INLINE void ring_fill(const struct ring ring, const __private struct mover *m, int tile,
		      const __private uint4 *chunk)
{
#pragma unroll
	for (int i = 0; i < MOVES; i++)
		if (ring_part(ring, m, i, tile))
			*ring_place(ring, m, i, tile) = chunk[i];
}

/* Writes tile @tile of the rings back to where it came from */
INLINE void ring_write(const struct ring ring, const __private struct mover *m,
		       const __private struct work *work, int tile)
{
#pragma unroll
	for (int i = 0; i < MOVES; i++)
		if (ring_part(ring, m, i, tile))
			*ring_source(ring, m, work, i, tile) = *ring_place(ring, m, i, tile);
}
