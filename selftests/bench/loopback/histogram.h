/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Latencies, counted in buckets that are at most 1/32 wide of what they hold.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BENCH_HISTOGRAM_H
#define WAVECRYPT_BENCH_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_BITS		5
#define HISTOGRAM_BUCKETS	((65 - HISTOGRAM_BITS) << HISTOGRAM_BITS)

/**
 * struct histogram - counts; any unit of time
 * @nr: values
 * @sum: their sum
 * @max: the largest
 * @count: how many in each bucket
 */
struct histogram {
	uint64_t nr;
	uint64_t sum;
	uint64_t max;
	uint64_t count[HISTOGRAM_BUCKETS];
};

/** histogram_bucket - where a value is counted */
static inline uint32_t histogram_bucket(uint64_t v)
{
	uint32_t shift;

	if (v < 1u << HISTOGRAM_BITS)
		return v;
	shift = 63 - __builtin_clzll(v) - HISTOGRAM_BITS;
	return (shift << HISTOGRAM_BITS) + (v >> shift);
}

/** histogram_add - count @nr times the same value */
static inline void histogram_add(struct histogram *h, uint64_t v, uint64_t nr)
{
	h->nr += nr;
	h->sum += v * nr;
	if (v > h->max)
		h->max = v;
	h->count[histogram_bucket(v)] += nr;
}

/** histogram_merge - add what another one counted */
void histogram_merge(struct histogram *to, const struct histogram *from);

/** histogram_value - least value of a bucket */
uint64_t histogram_value(uint32_t bucket);

/** histogram_quantile - a value that @q (0 to 1) of all do not exceed */
uint64_t histogram_quantile(const struct histogram *h, double q);

#endif
