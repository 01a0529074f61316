/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bins: packets that can be worked on side by side wait together.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_SCHED_BINS_H
#define WAVECRYPT_SCHED_BINS_H

#include "backends/backend.h"
#include "lib/bitmap.h"

/**
 * enum sched_level - how much packets are sorted; each does what the one before
 * does, and more
 * @SCHED_NONE: not at all: as they arrive
 * @SCHED_ALGORITHM: one bin for each algorithm, direction and key size
 * @SCHED_LENGTH: and by length within, longest first
 * @SCHED_ALL: what takes longest goes first, and what does not fill a batch
 *	waits for company
 */
enum sched_level {
	SCHED_NONE,
	SCHED_ALGORITHM,
	SCHED_LENGTH,
	SCHED_ALL,
};

/** SCHED_RANGE_MIN - finest range of lengths */
#define SCHED_RANGE_MIN	16u

/** SCHED_RANGE_MAX - coarsest: all packets are equally long */
#define SCHED_RANGE_MAX	65536u

/**
 * struct sched_config - how to sort
 * @level: how much
 * @range: packets of the same multiple of so many bytes count as equally long;
 *	a power of two
 * @age: picks after which a leftover goes, full batch or not; one more for each
 *	kind that waits, from the third on
 */
struct sched_config {
	enum sched_level level;
	uint32_t range;
	uint32_t age;
};

/**
 * struct bin - packets of one kind, in order of arrival
 * @nr: how many
 * @head: where the oldest is
 * @age: how often another bin was preferred since this one was last picked
 * @grain: the lanes like multiples of this
 * @longest: longest payload since it was last empty
 * @bytes: sum of the payloads
 * @ring: the packets
 */
struct bin {
	uint32_t nr;
	uint32_t head;
	uint32_t age;
	uint32_t grain;
	uint32_t longest;
	uint64_t bytes;
	struct packet **ring;
};

/**
 * struct bins - all bins of a worker
 * @config: how to sort
 * @shift: log2 of &sched_config.range
 * @mask: size of a bin's ring, less one
 * @nr: packets in all of them
 * @used: the bins that are not empty
 * @map: bin of each kind
 * @bin: the bins
 * @store: memory of the rings
 */
struct bins {
	struct sched_config config;
	uint32_t shift;
	uint32_t mask;
	uint32_t nr;
	uint64_t used[BITMAP_WORDS(ALG_KINDS)];
	uint8_t map[ALG_KINDS];
	struct bin bin[ALG_KINDS];
	struct packet **store;
};

_Static_assert(ALG_KINDS <= UINT8_MAX + 1, "bins.map is of bytes");

/** bins_for_each - the number of each bin that is not empty */
#define bins_for_each(i, b)	bitmap_for_each(i, (b)->used, ALG_KINDS)

/** bins_used - how many bins are not empty */
static inline unsigned int bins_used(const struct bins *b)
{
	return bitmap_weight(b->used, ALG_KINDS);
}

/**
 * bins_init - empty bins
 * @b: the bins
 * @lanes: device that bins_pick() is for
 * @config: how to sort; copied
 * @room: most packets at a time
 *
 * Return: false: no memory.
 */
bool bins_init(struct bins *b, const struct device *lanes,
	       const struct sched_config *config, uint32_t room);

/** bins_exit - free them */
void bins_exit(struct bins *b);

/** bins_add - sort a packet in; the caller keeps to the room that there is */
static inline void bins_add(struct bins *b, struct packet *p)
{
	unsigned int i = b->map[alg_kind(p->alg, p->op, p->key_len)];
	struct bin *bin = &b->bin[i];

	bin->ring[(bin->head + bin->nr++) & b->mask] = p;
	bin->bytes += p->len;
	if (p->len > bin->longest)
		bin->longest = p->len;
	bitmap_set(b->used, i);
	b->nr++;
}

/**
 * bins_take - take the oldest packets out of a bin
 * @b: the bins
 * @bin: the bin
 * @to: where to put them
 * @nr: how many; the bin has them
 */
void bins_take(struct bins *b, struct bin *bin, struct packet **to,
	       uint32_t nr);

/**
 * bins_sort - longest first, as far as ranges of lengths tell them apart
 * @b: the bins that they came from
 * @packets: the packets; sorted
 * @room: memory for as many
 * @nr: how many
 */
void bins_sort(const struct bins *b, struct packet **packets,
	       struct packet **room, uint32_t nr);

/**
 * bins_pick - choose what the lanes do next
 * @b: the bins
 * @chunk: where to put it, as one part
 * @max: most packets to take, at most CHUNK_MAX
 * @more: more packets are waiting outside, so that leftovers may wait for them
 *
 * A bin that fills whole batches goes before one that does not, the fullest
 * first. What is left over waits for company, unless there is nothing better
 * to do or it has waited for too many picks.
 *
 * Return: false if there is nothing that should be done now.
 */
bool bins_pick(struct bins *b, struct chunk *chunk, uint32_t max, bool more);

/** sched_level_name - "none", "algorithm", "algorithm+length", "all" */
extern const char *const sched_level_name[SCHED_ALL + 1];

#endif
