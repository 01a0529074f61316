// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/cpu/cpu.h"
#include "channel/alg.h"
#include "channel/loopback.h"
#include "channel/packet.h"
#include "channel/queue.h"
#include "ctl/bench_rig.h"
#include "lib/bitmap.h"
#include "lib/clock.h"
#include "lib/log.h"

#define SLOT		2048
#define FULL_SIZE	1424
#define MEASURE_NS	(NSEC_PER_SEC / 10)

/**
 * struct bench_rig - lanes and packets
 * @lb: where the packets are
 * @queue: their queue
 * @be: the lanes
 * @chunk: what they are given
 * @packets: those of the chunk
 * @keys: the vectors whose keys are in the table
 */
struct bench_rig {
	struct loopback *lb;
	struct queue queue;
	struct backend *be;
	struct chunk *chunk;
	struct packet *packets[BENCH_PACKETS];
	uint64_t keys[BITMAP_WORDS(BENCH_VECTORS)];
};

struct bench_rig *bench_rig_open(void)
{
	const struct loopback_config lc = {
		.queues = 1,
		.entries = BENCH_PACKETS,
		.keys = BENCH_VECTORS,
		.slot_size = SLOT,
	};
	struct bench_rig *rig = calloc(1, sizeof(*rig));
	const char *why;

	if (!rig)
		return NULL;
	clock_setup();
	why = cpu_backend.probe(&cpu_device);
	if (why) {
		log_err("this processor is of no use: %s", why);
		free(rig);
		return NULL;
	}
	rig->lb = loopback_create(&lc);
	if (rig->lb &&
	    queue_init(&rig->queue, loopback_channel(rig->lb), 0, 0)) {
		rig->be = cpu_backend.open(&cpu_device,
					   loopback_channel(rig->lb));
		rig->chunk = chunk_alloc(BENCH_PACKETS);
	}
	if (rig->be && rig->chunk)
		return rig;
	log_err("no memory");
	bench_rig_close(rig);
	return NULL;
}

const char *bench_rig_name(void)
{
	return cpu_backend.describe(&cpu_device);
}

void bench_rig_close(struct bench_rig *rig)
{
	if (rig->be)
		rig->be->ops->close(rig->be);
	chunk_free(rig->chunk);
	queue_exit(&rig->queue);
	if (rig->lb) {
		struct channel *ch = loopback_channel(rig->lb);

		ch->ops->close(ch);
		loopback_free(rig->lb);
	}
	free(rig);
}

/* Each key has its own place: a vector's, or that of the one it was made from. */
static uint32_t key_place(const struct bench_vector *v)
{
	uint32_t i = 0;

	while (i < BENCH_VECTORS - 1 && (bench_vectors[i].alg != v->alg ||
					 bench_vectors[i].key_len != v->key_len))
		i++;
	return i;
}

static void set_key(struct bench_rig *rig, const struct bench_vector *v)
{
	uint32_t place = key_place(v);
	uint8_t aes[32], auth[BENCH_AUTH];

	if (bitmap_test(rig->keys, place))
		return;
	for (uint32_t i = 0; i < sizeof(aes); i++)
		aes[i] = bench_key_byte(i);
	for (uint32_t i = 0; i < sizeof(auth); i++)
		auth[i] = bench_auth_byte(i);
	loopback_key_set(loopback_key(rig->lb, place), 1, v->alg, aes,
			 v->key_len, auth, sizeof(auth));
	bitmap_set(rig->keys, place);
}

static void add(struct bench_rig *rig, const struct bench_vector *v,
		uint8_t op, uint32_t len)
{
	struct wavecrypt_desc *d;
	uint8_t *data;
	uint32_t index;

	d = loopback_get(rig->lb, 0, &index);
	data = loopback_slot(rig->lb, 0, index);
	for (uint32_t i = 0; i < BENCH_AAD; i++)
		data[(int)i - BENCH_AAD] = bench_aad_byte(i);
	for (uint32_t i = 0; i < len; i++)
		data[i] = bench_payload_byte(i);
	for (uint32_t i = 0; i < sizeof(d->iv); i++)
		d->iv[i] = bench_iv_byte(v->alg, i);
	d->len = len;
	d->key = key_place(v);
	d->key_gen = 1;
	d->aad_len = BENCH_AAD;
	d->auth_len = BENCH_AAD + len;
	d->alg = v->alg;
	d->op = op;
	d->key_len = v->key_len;
	loopback_submit(rig->lb, 0, index);
}

/* What was added, as packets. */
static bool take(struct bench_rig *rig, uint32_t nr)
{
	loopback_flush(rig->lb, 0);
	if (queue_refill(&rig->queue) != nr)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t index = queue_next(&rig->queue);

		rig->packets[i] = &rig->queue.packets[index];
		if (!packet_load(rig->packets[i], loopback_channel(rig->lb),
				 &rig->queue))
			return false;
	}
	return true;
}

/* Back to where they came from */
static void give_back(struct bench_rig *rig, uint32_t nr)
{
	uint32_t index;

	for (uint32_t i = 0; i < nr; i++)
		queue_complete(&rig->queue, rig->packets[i]);
	queue_publish(&rig->queue);
	while (!loopback_reap(rig->lb, 0, &index))
		loopback_put(rig->lb, 0, index);
}

static void work(struct bench_rig *rig, uint32_t nr, uint32_t longest)
{
	memcpy(rig->chunk->packets, rig->packets, nr * sizeof(*rig->packets));
	chunk_part(rig->chunk, nr, longest);
	rig->be->ops->submit(rig->be, rig->chunk);
	rig->be->ops->poll(rig->be);
}

static bool restored(const struct packet *p)
{
	for (uint32_t i = 0; i < p->len; i++)
		if (p->data[i] != bench_payload_byte(i))
			return false;
	return true;
}

bool bench_rig_check(struct bench_rig *rig, const struct bench_vector *v)
{
	bool good;

	set_key(rig, v);
	for (uint32_t i = 0; i < BENCH_PACKETS; i++)
		add(rig, v, WAVECRYPT_OP_ENCRYPT,
		    bench_lengths[i % BENCH_LENGTHS]);
	good = take(rig, BENCH_PACKETS);
	if (!good)
		return false;
	work(rig, BENCH_PACKETS, bench_lengths[BENCH_LENGTHS - 1]);
	for (uint32_t i = 0; i < BENCH_PACKETS; i++) {
		struct packet *p = rig->packets[i];

		good = good && p->status == WAVECRYPT_STATUS_OK &&
		       !memcmp(p->data + p->len, v->tag[i % BENCH_LENGTHS],
			       BENCH_TAG) && !restored(p);
		p->op = WAVECRYPT_OP_DECRYPT;
		memset(p->data + p->len, 0, BENCH_TAG);
	}
	work(rig, BENCH_PACKETS, bench_lengths[BENCH_LENGTHS - 1]);
	for (uint32_t i = 0; i < BENCH_PACKETS; i++) {
		const struct packet *p = rig->packets[i];

		good = good && p->status == WAVECRYPT_STATUS_OK &&
		       !memcmp(p->data + p->len, v->tag[i % BENCH_LENGTHS],
			       BENCH_TAG) && restored(p);
	}
	give_back(rig, BENCH_PACKETS);
	return good;
}

double bench_rig_speed(struct bench_rig *rig, const struct bench_vector *v,
		       uint8_t op, uint32_t nr)
{
	uint64_t start, now, bits = 0;

	set_key(rig, v);
	for (uint32_t i = 0; i < nr; i++)
		add(rig, v, op, FULL_SIZE);
	if (!take(rig, nr))
		return 0;
	/* Once for the caches */
	work(rig, nr, FULL_SIZE);
	start = clock_ns();
	do {
		work(rig, nr, FULL_SIZE);
		bits += 8ull * nr * FULL_SIZE;
		now = clock_ns();
	} while (now - start < MEASURE_NS);
	give_back(rig, nr);
	return (double)bits * NSEC_PER_SEC / (now - start);
}
