// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the helper costs over the library alone.
 *
 * The same packets, on the same CPU, in one run, alternating: through the
 * helper (descriptor in to completion out, over a loopback channel that is kept
 * full from another CPU), and in bare batches of the library, jobs filled in
 * beforehand. Packets are not touched in between, so that what is compared is
 * the work and not who had the packet in its cache. Where a helper with time to spare
 * passes results on (lib/prefetch.h), that is in it as well, and so is having the lines
 * come again, which else were the module's to fetch.
 *
 * Prints nanoseconds per packet, medians over the rounds, and the difference.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "channel/loopback.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "sample.h"
#include "worker/worker.h"

#define ENTRIES		512u
#define SLOT		2048u
#define ROUNDS		201
#define PACKETS		3072u
#define PINGS		20000
#define KEYS		2

/**
 * struct kind - what the packets are
 * @name: for people
 * @alg: &enum wavecrypt_alg
 * @op: &enum wavecrypt_op
 * @len: payload, 0: IMIX
 */
struct kind {
	const char *name;
	uint8_t alg;
	uint8_t op;
	uint32_t len;
};

static const struct kind kinds[] = {
	{ "cbc-sha1 encrypt   64", WAVECRYPT_ALG_CBC_SHA1, 0, 64 },
	{ "cbc-sha1 encrypt  512", WAVECRYPT_ALG_CBC_SHA1, 0, 512 },
	{ "cbc-sha1 encrypt 1408", WAVECRYPT_ALG_CBC_SHA1, 0, 1408 },
	{ "cbc-sha1 encrypt IMIX", WAVECRYPT_ALG_CBC_SHA1, 0, 0 },
	{ "cbc-sha1 decrypt   64", WAVECRYPT_ALG_CBC_SHA1, 1, 64 },
	{ "cbc-sha1 decrypt  512", WAVECRYPT_ALG_CBC_SHA1, 1, 512 },
	{ "cbc-sha1 decrypt 1408", WAVECRYPT_ALG_CBC_SHA1, 1, 1408 },
	{ "cbc-sha1 decrypt IMIX", WAVECRYPT_ALG_CBC_SHA1, 1, 0 },
	{ "gcm encrypt        64", WAVECRYPT_ALG_GCM, 0, 64 },
	{ "gcm encrypt      1408", WAVECRYPT_ALG_GCM, 0, 1408 },
};

static struct loopback *lb;
static uint32_t batch_max = 64;

static void die(const char *what)
{
	fprintf(stderr, "cost: %s\n", what);
	exit(1);
}

/* 61 %, 23 % and 16 % of three lengths, in no order */
static uint32_t length(const struct kind *k, uint32_t i)
{
	uint32_t r = i * 2654435761u >> 16 & 0xff;

	if (k->len)
		return k->len;
	return r < 156 ? 64 : r < 216 ? 544 : 1360;
}

/* Every descriptor of the queue, once: they are only submitted again. */
static void describe(const struct kind *k, struct wavecrypt_desc **desc)
{
	uint32_t index;

	for (uint32_t i = 0; i < ENTRIES; i++) {
		struct wavecrypt_desc *d = loopback_get(lb, 0, SLOT, &index);

		d->len = length(k, index);
		d->key = k->alg - 1;
		d->key_gen = 1;
		d->aad_len = 8;
		d->auth_len = 8 + d->len;
		d->alg = k->alg;
		d->op = k->op;
		d->key_len = 16;
		desc[index] = d;
	}
	for (uint32_t i = 0; i < ENTRIES; i++)
		loopback_put(lb, 0, i);
}

/*
 * Keep the queue full until @packets have come back. Return: ns per packet that the
 * helper was busy; it may be waiting for us at times.
 */
static double through_helper(struct worker *w, uint32_t packets,
			     uint32_t depth)
{
	uint32_t submitted = 0, reaped = 0, index;
	struct worker_stats before, after;

	worker_stats_get(w, &before);

	while (reaped < packets) {
		uint32_t known = reaped;

		while (submitted < packets && submitted - reaped < depth) {
			if (!loopback_get(lb, 0, SLOT, &index))
				break;
			loopback_submit(lb, 0, index);
			submitted++;
			/* As a kernel would: one by one. */
			loopback_flush(lb, 0);
		}
		while (loopback_reap(lb, 0, &index) == WAVECRYPT_STATUS_OK) {
			loopback_put(lb, 0, index);
			reaped++;
		}
		if (reaped != known)
			loopback_reaped(lb, 0);
	}
	/* Its last turn is counted when it is over. */
	while (!worker_asleep(w))
		sched_yield();
	worker_stats_get(w, &after);
	return (double)clock_ns_of(after.busy_ticks - before.busy_ticks) /
	       packets;
}

/**
 * struct bare - the library alone
 * @cpu: where
 * @kind: what
 * @desc: descriptors
 * @took: result, ns per packet
 */
struct bare {
	int cpu;
	const struct kind *kind;
	struct wavecrypt_desc **desc;
	double took;
};

static int longer(const void *a, const void *b)
{
	const struct packet *p = *(struct packet *const *)a;
	const struct packet *q = *(struct packet *const *)b;

	return (p->len < q->len) - (p->len > q->len);
}

static void bare_cbc(struct IMB_MGR *mgr, struct IMB_JOB *jobs, uint32_t nr,
		     uint8_t op)
{
	if (op == WAVECRYPT_OP_ENCRYPT) {
		IMB_SUBMIT_CIPHER_BURST_NOCHECK(mgr, jobs, nr, IMB_CIPHER_CBC,
						IMB_DIR_ENCRYPT, 16);
		IMB_SUBMIT_HASH_BURST_NOCHECK(mgr, jobs, nr,
					      IMB_AUTH_HMAC_SHA_1);
	} else {
		IMB_SUBMIT_HASH_BURST_NOCHECK(mgr, jobs, nr,
					      IMB_AUTH_HMAC_SHA_1);
		IMB_SUBMIT_CIPHER_BURST_NOCHECK(mgr, jobs, nr, IMB_CIPHER_CBC,
						IMB_DIR_DECRYPT, 16);
	}
}

/* The widest manager, batches as large as the helper's, longest first. */
static void *bare_main(void *arg)
{
	static struct IMB_JOB jobs[ENTRIES];
	static struct packet packet[ENTRIES];
	static struct packet *packets[ENTRIES];
	struct bare *b = arg;
	struct IMB_MGR *mgr = NULL;
	struct gcm_keys keys;
	uint32_t done;
	uint64_t start;

	sample_pin(b->cpu);
	for (int w = CPU_WIDTHS; !mgr && w--;)
		mgr = cpu_manager(&imb_linked, w);
	if (!mgr || !gcm_keys_init(&keys, loopback_key(lb, 0), KEYS))
		die("no memory");
	for (uint32_t i = 0; i < ENTRIES; i++) {
		packet[i] = (struct packet) {
			.data = loopback_slot(lb, 0, i),
			.key = loopback_key(lb, b->desc[i]->key),
			.iv = b->desc[i]->iv,
			.len = b->desc[i]->len,
			.key_index = b->desc[i]->key,
			.key_gen = 1,
			.aad_len = 8,
			.auth_len = 8 + b->desc[i]->len,
			.alg = b->kind->alg,
			.op = b->kind->op,
			.key_len = 16,
		};
		packets[i] = &packet[i];
	}
	for (uint32_t i = 0; i < ENTRIES; i += batch_max)
		qsort(packets + i, batch_max, sizeof(packets[0]), longer);
	memset(jobs, 0, ENTRIES * sizeof(*jobs));
	/* Fills in the jobs, and warms up. */
	if (b->kind->alg == WAVECRYPT_ALG_CBC_SHA1)
		for (uint32_t i = 0; i < ENTRIES; i += batch_max)
			cpu_burst_run(mgr, jobs + i, packets + i, batch_max);
	else
		cpu_gcm_run(mgr, &keys, packets, ENTRIES);

	start = clock_ticks();
	for (done = 0; done < PACKETS; done += batch_max) {
		uint32_t at = done % ENTRIES;

		if (b->kind->alg == WAVECRYPT_ALG_CBC_SHA1)
			bare_cbc(mgr, jobs + at, batch_max, b->kind->op);
		else
			cpu_gcm_run(mgr, &keys, packets + at, batch_max);
	}
	b->took = (double)clock_ns_of(clock_ticks() - start) / done;
	gcm_keys_exit(&keys);
	free_mb_mgr(mgr);
	return NULL;
}

static uint32_t ball;
static bool ready;

static void *pong(void *arg)
{
	sample_pin(*(int *)arg);
	__atomic_store_n(&ready, true, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < PINGS; i++) {
		while (__atomic_load_n(&ball, __ATOMIC_ACQUIRE) != 2 * i + 1)
			;
		__atomic_store_n(&ball, 2 * i + 2, __ATOMIC_RELEASE);
	}
	return NULL;
}

/* How far apart are the two CPUs? Nanoseconds for a line there and back. */
static double distance(int cpu)
{
	pthread_t thread;
	uint64_t start;

	ball = 0;
	ready = false;
	pthread_create(&thread, NULL, pong, &cpu);
	/* It starts on our CPU, and may need us to leave it for a moment. */
	while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
		usleep(100);
	start = clock_ticks();
	for (uint32_t i = 0; i < PINGS; i++) {
		__atomic_store_n(&ball, 2 * i + 1, __ATOMIC_RELEASE);
		while (__atomic_load_n(&ball, __ATOMIC_ACQUIRE) != 2 * i + 2)
			;
	}
	start = clock_ticks() - start;
	pthread_join(thread, NULL);
	return (double)clock_ns_of(start) / PINGS;
}

static struct worker *start_worker(int cpu)
{
	uint32_t queues[] = { 0 };
	struct worker_config wc = {
		.ch = loopback_channel(lb),
		.lanes = &cpu_device,
		.queues = queues,
		.nr_queues = 1,
		.spin_ns = 50 * NSEC_PER_USEC,
		.batch_max = batch_max,
		.patience_ns = NSEC_PER_MSEC,
		.again_ns = NSEC_PER_SEC,
		.end_fd = -1,
	};
	struct worker *w;

	CPU_SET(cpu, &wc.cpus);
	w = worker_start(&wc);
	if (!w)
		die("no worker");
	return w;
}

/* A channel counts from its beginning, so each kind of packet has its own. */
static void open_channel(void)
{
	static const uint8_t secret[20] = "0123456789abcdefghi";
	struct loopback_config lc = {
		.queues = 1,
		.entries = ENTRIES,
		.keys = KEYS,
		.slot_size = SLOT,
	};

	lb = loopback_create(&lc);
	if (!lb ||
	    !loopback_key_set(loopback_key(lb, 0), 1, WAVECRYPT_ALG_CBC_SHA1,
			      secret, 16, secret, 20) ||
	    !loopback_key_set(loopback_key(lb, 1), 1, WAVECRYPT_ALG_GCM,
			      secret, 16, NULL, 0))
		die("no channel");
}

static void compare(const struct kind *k, int cpu, uint32_t depth)
{
	static struct wavecrypt_desc *desc[ENTRIES];
	struct bare b = { .cpu = cpu, .kind = k, .desc = desc };
	double helper[ROUNDS], bare[ROUNDS], h, n;
	struct worker *w;

	open_channel();
	describe(k, desc);
	w = start_worker(cpu);
	through_helper(w, PACKETS, depth);
	for (int round = 0; round < ROUNDS; round++) {
		pthread_t thread;

		/* One at a time: the worker sleeps while the library runs. */
		helper[round] = through_helper(w, PACKETS, depth);
		pthread_create(&thread, NULL, bare_main, &b);
		pthread_join(thread, NULL);
		bare[round] = b.took;
	}
	worker_stop(w);
	worker_free(w);
	loopback_channel(lb)->ops->close(loopback_channel(lb));
	loopback_free(lb);
	h = sample_median(helper, ROUNDS);
	n = sample_median(bare, ROUNDS);
	printf("%s  %7.1f  %7.1f  %+6.1f  %+5.1f %%    %6.0f\n", k->name, h, n,
	       h - n, (h / n - 1) * 100, distance(cpu));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	uint32_t depth = ENTRIES;
	const char *why;

	if (argc < 3 || argc > 5) {
		fprintf(stderr, "Usage: cost CPU-OF-KERNEL CPU-OF-HELPER [BATCH [DEPTH]]\n");
		return 64;
	}
	if (argc > 3)
		batch_max = atoi(argv[3]);
	if (argc > 4)
		depth = atoi(argv[4]);
	if (!batch_max || batch_max > CHUNK_MAX || ENTRIES % batch_max ||
	    !depth || depth > ENTRIES)
		die("BATCH is a power of two up to 128, DEPTH 512 at most");
	log_setup("cost", LOG_ERR);
	clock_setup();
	why = cpu_backend.probe(&cpu_device);
	if (why)
		die(why);
	sample_pin(atoi(argv[1]));
	printf("%s\n", cpu_backend.describe(&cpu_device));
	printf("batches of %u, %u in flight; ns per packet\n", batch_max,
	       depth);
	printf("                        helper  library    more            ping-pong\n");
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		compare(&kinds[i], atoi(argv[2]), depth);
	return 0;
}
