// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_test: randomness that a seed repeats
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/string.h>

#include "test.h"

/**
 * test_rand_seed - begin a stream
 * @rand: the stream
 * @seed: of the run
 * @stream: which stream of it
 * @number: which part of that; each part can be had without the others
 */
void test_rand_seed(struct test_rand *rand, u64 seed, u64 stream, u64 number)
{
	rand->state = seed;
	rand->state = test_rand_next(rand) ^ stream;
	rand->state = test_rand_next(rand) ^ number;
	test_rand_next(rand);
}

/** test_rand_next - 64 random bits */
u64 test_rand_next(struct test_rand *rand)
{
	u64 z = (rand->state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/** test_below - a random number below a limit that is not 0 */
u32 test_below(struct test_rand *rand, u32 limit)
{
	return ((test_rand_next(rand) >> 32) * limit) >> 32;
}

/** test_between - a random number between two, both included */
u32 test_between(struct test_rand *rand, u32 least, u32 most)
{
	return least + test_below(rand, most - least + 1);
}

/** test_once_in - true once in so many times */
bool test_once_in(struct test_rand *rand, u32 times)
{
	return !test_below(rand, times);
}

/** test_rand_bytes - so many random bytes */
void test_rand_bytes(struct test_rand *rand, void *to, size_t len)
{
	u64 bits;

	for (; len >= sizeof(bits); to += sizeof(bits), len -= sizeof(bits)) {
		bits = test_rand_next(rand);
		memcpy(to, &bits, sizeof(bits));
	}
	bits = test_rand_next(rand);
	memcpy(to, &bits, len);
}
