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
 * @mgr: managers, NULL where the CPU has no such thing
 * @keys: for GCM
 * @iv: the IV of all packets
 * @slots: memory of the packets
 * @packet: packets
 * @packets: pointers to them
 * @jobs: room for jobs
 */
struct bench {
	struct wavecrypt_key key;
	struct IMB_MGR *mgr[CPU_WIDTHS];
	struct gcm_keys keys;
	uint8_t iv[16];
	uint8_t *slots;
	struct packet packet[COST_PACKETS];
	struct packet *packets[COST_PACKETS];
	struct IMB_JOB jobs[COST_PACKETS];
};

struct IMB_MGR *cpu_manager(enum cpu_width width)
{
	static const struct {
		uint64_t needs;
		init_mb_mgr_t init;
	} managers[CPU_WIDTHS] = {
		[CPU_SSE] = { IMB_CPUFLAGS_SSE, init_mb_mgr_sse },
		[CPU_AVX2] = { IMB_CPUFLAGS_AVX2, init_mb_mgr_avx2 },
		[CPU_AVX512] = { IMB_CPUFLAGS_AVX512, init_mb_mgr_avx512 },
	};
	struct IMB_MGR *mgr = alloc_mb_mgr(0);

	if (!mgr)
		return NULL;
	if ((mgr->features & managers[width].needs) == managers[width].needs) {
		managers[width].init(mgr);
		if (!imb_get_errno(mgr))
			return mgr;
	}
	free_mb_mgr(mgr);
	return NULL;
}

static void bench_fill(struct bench *b, uint8_t alg, uint8_t op, uint32_t len)
{
	b->key.gen = 1;
	b->key.alg = alg;
	b->key.key_len = 16;
	for (uint32_t i = 0; i < COST_PACKETS; i++) {
		struct packet *p = &b->packet[i];

		p->data = b->slots + i * SLOT + WAVECRYPT_HEADROOM;
		p->key = &b->key;
		p->iv = b->iv;
		p->len = len;
		p->key_gen = 1;
		p->aad_len = 8;
		p->alg = alg;
		p->op = op;
		p->key_len = 16;
		b->packets[i] = p;
	}
}

static uint64_t time_cbc(struct bench *b, enum cpu_width width, uint32_t nr)
{
	uint64_t best = UINT64_MAX;

	for (int run = 0; run < RUNS; run++) {
		uint64_t start = clock_ticks(), took;

		cpu_cbc_run(b->mgr[width], b->jobs, b->packets, nr);
		took = clock_ticks() - start;
		if (took < best)
			best = took;
	}
	return best;
}

static uint64_t time_gcm(struct bench *b, enum cpu_width width, uint32_t nr)
{
	uint64_t best = UINT64_MAX;

	/* The form of a derived key depends on the manager. */
	b->keys.gen[0] = 0;
	b->keys.nr_live = 0;
	b->keys.mgr = b->mgr[width];
	for (int run = 0; run < RUNS; run++) {
		uint64_t start = clock_ticks(), took;

		cpu_gcm_run(b->mgr[width], &b->keys, b->packets, nr);
		took = clock_ticks() - start;
		if (took < best)
			best = took;
	}
	return best;
}

static void cost_of(struct backend_cost *cost, uint64_t one, uint64_t shorts,
		    uint64_t longs)
{
	double one_ns = clock_ns_of(one);
	double short_ns = (double)clock_ns_of(shorts) / COST_PACKETS;
	double long_ns = (double)clock_ns_of(longs) / COST_PACKETS;

	cost->byte_ns = (long_ns - short_ns) / (LONG_LEN - SHORT_LEN);
	cost->packet_ns = short_ns - SHORT_LEN * cost->byte_ns;
	cost->fixed_ns = one_ns > short_ns ? one_ns - short_ns : 0;
}

/*
 * Wider with more packets, never narrower again: of all such divisions the one
 * with the least time per packet, over all numbers of packets. A single
 * measurement that was disturbed does not decide anything then.
 */
static void divide(double took[CPU_WIDTHS][CPU_LANES + 1],
		   enum cpu_width *width)
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

static void measure_cbc(struct bench *b, struct cpu_lanes *l, uint8_t op)
{
	double took[CPU_WIDTHS][CPU_LANES + 1];
	enum cpu_width *width = l->width[op];
	uint64_t one, shorts, longs;

	bench_fill(b, WAVECRYPT_ALG_CBC_SHA1, op, LONG_LEN);
	for (uint32_t nr = 1; nr <= CPU_LANES; nr++)
		for (int w = 0; w < CPU_WIDTHS; w++)
			took[w][nr] = b->mgr[w] ?
				      (double)time_cbc(b, w, nr) / nr :
				      INFINITY;
	divide(took, width);
	longs = time_cbc(b, width[CPU_LANES], COST_PACKETS);
	bench_fill(b, WAVECRYPT_ALG_CBC_SHA1, op, SHORT_LEN);
	shorts = time_cbc(b, width[CPU_LANES], COST_PACKETS);
	one = time_cbc(b, width[1], 1);
	cost_of(&l->cost[WAVECRYPT_ALG_CBC_SHA1][op], one, shorts, longs);
}

static void measure_gcm(struct bench *b, struct cpu_lanes *l, uint8_t op)
{
	uint64_t one, shorts, longs = UINT64_MAX;

	bench_fill(b, WAVECRYPT_ALG_GCM, op, LONG_LEN);
	for (int w = 0; w < CPU_WIDTHS; w++) {
		uint64_t took = b->mgr[w] ? time_gcm(b, w, COST_PACKETS) :
					    UINT64_MAX;

		if (took < longs) {
			longs = took;
			l->gcm = w;
		}
	}
	bench_fill(b, WAVECRYPT_ALG_GCM, op, SHORT_LEN);
	shorts = time_gcm(b, l->gcm, COST_PACKETS);
	one = time_gcm(b, l->gcm, 1);
	cost_of(&l->cost[WAVECRYPT_ALG_GCM][op], one, shorts, longs);
}

static const char *measure(struct bench *b, struct cpu_lanes *lanes)
{
	bool any = false;

	for (int w = 0; w < CPU_WIDTHS; w++) {
		b->mgr[w] = cpu_manager(w);
		any = any || b->mgr[w];
	}
	if (!any)
		return "this CPU has no AES instructions";
	b->slots = aligned_alloc(WAVECRYPT_LINE, COST_PACKETS * SLOT);
	if (!b->slots || !gcm_keys_init(&b->keys, &b->key, 1, NULL))
		return "no memory";
	memset(b->slots, 0, COST_PACKETS * SLOT);
	cpu_cbc_prepare(b->jobs, COST_PACKETS);
	for (int op = 0; op < WAVECRYPT_OPS; op++) {
		measure_cbc(b, lanes, op);
		measure_gcm(b, lanes, op);
	}
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
	if (b->keys.data)
		gcm_keys_exit(&b->keys);
	free(b->slots);
	for (int w = 0; w < CPU_WIDTHS; w++)
		if (b->mgr[w])
			free_mb_mgr(b->mgr[w]);
	free(b);
	return why;
}
