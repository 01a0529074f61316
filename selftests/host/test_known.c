// SPDX-License-Identifier: GPL-2.0-only
/*
 * What RFCs say that comes out, through every width of the lanes.
 *
 *	test_known [DIRECTORY]
 *
 * With a directory of Project Wycheproof's files, what those say.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "channel/alg.h"
#include "channel/loopback.h"
#include "ktap.h"
#include "reference.h"
#include "vectors.h"
#include "wycheproof.h"

static const struct vector *known;
static unsigned int nr_known;

/**
 * struct example - one, as lanes want it
 */
struct example {
	struct wavecrypt_key key __attribute__((aligned(WAVECRYPT_LINE)));
	struct wavecrypt_desc desc;
	uint8_t slot[WAVECRYPT_HEADROOM + VECTOR_ROOM];
	struct packet packet;
};

static void prepare(struct example *e, const struct vector *v, uint8_t op)
{
	uint8_t raw[ALG_KEY_MAX], auth[SA_AUTH_MAX], aad[WAVECRYPT_HEADROOM];
	size_t key_len = vector_bytes(raw, v->key);

	memset(e, 0, sizeof(*e));
	EXPECT(loopback_key_set(&e->key, 1, v->alg, raw, key_len, auth,
				vector_bytes(auth, v->auth)), "%s: key", v->name);
	vector_bytes(e->desc.iv, v->iv);
	e->packet.data = e->slot + WAVECRYPT_HEADROOM;
	e->packet.len = vector_bytes(e->packet.data, op == WAVECRYPT_OP_ENCRYPT ?
				     v->in : vector_out(v));
	e->packet.aad_len = vector_bytes(aad, v->aad);
	memcpy(e->packet.data - e->packet.aad_len, aad, e->packet.aad_len);
	e->packet.auth_len = algs[v->alg].auth == AUTH_NONE ? 0 :
			     e->packet.aad_len + e->packet.len;
	e->packet.key = &e->key;
	e->packet.key_gen = 1;
	e->packet.iv = e->desc.iv;
	e->packet.alg = v->alg;
	e->packet.op = op;
	e->packet.key_len = key_len;
}

static void check(const struct example *e, const struct vector *v, uint8_t op)
{
	uint8_t want[VECTOR_ROOM];
	size_t len = vector_bytes(want, op == WAVECRYPT_OP_ENCRYPT ?
				  vector_out(v) : v->in);

	EXPECT(e->packet.status == WAVECRYPT_STATUS_OK, "%s", v->name);
	EXPECT(v->forged || !memcmp(e->packet.data, want, len), "%s: %scrypted",
	       v->name, op ? "de" : "en");
	len = vector_bytes(want, v->icv);
	EXPECT(!memcmp(e->packet.data + e->packet.len, want, len) != v->forged,
	       "%s: ICV", v->name);
}

/* As many of the same as @nr, one key each */
static void run(struct cpu_work *work, enum cpu_width width,
		const struct vector *v, uint8_t op, uint32_t nr)
{
	static struct example e[CPU_LANES];
	struct packet *packets[CPU_LANES] = { 0 };

	for (uint32_t i = 0; i < nr; i++) {
		prepare(&e[i], v, op);
		packets[i] = &e[i].packet;
	}
	cpu_run(work, width, packets, nr);
	for (uint32_t i = 0; i < nr; i++)
		check(&e[i], v, op);
}

static bool there_is(enum cpu_width width)
{
	return width == CPU_SSE ||
	       (width == CPU_AVX2 && __builtin_cpu_supports("avx2")) ||
	       (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
		__builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
		__builtin_cpu_supports("avx512vl"));
}

static void by_width(enum cpu_width width)
{
	static struct IMB_JOB jobs[CPU_LANES];
	struct cpu_work work = { .jobs = jobs };

	work.mgr[width] = cpu_manager(&imb_linked, width);
	EXPECT(!work.mgr[width] == !there_is(width), "%s: the library has %s manager",
	       cpu_width_name[width], work.mgr[width] ? "a" : "no");
	if (!work.mgr[width])
		return;
	for (unsigned int i = 0; i < nr_known; i++)
		for (uint8_t op = 0; op < WAVECRYPT_OPS; op++) {
			run(&work, width, &known[i], op, 1);
			run(&work, width, &known[i], op, CPU_LANES);
		}
	free_mb_mgr(work.mgr[width]);
}

static void by_sse(void)
{
	by_width(CPU_SSE);
}

static void by_avx2(void)
{
	by_width(CPU_AVX2);
}

static void by_avx512(void)
{
	by_width(CPU_AVX512);
}

static const struct ktap_case of_rfcs[] = {
	{ "RFCs 3602, 3686, 4231, 4868, 7634, 8439: sse", by_sse },
	{ "the same: avx2, if there is", by_avx2 },
	{ "the same: avx512, if there is", by_avx512 },
	{ 0 },
};

static const struct ktap_case of_wycheproof[] = {
	{ "Wycheproof's HMAC and ChaCha20-Poly1305: sse", by_sse },
	{ "the same: avx2, if there is", by_avx2 },
	{ "the same: avx512, if there is", by_avx512 },
	{ 0 },
};

int main(int argc, char **argv)
{
	if (argc < 2) {
		known = vectors;
		nr_known = nr_vectors;
		return ktap_run(of_rfcs);
	}
	known = wycheproof_read(argv[1], &nr_known);
	return known ? ktap_run(of_wycheproof) : 1;
}
