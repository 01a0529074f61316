// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: taking samples of two things in turn
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/kernel.h>

#include "bench.h"

#define MOST_TRIES	8

static int slice(struct bench_subject *subject, unsigned int side, unsigned int us)
{
	subject->begin(subject, side);
	return subject->run(subject, bench_ns_to_cycles(us * 1000ull));
}

/*
 * A sample is taken again if something took the CPU, or the helper's, away from
 * us. If that happens time and again it is no accident, and what was found last
 * is what there is.
 */
static int sample(struct bench_subject *subject, unsigned int side, struct bench_output *out)
{
	const struct bench_spec *spec = subject->spec;
	const struct bench_flow *flow = subject->flow;
	unsigned int tries = 0;
	int err;

	do {
		err = slice(subject, side, spec->warm_us) ?: slice(subject, side, spec->slice_us);
		if (err)
			return err;
		tries++;
	} while (tries < MOST_TRIES && bench_cycles_to_ns(flow->gap) > spec->gap_us * 1000ull);

	bench_print(out, "{\"side\":%u,\"driver\":\"%s\",\"packets\":%u,\"tries\":%u", side,
		    subject->name(subject, side), flow->submitted, tries);
	bench_print_time(out, "wall", flow->wall);
	bench_print_time(out, "submit", flow->submit);
	bench_print_time(out, "complete", flow->complete);
	bench_print_time(out, "gap", flow->gap);
	if (subject->print)
		subject->print(subject, out);
	bench_print(out, "}\n");
	return subject->judge(subject);
}

/**
 * bench_compare - take samples of both sides
 * @subject: of what
 * @out: where to print a line for every sample
 *
 * Return: 0 or a negative error code.
 */
int bench_compare(struct bench_subject *subject, struct bench_output *out)
{
	const struct bench_spec *spec = subject->spec;
	unsigned int i, k;
	int err = 0;

	for (k = 0; k < BENCH_DRIVERS && spec->settle_us && !err; k++)
		err = slice(subject, k, spec->settle_us);
	/* who goes first changes, lest one always find what the other left */
	for (i = 0; i < spec->samples && !err; i++) {
		for (k = 0; k < BENCH_DRIVERS && !err; k++)
			err = sample(subject, (i + k) % BENCH_DRIVERS, out);
	}
	return err;
}
