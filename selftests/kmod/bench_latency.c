// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: how long packets took that came now and then
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sort.h>

#include "bench.h"

/* more than any slice holds of what is worth a percentile */
#define LATENCIES	262144

/**
 * bench_latency_make - make room
 * @latency: where
 *
 * Return: 0 or -ENOMEM.
 */
int bench_latency_make(struct bench_latency *latency)
{
	latency->took = kvmalloc_array(LATENCIES, sizeof(*latency->took), GFP_KERNEL);
	return latency->took ? 0 : -ENOMEM;
}

/** bench_latency_free - also of what was never made */
void bench_latency_free(struct bench_latency *latency)
{
	kvfree(latency->took);
}

/** bench_latency_begin - forget what was noted */
void bench_latency_begin(struct bench_latency *latency)
{
	latency->nr = 0;
}

/**
 * bench_latency_note - a packet is done
 * @latency: where to note it, if there is room at all
 * @arrival: when it was due, in cycles
 */
void bench_latency_note(struct bench_latency *latency, u64 arrival)
{
	if (latency->took && latency->nr < LATENCIES)
		latency->took[latency->nr++] = bench_cycles() - arrival;
}

static int earlier(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/** bench_latency_print - what was noted, if anything */
void bench_latency_print(struct bench_latency *latency, struct bench_output *out)
{
	u32 i, nr = latency->nr;
	u64 sum = 0;

	if (!nr)
		return;
	sort(latency->took, nr, sizeof(*latency->took), earlier, NULL);
	for (i = 0; i < nr; i++)
		sum += latency->took[i];
	bench_print_time(out, "mean", sum / nr);
	bench_print_time(out, "p50", latency->took[nr / 2]);
	bench_print_time(out, "p99", latency->took[nr - 1 - nr / 100]);
	bench_print_time(out, "p999", latency->took[nr - 1 - nr / 1000]);
	bench_print_time(out, "max", latency->took[nr - 1]);
}
