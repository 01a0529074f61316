// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which of the library's code paths is the fastest depends on the CPU and on
 * how many packets there are: 16 lanes lose to 4 with SHA instructions as long
 * as most of them are empty. So each is timed once, on this CPU, at start.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/measure.h"

/* Packets of the batches that are long */
#define MANY		(2 * CPU_LANES)

/* With full lanes, a packet that takes so long: an emulated CPU, on which nothing else is exact */
#define SLOW_NS		(500 * NSEC_PER_USEC / CPU_LANES)

const char *const cpu_width_name[CPU_WIDTHS] = {
	[CPU_SSE] = "sse",
	[CPU_AVX2] = "avx2",
	[CPU_AVX512] = "avx512",
};

/**
 * struct bench - something to work on
 * @imb: the library
 * @work: managers, derived keys and room for jobs
 * @rig: packets
 * @packets: pointers to them
 * @jobs: room for jobs
 * @width: width that is being timed
 * @nr: packets that are done at a time
 */
struct bench {
	struct imb *imb;
	struct cpu_work work;
	struct rig rig;
	struct packet *packets[MANY];
	struct IMB_JOB jobs[MANY];
	enum cpu_width width;
	uint32_t nr;
};

struct IMB_MGR *cpu_manager(const struct imb *imb, enum cpu_width width)
{
	const struct {
		uint64_t needs;
		init_mb_mgr_t init;
	} managers[CPU_WIDTHS] = {
		[CPU_SSE] = { IMB_CPUFLAGS_SSE, imb->init_sse },
		[CPU_AVX2] = { IMB_CPUFLAGS_AVX2, imb->init_avx2 },
		[CPU_AVX512] = { IMB_CPUFLAGS_AVX512, imb->init_avx512 },
	};
	struct IMB_MGR *mgr = imb->alloc(0);

	if (!mgr)
		return NULL;
	if ((mgr->features & managers[width].needs) == managers[width].needs) {
		managers[width].init(mgr);
		if (!imb_get_errno(mgr))
			return mgr;
	}
	imb->free(mgr);
	return NULL;
}

static bool run(void *with)
{
	struct bench *b = with;

	cpu_run(&b->work, b->width, b->packets, b->nr);
	return true;
}

static double time_run(struct bench *b, enum cpu_width width, uint32_t nr)
{
	if (!b->work.mgr[width])
		return INFINITY;
	/* The form of a derived key depends on the manager. */
	gcm_keys_forget(&b->work.keys);
	b->width = width;
	b->nr = nr;
	return measure_fastest(run, b, MEASURE_CPU_NS);
}

/* One key size decides for all: it is the same work, of more or fewer rounds. */
static void fill(struct bench *b, uint8_t alg, uint8_t op)
{
	rig_fill(&b->rig, alg_kind(alg, op, alg_key_min(alg)), MEASURE_LONG);
}

/*
 * Wider with more packets, never narrower again: of all such divisions the one
 * with the least time per packet, over all numbers of packets. A single
 * measurement that was disturbed does not decide anything then.
 */
static void divide(double took[CPU_WIDTHS][CPU_LANES + 1],
		   uint8_t width[CPU_LANES + 1])
{
	double best = INFINITY;

	for (int avx2 = 1; avx2 <= CPU_LANES + 1; avx2++) {
		for (int avx512 = avx2; avx512 <= CPU_LANES + 1; avx512++) {
			double sum = 0;

			for (int nr = 1; nr <= CPU_LANES; nr++)
				sum += took[nr < avx2 ? CPU_SSE :
					    nr < avx512 ? CPU_AVX2 :
					    CPU_AVX512][nr];
			if (sum >= best)
				continue;
			best = sum;
			for (int nr = 1; nr <= CPU_LANES; nr++)
				width[nr] = nr < avx2 ? CPU_SSE :
					    nr < avx512 ? CPU_AVX2 :
					    CPU_AVX512;
		}
	}
}

/* Side by side: each number of packets has its width, unless all of it is slow. */
static void choose_widths(struct bench *b, struct cpu_lanes *l, uint8_t alg,
			  uint8_t op)
{
	double took[CPU_WIDTHS][CPU_LANES + 1];
	int best = 0;

	fill(b, alg, op);
	for (int w = 0; w < CPU_WIDTHS; w++) {
		took[w][CPU_LANES] = time_run(b, w, CPU_LANES) / CPU_LANES;
		if (took[w][CPU_LANES] < took[best][CPU_LANES])
			best = w;
	}
	if (took[best][CPU_LANES] > SLOW_NS) {
		memset(l->width[alg][op], best, sizeof(l->width[alg][op]));
		return;
	}
	for (uint32_t nr = 1; nr < CPU_LANES; nr++)
		for (int w = 0; w < CPU_WIDTHS; w++)
			took[w][nr] = time_run(b, w, nr) / nr;
	divide(took, l->width[alg][op]);
}

/* Packet by packet: the one that is the fastest in both directions together */
static void choose_width(struct bench *b, struct cpu_lanes *l, uint8_t alg)
{
	double best = INFINITY;

	for (int w = 0; w < CPU_WIDTHS; w++) {
		double took = 0;

		for (int op = 0; op < WAVECRYPT_OPS; op++) {
			fill(b, alg, op);
			took += time_run(b, w, MANY);
		}
		if (took >= best)
			continue;
		best = took;
		memset(l->width[alg], w, sizeof(l->width[alg]));
	}
}

static void choose(struct bench *b, struct cpu_lanes *l, uint8_t alg)
{
	if (!algs[alg].side_by_side)
		choose_width(b, l, alg);
	for (int op = 0; algs[alg].side_by_side && op < WAVECRYPT_OPS; op++)
		choose_widths(b, l, alg, op);
}

static const char *set_up(struct bench *b)
{
	bool any = false;

	b->imb = imb_take();
	for (int w = 0; w < CPU_WIDTHS; w++) {
		b->work.mgr[w] = cpu_manager(b->imb, w);
		any = any || b->work.mgr[w];
	}
	if (!any)
		return "this CPU has no AES instructions";
	if (!rig_open(&b->rig, MANY, MEASURE_LONG) ||
	    !gcm_keys_init(&b->work.keys, loopback_key(b->rig.lb, 0),
			   loopback_channel(b->rig.lb)->geo.keys))
		return "no memory";
	b->work.jobs = b->jobs;
	for (uint32_t i = 0; i < MANY; i++)
		b->packets[i] = &b->rig.packet[i];
	return NULL;
}

static void tear_down(struct bench *b)
{
	if (b->work.keys.data)
		gcm_keys_exit(&b->work.keys);
	for (int w = 0; w < CPU_WIDTHS; w++)
		if (b->work.mgr[w])
			b->imb->free(b->work.mgr[w]);
	rig_close(&b->rig, false);
	imb_put(b->imb);
	free(b);
}

const char *cpu_lanes_choose(struct cpu_lanes *lanes)
{
	struct bench *b = calloc(1, sizeof(*b));
	const char *why;

	if (!b)
		return "no memory";
	why = set_up(b);
	for (unsigned int i = 0; !why && i < WAVECRYPT_ALGS; i++)
		if (alg_exists(i))
			choose(b, lanes, i);
	tear_down(b);
	return why;
}

const char *cpu_lanes_measure(struct cpu_lanes *lanes)
{
	const char *why = "no memory";
	struct backend *be = NULL;
	struct measure m = { 0 };
	struct rig rig;

	if (rig_open(&rig, MANY, MEASURE_LONG))
		be = cpu_backend.open(&cpu_device, loopback_channel(rig.lb));
	if (be && measure_open(&m, be, &rig, MANY)) {
		for (unsigned int kind = 0; !m.why && kind < ALG_KINDS; kind++)
			if (alg_kind_exists(kind))
				measure_cost(&m, kind, &lanes->cost[kind]);
		why = m.why;
	}
	measure_close(&m);
	if (be)
		be->ops->close(be);
	rig_close(&rig, false);
	return why;
}
