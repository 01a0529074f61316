/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sets of small numbers.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BITMAP_H
#define WAVECRYPT_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

/** BITMAP_WORDS - words of a set of numbers below @nr */
#define BITMAP_WORDS(nr)	(((nr) + 63) / 64)

/** bitmap_set - put a number in */
static inline void bitmap_set(uint64_t *map, unsigned int i)
{
	map[i / 64] |= UINT64_C(1) << i % 64;
}

/** bitmap_clear - take it out */
static inline void bitmap_clear(uint64_t *map, unsigned int i)
{
	map[i / 64] &= ~(UINT64_C(1) << i % 64);
}

/** bitmap_test - is it in? */
static inline bool bitmap_test(const uint64_t *map, unsigned int i)
{
	return map[i / 64] >> i % 64 & 1;
}

/** bitmap_weight - how many below @nr are in */
static inline unsigned int bitmap_weight(const uint64_t *map, unsigned int nr)
{
	unsigned int weight = 0;

	for (unsigned int i = 0; i < BITMAP_WORDS(nr); i++)
		weight += __builtin_popcountll(map[i]);
	return weight;
}

/** bitmap_next - the lowest that is in from @i on, or @nr */
static inline unsigned int bitmap_next(const uint64_t *map, unsigned int nr,
				       unsigned int i)
{
	while (i < nr) {
		uint64_t left = map[i / 64] >> i % 64;

		if (left)
			return i + __builtin_ctzll(left);
		i = (i / 64 + 1) * 64;
	}
	return nr;
}

/** bitmap_for_each - each number below @nr that is in, lowest first */
#define bitmap_for_each(i, map, nr)					\
	for (unsigned int i = bitmap_next(map, nr, 0); i < (nr);	\
	     i = bitmap_next(map, nr, i + 1))

#endif
