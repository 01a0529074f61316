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
#include "lib/clock.h"

/* Payloads to time with: small, and about an MTU. */
#define SHORT_LEN	64u
#define LONG_LEN	1408u

/* The fastest of so many runs counts: what disturbs one only ever slows it. */
#define RUNS		7

/* Packets in the batches that the cost of a packet and a byte comes from. */
#define COST_PACKETS	(2 * CPU_LANES)

#define SLOT		2048u

const char *const cpu_width_name[CPU_WIDTHS] = {
	[CPU_SSE] = "sse",
	[CPU_AVX2] = "avx2",
	[CPU_AVX512] = "avx512",
};

/**
 * struct bench - something to work on
 * @key: the key of all packets; first, for its alignment
 * @imb: the library
 * @work: managers, derived keys and room for jobs
 * @iv: the IV of all packets
 * @slots: memory of the packets
 * @packet: packets
 * @packets: pointers to them
 * @jobs: room for jobs
 */
struct bench {
	struct wavecrypt_key key;
	struct imb *imb;
	struct cpu_work work;
	uint8_t iv[16];
	uint8_t *slots;
	struct packet packet[COST_PACKETS];
	struct packet *packets[COST_PACKETS];
	struct IMB_JOB jobs[COST_PACKETS];
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

/* The longest key there is */
static uint8_t key_len(unsigned int alg)
{
	unsigned int len = ALG_KEY_MAX;

	while (len && !alg_has_key_len(alg, len))
		len -= 8;
	return len;
}

static void bench_fill(struct bench *b, uint8_t alg, uint8_t op, uint32_t len)
{
	b->key.gen = 1;
	b->key.alg = alg;
	b->key.key_len = alg_has_key_len(alg, 16) ? 16 : key_len(alg);
	for (uint32_t i = 0; i < COST_PACKETS; i++) {
		struct packet *p = &b->packet[i];

		p->data = b->slots + i * SLOT + WAVECRYPT_HEADROOM;
		p->key = &b->key;
		p->iv = b->iv;
		p->len = len;
		p->key_gen = 1;
		p->aad_len = 8;
		p->auth_len = 8 + len;
		p->alg = alg;
		p->op = op;
		p->key_len = b->key.key_len;
		b->packets[i] = p;
	}
}

static double time_run(struct bench *b, enum cpu_width width, uint32_t nr)
{
	uint64_t best = UINT64_MAX;

	if (!b->work.mgr[width])
		return INFINITY;
	/* The form of a derived key depends on the manager. */
	gcm_keys_forget(&b->work.keys);
	for (int run = 0; run < RUNS; run++) {
		uint64_t start = clock_ticks(), took;

		cpu_run(&b->work, width, b->packets, nr);
		took = clock_ticks() - start;
		if (took < best)
			best = took;
	}
	return clock_ns_of(best);
}

static void cost_of(struct backend_cost *cost, double one, double shorts,
		    double longs)
{
	double short_ns = shorts / COST_PACKETS;
	double long_ns = longs / COST_PACKETS;

	cost->byte_ns = (long_ns - short_ns) / (LONG_LEN - SHORT_LEN);
	cost->packet_ns = short_ns - SHORT_LEN * cost->byte_ns;
	cost->fixed_ns = one > short_ns ? one - short_ns : 0;
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

/* Side by side: each number of packets has its width. */
static void choose_widths(struct bench *b, struct cpu_lanes *l, uint8_t alg,
			  uint8_t op)
{
	double took[CPU_WIDTHS][CPU_LANES + 1];

	bench_fill(b, alg, op, LONG_LEN);
	for (uint32_t nr = 1; nr <= CPU_LANES; nr++)
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
			bench_fill(b, alg, op, LONG_LEN);
			took += time_run(b, w, COST_PACKETS);
		}
		if (took >= best)
			continue;
		best = took;
		memset(l->width[alg], w, sizeof(l->width[alg]));
	}
}

static void measure_cost(struct bench *b, struct cpu_lanes *l, uint8_t alg,
			 uint8_t op)
{
	const uint8_t *width = l->width[alg][op];
	double one, shorts, longs;

	bench_fill(b, alg, op, LONG_LEN);
	longs = time_run(b, width[CPU_LANES], COST_PACKETS);
	bench_fill(b, alg, op, SHORT_LEN);
	shorts = time_run(b, width[CPU_LANES], COST_PACKETS);
	one = time_run(b, width[1], 1);
	cost_of(&l->cost[alg][op], one, shorts, longs);
}

static void measure_alg(struct bench *b, struct cpu_lanes *l, uint8_t alg)
{
	if (!algs[alg].side_by_side)
		choose_width(b, l, alg);
	for (int op = 0; op < WAVECRYPT_OPS; op++) {
		if (algs[alg].side_by_side)
			choose_widths(b, l, alg, op);
		measure_cost(b, l, alg, op);
	}
}

static const char *measure(struct bench *b, struct cpu_lanes *lanes)
{
	bool any = false;

	b->imb = imb_take();
	for (int w = 0; w < CPU_WIDTHS; w++) {
		b->work.mgr[w] = cpu_manager(b->imb, w);
		any = any || b->work.mgr[w];
	}
	if (!any)
		return "this CPU has no AES instructions";
	b->slots = aligned_alloc(WAVECRYPT_LINE, COST_PACKETS * SLOT);
	if (!b->slots || !gcm_keys_init(&b->work.keys, &b->key, 1))
		return "no memory";
	memset(b->slots, 0, COST_PACKETS * SLOT);
	b->work.jobs = b->jobs;
	for (unsigned int i = 0; i < WAVECRYPT_ALGS; i++)
		if (alg_exists(i))
			measure_alg(b, lanes, i);
	return NULL;
}

const char *cpu_lanes_measure(struct cpu_lanes *lanes)
{
	struct bench *b = aligned_alloc(WAVECRYPT_LINE,
					(sizeof(*b) + WAVECRYPT_LINE - 1) &
					-(size_t)WAVECRYPT_LINE);
	const char *why;

	if (!b)
		return "no memory";
	memset(b, 0, sizeof(*b));
	why = measure(b, lanes);
	if (b->work.keys.data)
		gcm_keys_exit(&b->work.keys);
	free(b->slots);
	for (int w = 0; w < CPU_WIDTHS; w++)
		if (b->work.mgr[w])
			b->imb->free(b->work.mgr[w]);
	imb_put(b->imb);
	free(b);
	return why;
}
