/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A chunk: what a backend is handed in one go.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_CHUNK_H
#define WAVECRYPT_BACKENDS_CHUNK_H

#include "channel/alg.h"
#include "channel/packet.h"
#include "lib/prefetch.h"

/**
 * struct part - packets of one kind, to be worked on side by side
 * @first: its first packet, an index into &chunk.packets
 * @nr: how many; not more than the backend's grain, where the backend is a
 *	device
 * @longest: payload of the longest of them
 * @weight: how long it takes, compared with other parts
 * @alg: &enum wavecrypt_alg of all of them
 * @op: &enum wavecrypt_op of all of them
 * @key_len: bytes of the cipher's key of all of them
 */
struct part {
	uint32_t first;
	uint16_t nr;
	uint16_t longest;
	uint32_t weight;
	uint8_t alg;
	uint8_t op;
	uint8_t key_len;
};

_Static_assert((typeof(((struct part *)0)->longest))PACKET_MAX_LEN == PACKET_MAX_LEN,
	       "no packet is longer than a part can say");

/**
 * struct load - how much of one kind is in a chunk
 * @nr: packets
 * @bytes: sum of their payloads
 */
struct load {
	uint32_t nr;
	uint64_t bytes;
};

/**
 * struct chunk - packets for a backend to work on
 * @nr: how many
 * @max: how many there is room for
 * @nr_parts: number of parts; every packet is in one
 * @bytes: sum of the payloads
 * @longest: the longest of them
 * @failed: set by the backend when it gives the chunk back undone
 * @untouched: likewise, and every payload is still as it was
 * @runs: set by a backend that copies: how many runs of neighbouring slots it
 *	copied as they are
 * @packed: likewise: packets that lay in none, and were collected one by one
 * @load: what is in it, by kind; for a device
 * @submitted: when it was, in ns; for a device
 * @expected: when it was expected back, in ns
 * @arrived: packets that its worker had ever taken then
 * @parts: the parts
 * @packets: the packets. Each one's @status is %WAVECRYPT_STATUS_OK; the
 *	backend changes it if it is not.
 */
struct chunk {
	uint32_t nr;
	uint32_t max;
	uint32_t nr_parts;
	uint64_t bytes;
	uint32_t longest;
	bool failed;
	bool untouched;
	uint32_t runs;
	uint32_t packed;
	struct load load[ALG_KINDS];
	double submitted;
	double expected;
	uint64_t arrived;
	struct part *parts;
	struct packet **packets;
};

/** chunk_alloc - a chunk with room for so many packets; NULL: no memory */
struct chunk *chunk_alloc(uint32_t max);

/** chunk_free - free it; NULL is ignored */
void chunk_free(struct chunk *c);

/**
 * chunk_prefetch - have a packet come that is soon looked at
 * @c: the chunk
 * @i: the packet that is looked at now
 *
 * A device's chunk is larger than the nearest cache.
 */
static inline void chunk_prefetch(const struct chunk *c, uint32_t i)
{
	if (i + PREFETCH_AHEAD < c->nr)
		prefetch_write(c->packets[i + PREFETCH_AHEAD]);
}

/** chunk_prefetch_iv - likewise, and the initialisation vector of a nearer one */
static inline void chunk_prefetch_iv(const struct chunk *c, uint32_t i)
{
	chunk_prefetch(c, i);
	if (i + PREFETCH_AHEAD / 2 < c->nr)
		prefetch(c->packets[i + PREFETCH_AHEAD / 2]->iv);
}

/** chunk_part - describe packets as the only part of a chunk */
static inline void chunk_part(struct chunk *c, uint32_t nr, uint32_t longest)
{
	const struct packet *p = c->packets[0];

	c->parts[0] = (struct part) {
		.nr = nr,
		.longest = longest,
		.alg = p->alg,
		.op = p->op,
		.key_len = p->key_len,
	};
	c->nr_parts = 1;
	c->nr = nr;
	c->longest = longest;
	c->failed = false;
	c->untouched = false;
}

#endif
