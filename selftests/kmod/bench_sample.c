// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: taking samples of two drivers in turn
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "bench.h"

/* more than any slice holds of what is worth a percentile */
#define LATENCIES	(1 << 18)
#define MOST_TRIES	8

struct measurement {
	const struct bench_spec *spec;
	struct bench_driver driver[BENCH_DRIVERS];
	struct bench_packets packets;
	u64 *latency;
};

static int sane(const struct bench_flow *flow)
{
	if (!flow->errors && !flow->misordered && !flow->misplaced)
		return 0;
	pr_err("%s: of %u requests %u failed, %u came out of order, %u in the wrong place\n",
	       bench_driver_name(flow->driver), flow->submitted, flow->errors,
	       flow->misordered, flow->misplaced);
	return -EBADE;
}

/* Send every packet once. */
static int once(struct measurement *m, struct bench_driver *driver, bool decrypt)
{
	struct bench_spec at_once = *m->spec;
	struct bench_flow flow;

	at_once.interval_ns = 0;
	bench_flow_init(&flow, &m->packets, driver, &at_once, decrypt);
	return bench_flow_run(&flow, m->packets.nr, U64_MAX) ?: sane(&flow);
}

/* Before a driver is measured, it has to show that it does the work. */
static int verify(struct measurement *m, struct bench_driver *driver)
{
	struct bench_packets *packets = &m->packets;
	int err;

	bench_packets_plain(packets);
	err = once(m, driver, false);
	if (err)
		return err;
	if (driver == &m->driver[0])
		bench_packets_keep_cipher(packets);
	err = bench_packets_check(packets, false);
	if (err)
		return err;

	bench_packets_cipher(packets);
	bench_packets_spoil(packets, true);
	err = once(m, driver, true) ?: bench_packets_check(packets, true);
	bench_packets_spoil(packets, false);
	return err;
}

/*
 * Run a driver for some time. Decryption in place uses up what it is given, so
 * that has to be renewed after each round; this is not counted.
 */
static int run_for(struct measurement *m, struct bench_flow *flow, u64 cycles)
{
	int err = 0;

	if (!flow->decrypt)
		return bench_flow_run(flow, U32_MAX, cycles);
	while (!err && flow->wall < cycles) {
		bench_packets_cipher(&m->packets);
		err = bench_flow_run(flow, m->packets.nr, U64_MAX);
	}
	return err;
}

static int later(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void print_time(struct bench_output *out, const char *name, u64 cycles)
{
	bench_print(out, ",\"%s_ns\":%llu", name, bench_cycles_to_ns(cycles));
}

static void print_latency(struct bench_output *out, u64 *latency, u32 nr)
{
	u64 sum = 0;
	u32 i;

	sort(latency, nr, sizeof(*latency), later, NULL);
	for (i = 0; i < nr; i++)
		sum += latency[i];
	print_time(out, "mean", sum / nr);
	print_time(out, "p50", latency[nr / 2]);
	print_time(out, "p99", latency[nr - 1 - nr / 100]);
	print_time(out, "p999", latency[nr - 1 - nr / 1000]);
	print_time(out, "max", latency[nr - 1]);
}

static int slice(struct measurement *m, struct bench_flow *flow,
		 struct bench_driver *driver, unsigned int us)
{
	const struct bench_spec *spec = m->spec;

	bench_flow_init(flow, &m->packets, driver, spec, spec->decrypt);
	flow->latency = m->latency;
	flow->latencies = LATENCIES;
	return run_for(m, flow, bench_ns_to_cycles(us * 1000ull));
}

/*
 * A sample is taken again if something took the CPU, or the helper's, away from
 * us. If that happens time and again it is no accident, and what was found last
 * is what there is.
 */
static int sample(struct measurement *m, unsigned int side, struct bench_output *out)
{
	const struct bench_spec *spec = m->spec;
	struct bench_driver *driver = &m->driver[side];
	unsigned int tries = 0;
	struct bench_flow flow;
	int err;

	do {
		err = slice(m, &flow, driver, spec->warm_us);
		if (err)
			return err;
		err = slice(m, &flow, driver, spec->slice_us);
		if (err)
			return err;
		tries++;
	} while (tries < MOST_TRIES && bench_cycles_to_ns(flow.gap) > spec->gap_us * 1000ull);

	bench_print(out, "{\"side\":%u,\"driver\":\"%s\",\"packets\":%u,\"later\":%llu", side,
		    bench_driver_name(driver), flow.submitted, flow.later);
	print_time(out, "wall", flow.wall);
	print_time(out, "submit", flow.submit);
	print_time(out, "complete", flow.complete);
	print_time(out, "gap", flow.gap);
	bench_print(out, ",\"tries\":%u", tries);
	if (m->latency)
		print_latency(out, m->latency, min_t(u32, flow.submitted, LATENCIES));
	bench_print(out, "}\n");
	return sane(&flow);
}

static int measure(struct measurement *m, struct bench_output *out)
{
	unsigned int i, k;
	int err = 0;

	for (i = 0; i < BENCH_DRIVERS && !err; i++)
		err = verify(m, &m->driver[i]);

	/* who goes first changes, lest one always find what the other left */
	for (i = 0; i < m->spec->samples && !err; i++) {
		for (k = 0; k < BENCH_DRIVERS && !err; k++)
			err = sample(m, (i + k) % BENCH_DRIVERS, out);
	}
	return err;
}

/**
 * bench_measure - compare two drivers
 * @spec: doing what
 * @out: where to print a line for every sample
 *
 * Return: 0, or a negative error code and a message in the kernel's log. -EBADE
 * means that a driver did not do what drivers do.
 */
int bench_measure(const struct bench_spec *spec, struct bench_output *out)
{
	struct measurement *m;
	unsigned int i, reqsize = 0;
	int err;

	m = kzalloc(sizeof(*m), GFP_KERNEL);
	if (!m)
		return -ENOMEM;
	m->spec = spec;
	if (spec->interval_ns) {
		m->latency = kvmalloc_array(LATENCIES, sizeof(*m->latency), GFP_KERNEL);
		err = -ENOMEM;
		if (!m->latency)
			goto free;
	}

	for (i = 0; i < BENCH_DRIVERS; i++) {
		err = bench_driver_open(&m->driver[i], spec->driver[i], spec);
		if (err)
			goto close;
		reqsize = max(reqsize, crypto_aead_reqsize(m->driver[i].lane[0].tfm));
	}
	err = bench_packets_make(&m->packets, spec, reqsize);
	if (err)
		goto close;

	err = measure(m, out);
	if (err == -ETIMEDOUT) {
		/* what was lost may yet be found: leave everything where it is */
		__module_get(THIS_MODULE);
		return err;
	}
	bench_packets_free(&m->packets);
close:
	for (i = 0; i < BENCH_DRIVERS; i++)
		bench_driver_close(&m->driver[i]);
	kvfree(m->latency);
free:
	kfree(m);
	return err;
}
