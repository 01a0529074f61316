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

/** bitmap_weight - how many below @nr are in */
static inline unsigned int bitmap_weight(const uint64_t *map, unsigned int nr)
{
	unsigned int weight = 0;

	for (unsigned int i = 0; i < BITMAP_WORDS(nr); i++)
		weight += __builtin_popcountll(map[i]);
	return weight;
}

/* The lowest below @nr from @i on that is in, or is not where @flip is all ones; or @nr */
static inline unsigned int bitmap_seek(const uint64_t *map, unsigned int nr,
				       unsigned int i, uint64_t flip)
{
	while (i < nr) {
		uint64_t left = (map[i / 64] ^ flip) >> i % 64;

		if (left) {
			i += __builtin_ctzll(left);
			return i < nr ? i : nr;
		}
		i = (i / 64 + 1) * 64;
	}
	return nr;
}

/** bitmap_next - the lowest that is in from @i on, or @nr */
static inline unsigned int bitmap_next(const uint64_t *map, unsigned int nr,
				       unsigned int i)
{
	return bitmap_seek(map, nr, i, 0);
}

/** bitmap_next_clear - the lowest that is not, or @nr */
static inline unsigned int bitmap_next_clear(const uint64_t *map, unsigned int nr,
					     unsigned int i)
{
	return bitmap_seek(map, nr, i, UINT64_MAX);
}

/** bitmap_for_each - each number below @nr that is in, lowest first */
#define bitmap_for_each(i, map, nr)					\
	for (unsigned int i = bitmap_next(map, nr, 0); i < (nr);	\
	     i = bitmap_next(map, nr, i + 1))

#endif
