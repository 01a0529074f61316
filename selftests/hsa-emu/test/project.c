// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * The project's own kernels, both ways of running them, against libcrypto
 *
 * Usage: project CODE-OBJECT [PACKETS [LENGTH ALGORITHM DIRECTION KEY-BYTES]]
 *
 * With a length (a multiple of 16): packets of that one alone, of one kind, once;
 * so that what HSA_EMU_STATS counts is theirs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gpu.h>

#include "../gcn/types.h"
#include "channel/alg.h"
#include "harness.h"
#include "kernels/describe.h"
#include "kernels/expand.h"

enum {
	SLOT = 2048,		/* bytes of the arena for each packet */
	HEAD = 64,		/* of these, before the payload */
	LONGEST = 1500,
	KEYS = 7,
	GROUPS_MAX = 64,
};

static struct gpu gpu;

static struct sa sas[KEYS];

/* A batch: packets of one kind in groups, and what should become of them */
struct batch {
	struct wavecrypt_gpu_group *groups;
	struct wavecrypt_gpu_packet *packets;
	struct wavecrypt_gpu_key *keys;
	u8 *arena, *should;
	unsigned int nr, nr_groups;
};

static void batch_alloc(struct batch *b, unsigned int nr)
{
	b->nr = nr;
	b->groups = gpu_alloc(&gpu, GROUPS_MAX * sizeof(*b->groups));
	b->packets = gpu_alloc(&gpu, nr * sizeof(*b->packets));
	b->keys = gpu_alloc(&gpu, KEYS * sizeof(*b->keys));
	b->arena = gpu_alloc(&gpu, (size_t)nr * SLOT);
	b->should = malloc((size_t)nr * SLOT);
}

/* @len: of each packet; 0: any */
static void batch_fill(struct batch *b, unsigned int alg, unsigned int op, unsigned int key_len,
		       unsigned int len)
{
	b->nr_groups = 0;
	random_bytes(b->arena, (size_t)b->nr * SLOT);
	for (unsigned int k = 0; k < KEYS; k++) {
		struct wavecrypt_key key;

		random_sa(&sas[k], alg, key_len);
		/* Of the algorithms that can, every other SA has extended sequence numbers. */
		sas[k].esn = algs[alg].seq_hi && k % 2;
		expand_sa(&key, &sas[k]);
		wavecrypt_gpu_key_init(&b->keys[k], &key);
	}
	memcpy(b->should, b->arena, (size_t)b->nr * SLOT);
	for (unsigned int n = 0; n < b->nr; n++) {
		struct wavecrypt_desc d = {
			.data = n * SLOT + HEAD, .alg = (u8)alg, .op = (u8)op,
			.key = test_random() % KEYS,
		};
		struct wavecrypt_gpu_group *g = &b->groups[b->nr_groups - 1];

		const struct sa *sa = &sas[d.key];

		/* What ESP sends: with an IV, and numbers of 32 or 64 bits */
		d.aad_len = algs[alg].seq_hi ? 8 : test_random() & 1 ? 8 : 12;
		if (algs[alg].cipher == CIPHER_CBC && op == WAVECRYPT_OP_DECRYPT)
			d.aad_len += 16;
		d.len = len ? len : (test_random() % LONGEST + algs[alg].block) &
				    -algs[alg].block;
		if (d.len > LONGEST)
			d.len -= algs[alg].block;
		d.auth_len = algs[alg].auth == AUTH_NONE ? 0 :
			     d.aad_len + d.len + (sa->esn ? sizeof(d.seq_hi) : 0);
		d.seq_hi = sa->seq_hi;
		random_bytes(d.iv, 16);
		if (algs[alg].cipher != CIPHER_CBC)
			memcpy(d.iv + 12, (u8[]) {
				0, 0, 0, algs[alg].cipher != CIPHER_CHACHA20
			}, 4);
		describe_packet(&b->packets[n], &d);
		if (!n || !describe_in_group(g, &wavecrypt_gpu_narrow, d.len)) {
			g = &b->groups[b->nr_groups++];
			wavecrypt_gpu_group_init(g, alg, op, key_len, n);
			describe_in_group(g, &wavecrypt_gpu_narrow, d.len);
		}
		reference(sa, op, d.iv, b->should + d.data, d.len,
			  b->should + d.data - d.aad_len, d.aad_len);
	}
}

static bool batch_check(const struct batch *b)
{
	for (unsigned int n = 0; n < b->nr; n++)
		if (memcmp(b->arena + n * SLOT, b->should + n * SLOT, SLOT)) {
			unsigned int k = 0;

			while (b->arena[n * SLOT + k] == b->should[n * SLOT + k])
				k++;
			printf("# packet %u of %u bytes differs from byte %d on\n", n,
			       b->packets[n].len, (int)k - HEAD);
			return false;
		}
	return true;
}

static bool run_batch(struct batch *b)
{
	struct { void *groups, *packets, *keys, *data; } args = {
		b->groups, b->packets, b->keys, b->arena
	};

	return gpu_run(&gpu, &(struct shot) {
		.kernel = "wavecrypt_batch", .group = { wavecrypt_gpu_narrow.lanes },
		.grid = { b->nr_groups * wavecrypt_gpu_narrow.lanes }, .args = &args,
		.args_size = sizeof(args),
	}) && batch_check(b);
}

/* The persistent kernel and its ring */
struct persistent {
	struct wavecrypt_gpu_ring *ring;
	struct wavecrypt_gpu_group *groups;
	hsa_signal_t signal;
	u32 tail;
};

static void persistent_start(struct persistent *p, const struct batch *b)
{
	p->ring = gpu_alloc(&gpu, sizeof(*p->ring));
	p->groups = gpu_alloc(&gpu, GROUPS_MAX * sizeof(*p->groups));
	memset(p->ring, 0, sizeof(*p->ring));
	memset(p->groups, 0, GROUPS_MAX * sizeof(*p->groups));
	p->ring->mask = GROUPS_MAX - 1;
	p->tail = 0;

	struct { void *ring, *groups, *packets, *keys, *data; } args = {
		p->ring, p->groups, b->packets, b->keys, b->arena
	};

	p->signal = gpu_submit(&gpu, &(struct shot) {
		.kernel = "wavecrypt_persistent", .group = { wavecrypt_gpu_narrow.lanes },
		.grid = { 4 * wavecrypt_gpu_narrow.lanes }, .args = &args,
		.args_size = sizeof(args),
	});
}

static bool persistent_run(struct persistent *p, const struct batch *b)
{
	u32 first = p->tail;

	for (unsigned int g = 0; g < b->nr_groups; g++)
		p->groups[p->tail++ & p->ring->mask] = b->groups[g];
	__atomic_store_n(&p->ring->tail, p->tail, __ATOMIC_RELEASE);
	for (u32 g = first; g < p->tail; g++)
		while (__atomic_load_n(&p->groups[g & p->ring->mask].done, __ATOMIC_ACQUIRE) !=
		       g + 1) {
			if (__atomic_load_n(&gpu.error, __ATOMIC_ACQUIRE))
				return false;
			usleep(50);
		}
	return batch_check(b);
}

static bool persistent_stop(struct persistent *p)
{
	__atomic_store_n(&p->ring->stop, 1, __ATOMIC_RELEASE);
	return gpu_wait(&gpu, p->signal);
}

static const char *const ops[] = { "encrypt", "decrypt" };

static unsigned int number(const char *text, unsigned int max)
{
	unsigned int n = (unsigned int)atoi(text);

	return n < max ? n : max;
}

/* One kind, one length */
static void run_one(struct batch *b, char **args)
{
	unsigned int len = number(args[0], LONGEST), alg = number(args[1], WAVECRYPT_ALGS - 1);
	unsigned int op = number(args[2], 1), key_len = number(args[3], 32);

	batch_fill(b, alg, op, key_len, len);
	test(run_batch(b), "%s: %s %s, key of %u bits, %u packets of %u bytes", gpu.name,
	     algs[alg].label, ops[op], key_len * 8, b->nr, len);
}

static void run_all(struct batch *b)
{
	static struct persistent p;

	for (unsigned int persistent = 0; persistent < 2; persistent++) {
		if (persistent)
			persistent_start(&p, b);
		for (unsigned int kind = 0; kind < ALG_KINDS; kind++) {
			const unsigned int alg = alg_of_kind(kind), op = alg_op_of_kind(kind);
			const unsigned int key_len = alg_key_len_of_kind(kind);

			if (!alg_kind_exists(kind))
				continue;
			batch_fill(b, alg, op, key_len, 0);
			test(persistent ? persistent_run(&p, b) : run_batch(b),
			     "%s: %s %s, key of %u bits, %u packets, %s", gpu.name,
			     algs[alg].label, ops[op], key_len * 8, b->nr,
			     persistent ? "persistent" : "dispatched");
		}
	}
	test(persistent_stop(&p), "%s: the persistent kernel leaves", gpu.name);
}

int main(int argc, char **argv)
{
	static struct batch b;

	if (argc != 2 && argc != 3 && argc != 7)
		return 2;
	printf("KTAP version 1\n");
	gpu_open(&gpu, argv[1]);
	batch_alloc(&b, argc > 2 ? number(argv[2], 100000) : 40);
	if (argc == 7)
		run_one(&b, argv + 3);
	else
		run_all(&b);
	free(b.should);
	gpu_close(&gpu);
	return tests_end();
}
