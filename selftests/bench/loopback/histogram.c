// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "histogram.h"

void histogram_merge(struct histogram *to, const struct histogram *from)
{
	to->nr += from->nr;
	to->sum += from->sum;
	if (from->max > to->max)
		to->max = from->max;
	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++)
		to->count[i] += from->count[i];
}

uint64_t histogram_value(uint32_t bucket)
{
	uint32_t shift = bucket >> HISTOGRAM_BITS;

	if (shift <= 1)
		return bucket;
	shift--;
	return (uint64_t)(bucket - (shift << HISTOGRAM_BITS)) << shift;
}

uint64_t histogram_quantile(const struct histogram *h, double q)
{
	uint64_t want = q * h->nr, seen = 0;

	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		uint64_t top = histogram_value(i + 1) - 1;

		seen += h->count[i];
		if (seen && seen >= want)
			return top < h->max ? top : h->max;
	}
	return h->max;
}
