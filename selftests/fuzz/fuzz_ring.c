// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module that is out of its mind: any keys, descriptors, indices and tails,
 * served by a worker. It writes to no byte outside of the slots and of its own
 * ring, answers what it was given, each once, or says that the ring makes no
 * sense.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "channel/channel.h"
#include "fuzz.h"
#include "lib/bitmap.h"
#include "lib/log.h"
#include "worker/worker.h"

#define ENTRIES		16u
#define KEYS		4u
#define REMOVED		16u
#define SLOT		1536u
#define DESC_FIRST	(sizeof(struct wavecrypt_sq) + ENTRIES * sizeof(uint32_t))

struct submit {
	struct wavecrypt_header header;
	struct wavecrypt_sq sq;
	uint32_t ring[ENTRIES];
	struct wavecrypt_desc desc[ENTRIES];
};

struct complete {
	struct wavecrypt_cq cq;
	struct wavecrypt_cqe ring[ENTRIES];
};

/* Each region is a block of its own, so that ASan sees its ends. */
static struct submit *submit;
static struct complete *complete;
static struct wavecrypt_key *keys;
static uint8_t *slots;

static int no_bell(struct channel *ch, uint32_t queue)
{
	(void)ch;
	MUST(queue == 0);
	return 0;
}

static int short_wait(struct channel *ch, const struct wavecrypt_wait *wait)
{
	(void)ch;
	MUST(wait->nr == 1);
	usleep(20);
	return -ETIME;
}

static const struct channel_ops ops = { .bell = no_bell, .wait = short_wait };

static struct channel channel = {
	.ops = &ops,
	.name = "fuzz",
	.geo = {
		.abi = WAVECRYPT_ABI_VERSION,
		.entries = ENTRIES,
		.queues = 1,
		.keys = KEYS,
		.removed_first = KEYS * sizeof(struct wavecrypt_key),
		.removed = REMOVED,
		.sq_first = sizeof(struct wavecrypt_header),
		.sq_stride = sizeof(struct submit) - sizeof(struct wavecrypt_header),
		.desc_first = DESC_FIRST,
		.cq_stride = sizeof(struct complete),
		.slot_stride = ENTRIES * SLOT,
	},
};

static void *map(int region, size_t size)
{
	void *mem = aligned_alloc(WAVECRYPT_LINE, size);

	MUST(mem);
	channel.map[region] = mem;
	channel.geo.region[region].size = size;
	return mem;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	submit = map(WAVECRYPT_REGION_SUBMIT, sizeof(*submit));
	complete = map(WAVECRYPT_REGION_COMPLETE, sizeof(*complete));
	keys = map(WAVECRYPT_REGION_KEYS,
		   KEYS * sizeof(*keys) + REMOVED * sizeof(uint32_t));
	slots = map(WAVECRYPT_REGION_SLOTS, ENTRIES * SLOT);
	log_setup("fuzz", -1);
	return 0;
}

/* Mostly what could be, so that the rest is reached */
static void draw_key(struct wavecrypt_key *key, struct input *in)
{
	static const uint16_t lens[] = { 16, 24, 32, 16, 24, 32, 0, 17 };
	uint8_t kind = input_byte(in);

	memset(key, kind, sizeof(*key));
	key->gen = kind & 3;
	key->alg = kind >> 2 & 3;
	key->key_len = lens[kind >> 4 & 7];
}

static void draw_desc(struct wavecrypt_desc *desc, uint32_t index, struct input *in)
{
	uint8_t odd = input_byte(in), key = input_byte(in);

	memset(desc, 0, sizeof(*desc));
	desc->gen = 1 + index;
	desc->key = key % KEYS;
	desc->key_gen = keys[desc->key].gen;
	desc->alg = keys[desc->key].alg;
	desc->key_len = keys[desc->key].key_len;
	desc->op = key >> 7;
	desc->aad_len = input_byte(in) & 63;
	desc->data = index * SLOT + WAVECRYPT_HEADROOM;
	desc->len = input_byte(in) * 16u;
	desc->auth_len = desc->aad_len + desc->len;
	/* One field is what the input says. */
	switch (odd) {
	case 0:
		input_bytes(in, &desc->data, sizeof(desc->data));
		break;
	case 1:
		input_bytes(in, &desc->len, sizeof(desc->len));
		break;
	case 2:
		input_bytes(in, &desc->key, sizeof(desc->key));
		break;
	case 3:
		input_bytes(in, &desc->aad_len, sizeof(desc->aad_len));
		break;
	case 4:
		desc->alg = input_byte(in);
		break;
	case 5:
		desc->op = input_byte(in);
		break;
	case 6:
		desc->key_len = input_byte(in);
		break;
	case 7:
		input_bytes(in, desc, sizeof(*desc));
		break;
	}
}

/* Whether the ring can be what an honest module wrote */
static bool sane(uint32_t tail)
{
	uint64_t seen[BITMAP_WORDS(ENTRIES)] = { 0 };

	if (tail > ENTRIES)
		return false;
	for (uint32_t i = 0; i < tail; i++) {
		if (submit->ring[i] >= ENTRIES ||
		    bitmap_next(seen, ENTRIES, submit->ring[i]) == submit->ring[i])
			return false;
		bitmap_set(seen, submit->ring[i]);
	}
	return true;
}

/* Every completion is of something that was submitted, as often as it was. */
static void check(uint32_t tail, uint32_t done)
{
	uint32_t open[ENTRIES] = { 0 };

	MUST(done <= tail && done <= ENTRIES);
	for (uint32_t i = 0; i < tail && i < ENTRIES; i++)
		if (submit->ring[i] < ENTRIES)
			open[submit->ring[i]]++;
	for (uint32_t i = 0; i < done; i++) {
		const struct wavecrypt_cqe *cqe = &complete->ring[i];

		MUST(cqe->index < ENTRIES && open[cqe->index]--);
		MUST(cqe->gen == submit->desc[cqe->index].gen);
		MUST(cqe->status <= WAVECRYPT_STATUS_RETRY);
	}
}

static uint32_t published(void)
{
	return __atomic_load_n(&complete->cq.tail, __ATOMIC_ACQUIRE);
}

static void serve(uint32_t tail)
{
	static uint32_t queue;
	struct worker_config wc = {
		.ch = &channel,
		.lanes = &cpu_device,
		.sched = { .level = SCHED_ALL, .range = 256, .age = 4 },
		.queues = &queue,
		.nr_queues = 1,
		.batch_max = 64,
		.end_fd = -1,
	};
	struct worker *w;

	sched_getaffinity(0, sizeof(wc.cpus), &wc.cpus);
	w = worker_start(&wc);
	MUST(w);
	__atomic_store_n(&submit->sq.tail, tail, __ATOMIC_RELEASE);
	while (worker_end(w) == WORKER_RUNNING && published() != tail)
		usleep(20);
	if (sane(tail))
		MUST(worker_end(w) == WORKER_RUNNING);
	worker_stop(w);
	check(tail, published());
	worker_free(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	uint32_t tail = input_byte(&in);

	memset(submit, 0, sizeof(*submit));
	memset(complete, 0, sizeof(*complete));
	memset(slots, 0x5a, ENTRIES * SLOT);
	submit->header.magic = WAVECRYPT_MAGIC;
	submit->header.abi = WAVECRYPT_ABI_VERSION;
	submit->header.state = WAVECRYPT_STATE_LIVE;
	if (tail > 2 * ENTRIES)
		tail = tail & 1 ? tail << 24 : tail % (ENTRIES + 1);
	for (uint32_t i = 0; i < KEYS; i++)
		draw_key(&keys[i], &in);
	for (uint32_t i = 0; i < ENTRIES; i++) {
		uint8_t index = input_byte(&in);

		submit->ring[i] = index < 2 * ENTRIES ? index : i;
		draw_desc(&submit->desc[i], i, &in);
	}
	serve(tail);
	return 0;
}
