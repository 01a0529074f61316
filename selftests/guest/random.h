/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random bytes that are the same in every run, and in every process that
 * starts from the same seed.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _GUEST_RANDOM_H
#define _GUEST_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/** random_next - the next number of a sequence (splitmix64) */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/** random_below - a number from 0 to @limit - 1 */
static inline size_t random_below(uint64_t *state, size_t limit)
{
	return random_next(state) % limit;
}

/** random_fill - random bytes */
static inline void random_fill(uint64_t *state, void *buf, size_t len)
{
	uint8_t *to = buf;
	uint64_t word = 0;
	size_t i;

	for (i = 0; i < len; i++, word >>= 8) {
		if (i % 8 == 0)
			word = random_next(state);
		to[i] = word;
	}
}

#endif /* _GUEST_RANDOM_H */
