/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A queue's slots: how large they are, how many there are of each size, and in which
 * order they are used. That is the module's own affair: a helper finds them in its
 * descriptors. It is apart from the module for whoever plays it (the helper's loopback),
 * so that what is measured there has the same slots in the same order.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_SLOTS_H
#define WAVECRYPT_SLOTS_H

#include "wavecrypt.h"

/** enum wavecrypt_slots - which packets there are many of */
enum wavecrypt_slots {
	/** @WAVECRYPT_SLOTS_ETHERNET: those of an MTU of 1500 bytes, and short ones */
	WAVECRYPT_SLOTS_ETHERNET,
	/** @WAVECRYPT_SLOTS_JUMBO: larger ones, too */
	WAVECRYPT_SLOTS_JUMBO,
	WAVECRYPT_SLOTS,
};

/** WAVECRYPT_SLOTS_SHARES - of how many slots shares are told */
#define WAVECRYPT_SLOTS_SHARES	16

/** WAVECRYPT_SLOTS_CLASSES - sizes of slots */
#define WAVECRYPT_SLOTS_CLASSES	3

/*
 * Sizes, and how many of every 16 slots have each, by &enum wavecrypt_slots. Most
 * packets fill the MTU or are nearly empty.
 *
 * The payload that ESP makes of 1500 bytes has at most
 *   1472	if they are what is sent: less IPv4's header, 20, and ESP's, 8. (That is
 *		CBC without an ICV, encrypting, whose IV is payload. IPv6, UDP around
 *		it, an ICV, or an IV among the AAD leave less.)
 *   1520	if they are what goes into a tunnel, and the networks between its ends
 *		take more, or fragments: trailer, 2, to whole blocks of CBC's, and IV, 16
 *   1536	if there are GRE with a key, or L2TP, around them: up to 18 more
 *
 * No size is a multiple of 512: of 16 packets that follow each other, which lanes read
 * side by side, lines that are as far from the beginning are then in 16 different sets
 * of the nearest cache, in which every 4096 bytes come round to the same. Powers of two
 * put them into two sets, and look like stores that loads have to wait for.
 */
static const struct {
	__u32 size;
	__u32 share[WAVECRYPT_SLOTS];
} wavecrypt_sizes[WAVECRYPT_SLOTS_CLASSES] = {
	{ 512 + WAVECRYPT_LINE, { 6, 4 } },
	{ WAVECRYPT_HEADROOM + 1536 + WAVECRYPT_TAILROOM, { 8, 4 } },
	{ WAVECRYPT_HEADROOM + WAVECRYPT_MAX_LEN + WAVECRYPT_TAILROOM +
	  WAVECRYPT_LINE, { 2, 8 } },
};

/** wavecrypt_slots_nr - how many slots of a queue are of a class */
static inline __u32 wavecrypt_slots_nr(unsigned int class, __u32 entries,
				       enum wavecrypt_slots slots)
{
	return entries * wavecrypt_sizes[class].share[slots] /
	       WAVECRYPT_SLOTS_SHARES;
}

/** wavecrypt_slots_bytes - what all slots of a queue take */
static inline __u64 wavecrypt_slots_bytes(__u32 entries, enum wavecrypt_slots slots)
{
	__u64 bytes = 0;
	unsigned int i;

	for (i = 0; i < WAVECRYPT_SLOTS_CLASSES; i++)
		bytes += (__u64)wavecrypt_sizes[i].size *
			 wavecrypt_slots_nr(i, entries, slots);
	return bytes;
}

/**
 * wavecrypt_slots_stride - from one queue's slots to the next one's
 * @entries: how many slots a queue has
 * @slots: which packets there are many of
 * @page: size of a page, with which each queue's begin
 */
static inline __u64 wavecrypt_slots_stride(__u32 entries, enum wavecrypt_slots slots,
					   __u32 page)
{
	return (wavecrypt_slots_bytes(entries, slots) + page - 1) & ~(page - 1ULL);
}

/**
 * wavecrypt_slots_most - the most slots that each of so many queues can have
 * @queues: how many queues
 * @slots: which packets there are many of
 * @page: size of a page
 *
 * &wavecrypt_desc.data has 32 bits.
 *
 * Return: a power of two; less than %WAVECRYPT_SLOTS_SHARES: not even so many.
 */
static inline __u32 wavecrypt_slots_most(__u32 queues, enum wavecrypt_slots slots,
					 __u32 page)
{
	__u32 entries = WAVECRYPT_MAX_ENTRIES;

	while (queues * wavecrypt_slots_stride(entries, slots, page) > ~(__u32)0)
		entries /= 2;
	return entries;
}

/**
 * struct wavecrypt_class - the free slots of one size
 * @capacity: bytes of payload that fit
 * @first: index of the first slot; the others follow
 * @size: how many slots there are
 * @nr: how many are free
 * @next: the one that is used next, counted from @first, if any is free
 * @free: those that are free, a bit each
 */
struct wavecrypt_class {
	__u32 capacity;
	__u32 first;
	__u32 size;
	__u32 nr;
	__u32 next;
	__u64 *free;
};

/** WAVECRYPT_CLASS_WORDS - words of a bitmap of so many slots */
#define WAVECRYPT_CLASS_WORDS(size)	(((size) + 63) / 64)

/**
 * wavecrypt_class_find - the smallest slots of which one is free and fits
 * @class: classes, by size
 * @nr: how many
 * @len: bytes of payload
 *
 * Return: their class, or NULL.
 */
static inline struct wavecrypt_class *
wavecrypt_class_find(struct wavecrypt_class *class, unsigned int nr, __u32 len)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (class[i].nr && len <= class[i].capacity)
			return &class[i];
	return NULL;
}

/* They are used round and round in the order of their indices, in which they lie, and those
 * that are not free are passed over. Packets that follow each other then lie side by side,
 * in whatever order those before them came back: a device copies them in one go.
 */
static inline __u32 wavecrypt_class_next(const struct wavecrypt_class *class)
{
	return class->first + class->next;
}

static inline __u32 wavecrypt_class_take(struct wavecrypt_class *class)
{
	__u32 taken = class->next, word = taken / 64;
	__u64 behind;

	class->free[word] &= ~(1ULL << taken % 64);
	if (--class->nr) {
		behind = class->free[word] & ~0ULL << taken % 64;
		while (!behind) {
			if (++word == WAVECRYPT_CLASS_WORDS(class->size))
				word = 0;
			behind = class->free[word];
		}
		class->next = word * 64 + __builtin_ctzll(behind);
	}
	return class->first + taken;
}

static inline void wavecrypt_class_return(struct wavecrypt_class *class, __u32 index)
{
	__u32 at = index - class->first;

	class->free[at / 64] |= 1ULL << at % 64;
	if (!class->nr++)
		class->next = at;
}

#endif
