/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packets staged in local memory: of each packet that a work-group has in hand,
 * a ring with its last few tiles of payload, or before the first of those the
 * end of its AAD (quad -1 is what lies right before the payload).
 *
 * Global memory is read and written by neighbouring lanes at neighbouring
 * addresses, whole tiles of one packet after another's; but a lane then wants
 * its own packet's quad while its neighbours want theirs. Rings therefore start
 * turned, each by one quad more, so that those lie in different banks.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
struct ring {
	__local uint4 *pool;
	int size;		/* quads in each packet's ring: a power of two */
	int tile;		/* quads of it that are moved in one go */
	__local uint2 *notes;	/* where each payload is, and its quads */
};

INLINE __local uint4 *ring_quad(const struct ring ring, uint packet, int quad)
{
	return ring.pool + packet * ring.size + ((quad ^ packet) & (ring.size - 1));
}

/* The word at an offset from the payload's start, in bytes, a multiple of 4 */
INLINE uint ring_word(const struct ring ring, int packet, int offset)
{
	return ((__local uint *)ring_quad(ring, packet, offset >> 4))[offset >> 2 & 3];
}

INLINE void ring_load_aad(const struct ring ring, int index,
			  const __private struct work *work,
			  const __private struct packet *p)
{
	for (int c = -((p->aad_len + 15) >> 4); c < 0; c++)
		*ring_quad(ring, index, c) = *quad_at(work, p->data, c);
}

/* Leaves a note for those who move the packet's payload */
INLINE void ring_note(const struct ring ring, int index, const __private struct packet *p)
{
	ring.notes[index] = (uint2)(p->data, p->quads);
}

/*
 * Part @part of a tile of all packets is one quad of one of them. Neighbouring
 * parts are neighbouring quads.
 */
INLINE bool ring_has(const struct ring ring, uint packets, int tile, uint part)
{
	return tile >= 0 && part < packets * ring.tile &&
		tile * ring.tile + part % ring.tile < ring.notes[part / ring.tile].y;
}

INLINE __global uint4 *ring_source(const struct ring ring, const __private struct work *work,
				   int tile, uint part)
{
	return quad_at(work, ring.notes[part / ring.tile].x,
		       tile * ring.tile + part % ring.tile);
}

INLINE __local uint4 *ring_place(const struct ring ring, int tile, uint part)
{
	return ring_quad(ring, part / ring.tile, tile * ring.tile + part % ring.tile);
}

/*
 * Fetches tile @in of @packets packets and writes tile @out of them back, by
 * @movers lanes, of which this is number @lane. There need not be such tiles.
 */
INLINE void ring_turn(const struct ring ring, const __private struct work *work,
		      uint lane, uint movers, uint packets, int in, int out)
{
#pragma unroll 1
	for (uint first = lane; first < packets * ring.tile; first += MOVES * movers) {
		uint4 fetched[MOVES];

#pragma unroll
		for (int i = 0; i < MOVES; i++)
			fetched[i] = ring_has(ring, packets, in, first + i * movers) ?
				*ring_source(ring, work, in, first + i * movers) : (uint4)(0);
#pragma unroll
		for (int i = 0; i < MOVES; i++)
			if (ring_has(ring, packets, out, first + i * movers))
				*ring_source(ring, work, out, first + i * movers) =
					*ring_place(ring, out, first + i * movers);
#pragma unroll
		for (int i = 0; i < MOVES; i++)
			if (ring_has(ring, packets, in, first + i * movers))
				*ring_place(ring, in, first + i * movers) = fetched[i];
	}
}
