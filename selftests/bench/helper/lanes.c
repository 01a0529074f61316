// SPDX-License-Identifier: GPL-2.0-only
/*
 * What libipsec-mb's ways to do a batch cost: the measurements behind the cpu
 * backend's choices.
 *
 * Three ways for CBC-SHA1: synchronous bursts (cipher, then hash), jobs flushed
 * at the end of the batch, and jobs that are flushed lazily, when there is no
 * further batch to push them out. Each by width (sse, avx2, avx512), batch
 * size and length; lengths mixed in the order of arrival or longest first.
 * GCM: its direct call, and jobs.
 *
 * Prints nanoseconds per packet, the median of several rounds.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "channel/loopback.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "sample.h"

/* Packets that a round goes through, in a ring as large as a queue's. */
#define RING	512
#define SLOT	2112
#define ROUNDS	15

enum way {
	BURST,
	BURST_SORTED,
	JOBS,
	JOBS_LAZY,
	WAYS,
};

static const char *const way_name[WAYS] = {
	"burst", "burst, sorted", "jobs", "jobs, lazy",
};

static struct wavecrypt_key *key;
static uint8_t *slots;
static uint8_t iv[16];
static struct packet packet[RING];
static struct packet *order[RING];
static struct IMB_JOB jobs[CHUNK_MAX];

/* Simple IMIX, of what is inside the tunnel: 61 %, 23 %, 16 % */
static uint32_t imix(uint32_t i)
{
	uint32_t r = i * 2654435761u >> 16 & 0xff;

	return r < 156 ? 64 : r < 216 ? 544 : 1360;
}

static void fill(uint8_t alg, uint8_t op, uint32_t len)
{
	for (uint32_t i = 0; i < RING; i++) {
		struct packet *p = &packet[i];

		p->data = slots + (size_t)i * SLOT + WAVECRYPT_HEADROOM;
		p->key = key;
		p->iv = iv;
		p->len = len ? len : imix(i);
		p->key_gen = 1;
		p->key_index = 0;
		p->aad_len = 8;
		p->auth_len = 8 + p->len;
		p->alg = alg;
		p->op = op;
		p->key_len = 16;
		order[i] = p;
	}
}

static int longer(const void *a, const void *b)
{
	const struct packet *p = *(struct packet *const *)a;
	const struct packet *q = *(struct packet *const *)b;

	return (p->len < q->len) - (p->len > q->len);
}

/* Sorting is the scheduler's work and is done before the clock runs. */
static void sort_batches(uint32_t batch)
{
	for (uint32_t i = 0; i + batch <= RING; i += batch)
		qsort(order + i, batch, sizeof(order[0]), longer);
}

static void job_set(struct IMB_JOB *job, const struct packet *p)
{
	bool enc = p->op == WAVECRYPT_OP_ENCRYPT;

	job->enc_keys = p->key->enc;
	job->dec_keys = p->key->dec;
	job->key_len_in_bytes = p->key_len;
	job->src = p->data - p->aad_len;
	job->dst = p->data;
	job->cipher_start_src_offset_in_bytes = p->aad_len;
	job->msg_len_to_cipher_in_bytes = p->len;
	job->hash_start_src_offset_in_bytes = 0;
	job->msg_len_to_hash_in_bytes = p->aad_len + p->len;
	job->iv = p->iv;
	job->iv_len_in_bytes = 16;
	job->auth_tag_output = p->data + p->len;
	job->auth_tag_output_len_in_bytes = 20;
	job->u.HMAC._hashed_auth_key_xor_ipad = (const uint8_t *)p->key->inner;
	job->u.HMAC._hashed_auth_key_xor_opad = (const uint8_t *)p->key->outer;
	job->cipher_mode = IMB_CIPHER_CBC;
	job->hash_alg = IMB_AUTH_HMAC_SHA_1;
	job->cipher_direction = enc ? IMB_DIR_ENCRYPT : IMB_DIR_DECRYPT;
	job->chain_order = enc ? IMB_ORDER_CIPHER_HASH : IMB_ORDER_HASH_CIPHER;
}

static void gcm_job_set(struct IMB_JOB *job, const struct packet *p,
			const struct gcm_key_data *data)
{
	bool enc = p->op == WAVECRYPT_OP_ENCRYPT;

	job->enc_keys = data;
	job->dec_keys = data;
	job->key_len_in_bytes = p->key_len;
	job->src = p->data;
	job->dst = p->data;
	job->cipher_start_src_offset_in_bytes = 0;
	job->msg_len_to_cipher_in_bytes = p->len;
	job->hash_start_src_offset_in_bytes = 0;
	job->msg_len_to_hash_in_bytes = p->len;
	job->iv = p->iv;
	job->iv_len_in_bytes = 12;
	job->auth_tag_output = p->data + p->len;
	job->auth_tag_output_len_in_bytes = 16;
	job->u.GCM.aad = p->data - p->aad_len;
	job->u.GCM.aad_len_in_bytes = p->aad_len;
	job->cipher_mode = IMB_CIPHER_GCM;
	job->hash_alg = IMB_AUTH_AES_GMAC;
	job->cipher_direction = enc ? IMB_DIR_ENCRYPT : IMB_DIR_DECRYPT;
	job->chain_order = enc ? IMB_ORDER_CIPHER_HASH : IMB_ORDER_HASH_CIPHER;
}

static void run_jobs(struct IMB_MGR *mgr, struct packet **p, uint32_t nr,
		     bool flush)
{
	for (uint32_t i = 0; i < nr; i++) {
		job_set(IMB_GET_NEXT_JOB(mgr), p[i]);
		IMB_SUBMIT_JOB_NOCHECK(mgr);
	}
	while (flush && IMB_FLUSH_JOB(mgr))
		;
}

static void run_batch(struct IMB_MGR *mgr, enum way way, struct packet **p,
		      uint32_t nr)
{
	switch (way) {
	case BURST:
	case BURST_SORTED:
		cpu_burst_run(mgr, jobs, p, nr);
		break;
	case JOBS:
		run_jobs(mgr, p, nr, true);
		break;
	default:
		run_jobs(mgr, p, nr, false);
	}
}

/* Nanoseconds per packet, in batches of @batch. */
static double measure_cbc(struct IMB_MGR *mgr, enum way way, uint32_t batch)
{
	double took[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		uint32_t done = 0;
		uint64_t start = clock_ticks();

		while (done + batch <= RING) {
			run_batch(mgr, way, order + done, batch);
			done += batch;
		}
		while (way == JOBS_LAZY && IMB_FLUSH_JOB(mgr))
			;
		took[round] = (double)clock_ns_of(clock_ticks() - start) / done;
	}
	return sample_median(took, ROUNDS);
}

static double measure_gcm(struct IMB_MGR *mgr, struct gcm_keys *keys,
			  bool as_jobs)
{
	const struct gcm_key_data *data = gcm_keys_get(keys, mgr, &packet[0]);
	double took[ROUNDS];

	for (int round = 0; round < ROUNDS; round++) {
		uint64_t start = clock_ticks();

		if (!as_jobs)
			cpu_gcm_run(mgr, keys, order, RING);
		for (uint32_t i = 0; as_jobs && i < RING; i++) {
			gcm_job_set(IMB_GET_NEXT_JOB(mgr), order[i], data);
			IMB_SUBMIT_JOB_NOCHECK(mgr);
		}
		took[round] = (double)clock_ns_of(clock_ticks() - start) / RING;
	}
	return sample_median(took, ROUNDS);
}

static void setup(void)
{
	clock_setup();
	key = aligned_alloc(WAVECRYPT_LINE, sizeof(*key));
	slots = aligned_alloc(WAVECRYPT_LINE, (size_t)RING * SLOT);
	if (!key || !slots) {
		fprintf(stderr, "lanes: no memory\n");
		exit(1);
	}
	memset(key, 0, sizeof(*key));
	memset(jobs, 0, CHUNK_MAX * sizeof(*jobs));
	memset(slots, 0x5a, (size_t)RING * SLOT);
}

static void set_key(uint16_t alg)
{
	static const uint8_t aes[16] = "0123456789abcde";

	if (loopback_key_set(key, 1, alg, aes, sizeof(aes), aes, sizeof(aes)))
		return;
	fprintf(stderr, "lanes: no AES instructions\n");
	exit(1);
}

static void table_cbc(uint8_t op, uint32_t len)
{
	static const uint32_t batches[] = {
		1, 2, 3, 4, 5, 6, 8, 12, 15, 16, 24, 32, 48, 64, 128,
	};

	printf("\ncbc-sha1 %s, ", op ? "decrypt" : "encrypt");
	if (len)
		printf("%u bytes, ns per packet by batch\n", len);
	else
		printf("IMIX, ns per packet by batch\n");
	printf("%-22s", "");
	for (size_t i = 0; i < ARRAY_SIZE(batches); i++)
		printf("%6u", batches[i]);
	printf("\n");
	for (int width = 0; width < CPU_WIDTHS; width++) {
		struct IMB_MGR *mgr = cpu_manager(&imb_linked, width);

		for (int way = 0; mgr && way < WAYS; way++) {
			/* Sorting changes nothing where all are alike. */
			if (way == BURST_SORTED && len)
				continue;
			printf("%-7s%-15s", cpu_width_name[width],
			       way_name[way]);
			for (size_t i = 0; i < ARRAY_SIZE(batches); i++) {
				fill(WAVECRYPT_ALG_CBC_SHA1, op, len);
				if (way == BURST_SORTED)
					sort_batches(batches[i]);
				printf("%6.0f", measure_cbc(mgr, way,
							    batches[i]));
				fflush(stdout);
			}
			printf("\n");
		}
		if (mgr)
			free_mb_mgr(mgr);
	}
}

static void table_gcm(uint8_t op)
{
	static const uint32_t lens[] = { 64, 512, 1408 };

	printf("\ngcm %s, ns per packet by length\n%-22s",
	       op ? "decrypt" : "encrypt", "");
	for (size_t i = 0; i < ARRAY_SIZE(lens); i++)
		printf("%6u", lens[i]);
	printf("\n");
	for (int width = 0; width < CPU_WIDTHS; width++) {
		struct IMB_MGR *mgr = cpu_manager(&imb_linked, width);
		struct gcm_keys keys;

		if (!mgr)
			continue;
		if (!gcm_keys_init(&keys, key, 1))
			exit(1);
		for (int as_jobs = 0; as_jobs < 2; as_jobs++) {
			printf("%-7s%-15s", cpu_width_name[width],
			       as_jobs ? "jobs" : "direct");
			for (size_t i = 0; i < ARRAY_SIZE(lens); i++) {
				fill(WAVECRYPT_ALG_GCM, op, lens[i]);
				printf("%6.0f", measure_gcm(mgr, &keys,
							    as_jobs));
			}
			printf("\n");
		}
		gcm_keys_exit(&keys);
		free_mb_mgr(mgr);
	}
}

int main(void)
{
	static const uint32_t lens[] = { 64, 512, 1408, 0 };

	setup();
	set_key(WAVECRYPT_ALG_CBC_SHA1);
	for (uint8_t op = 0; op < WAVECRYPT_OPS; op++)
		for (size_t i = 0; i < ARRAY_SIZE(lens); i++)
			table_cbc(op, lens[i]);
	set_key(WAVECRYPT_ALG_GCM);
	for (uint8_t op = 0; op < WAVECRYPT_OPS; op++)
		table_gcm(op);
	return 0;
}
