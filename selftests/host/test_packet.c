// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptors are checked before anything is done with them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "channel/alg.h"
#include "channel/queue.h"
#include "ktap.h"
#include "producer.h"

#define QUEUES	3
#define QUEUE	1
#define ENTRIES	16

static struct producer producer;
static struct queue queue;
static struct wavecrypt_desc *desc;
static uint32_t index_of_desc;

static void begin(void)
{
	struct shape s = { .key = 0, .len = 64, .aad_len = 8 };

	random_seed(2);
	producer_init(&producer, QUEUES, ENTRIES);
	EXPECT(queue_init(&queue, loopback_channel(producer.lb), QUEUE,
			  0),
	       "no memory");
	desc = producer_add(&producer, QUEUE, &s, &index_of_desc);
}

static void end(void)
{
	struct channel *ch = loopback_channel(producer.lb);

	queue_exit(&queue);
	ch->ops->close(ch);
	producer_exit(&producer);
}

static bool load(struct packet *p)
{
	memset(p, 0xff, sizeof(*p));
	p->index = index_of_desc;
	return packet_load(p, loopback_channel(producer.lb), &queue);
}

static void good_one(void)
{
	const struct channel *ch;
	struct packet p;

	begin();
	ch = loopback_channel(producer.lb);
	EXPECT(load(&p), "refused");
	EXPECT(p.data == ch->map[WAVECRYPT_REGION_SLOTS] + desc->data,
	       "payload elsewhere");
	EXPECT(p.len == 64 && p.aad_len == 8 && p.gen == desc->gen &&
	       p.alg == WAVECRYPT_ALG_CBC_SHA1 && p.key_len == 16 &&
	       p.key_index == 0,
	       "len %u aad %u gen %u alg %u key_len %u", p.len, p.aad_len,
	       p.gen, p.alg, p.key_len);
	end();
}

static void refused(const struct wavecrypt_desc *bad, const char *what)
{
	struct wavecrypt_desc good = *desc;
	struct packet p;

	*desc = *bad;
	EXPECT(!load(&p), "%s", what);
	EXPECT(p.gen == desc->gen, "%s: generation lost", what);
	*desc = good;
}

/* The descriptor, but for one change. */
#define REFUSED(change) do {						\
	bad = *desc;							\
	change;								\
	refused(&bad, #change);						\
} while (0)

static void hostile(void)
{
	struct wavecrypt_desc bad;
	uint64_t first, behind;
	struct packet p;

	begin();
	first = QUEUE * loopback_channel(producer.lb)->geo.slot_stride;
	behind = first + loopback_channel(producer.lb)->geo.slot_stride;

	REFUSED(bad.alg = WAVECRYPT_ALG_NONE);
	REFUSED(bad.alg = WAVECRYPT_ALGS);
	REFUSED(bad.alg = 255);
	REFUSED(bad.alg = WAVECRYPT_ALG_GCM); /* not this key's */
	REFUSED(bad.op = WAVECRYPT_OPS);
	REFUSED(bad.op = 255);
	REFUSED(bad.len = 0);
	REFUSED(bad.len = 63); /* not a block multiple */
	REFUSED(bad.len = 65536);
	REFUSED(bad.len = UINT32_MAX);
	REFUSED(bad.len = UINT32_MAX - 15);
	REFUSED(bad.aad_len = WAVECRYPT_HEADROOM + 1);
	REFUSED(bad.aad_len = UINT16_MAX);
	REFUSED(bad.key = PRODUCER_KEYS);
	REFUSED(bad.key = UINT32_MAX);
	REFUSED(bad.key = 1); /* of another algorithm */
	REFUSED(bad.key = 2); /* of another size */
	REFUSED(bad.key_gen = 0);
	REFUSED(bad.key_gen = desc->key_gen + 1);
	REFUSED(bad.key_len = 0);
	REFUSED(bad.key_len = 17);
	REFUSED(bad.key_len = 32);
	REFUSED(bad.data = 0); /* another queue's */
	REFUSED(bad.data = first); /* AAD before the slots */
	REFUSED(bad.data = behind);
	REFUSED(bad.data = behind - 64); /* ICV behind them */
	REFUSED(bad.data = desc->data + 1); /* not aligned */
	REFUSED(bad.data = UINT32_MAX & -64);
	EXPECT(load(&p), "the good one was refused in the end");

	/* A key with a size that there is not, on both sides. */
	loopback_key(producer.lb, 0)->key_len = 40;
	REFUSED(bad.key_len = 40);
	/* A free key has generation 0; nobody may name that. */
	loopback_key(producer.lb, 0)->key_len = 16;
	loopback_key(producer.lb, 0)->gen = 0;
	REFUSED(bad.key_gen = 0);
	end();
}

/* Whatever is accepted stays within the queue's slots and the key table. */
static void fuzz(void)
{
	uint32_t accepted = 0;
	const struct channel *ch;

	begin();
	ch = loopback_channel(producer.lb);
	for (int round = 0; round < 300000; round++) {
		struct wavecrypt_desc good = *desc;
		uint8_t *bytes = (uint8_t *)desc;
		const uint8_t *low, *high;
		struct packet p;

		for (uint32_t n = 1 + random_below(3); n; n--) {
			uint32_t at = random_below(offsetof(typeof(*desc),
							    reserved));

			bytes[at] = random_below(4) ? random_below(256) :
						      bytes[at] ^ 1;
		}
		if (load(&p)) {
			accepted++;
			low = ch->map[WAVECRYPT_REGION_SLOTS] +
			      QUEUE * ch->geo.slot_stride;
			high = low + ch->geo.slot_stride;
			EXPECT(p.data - p.aad_len >= low &&
			       p.data + p.len + algs[p.alg].icv_len <= high,
			       "data %u len %u aad %u", desc->data, p.len,
			       p.aad_len);
			EXPECT(p.key >= channel_keys(ch) &&
			       p.key < channel_keys(ch) + PRODUCER_KEYS,
			       "key %u", p.key_index);
		}
		*desc = good;
	}
	EXPECT(accepted > 1000, "only %u were accepted: this tested little",
	       accepted);
	end();
}

/* The attach request's answer, but for one change. */
#define CONTRADICTS(change) do {					\
	bad = good;							\
	change;								\
	EXPECT(channel_check(&bad), "%s", #change);			\
} while (0)

static void geometry(void)
{
	struct wavecrypt_attach good, bad;

	begin();
	good = loopback_channel(producer.lb)->geo;
	EXPECT(!channel_check(&good), "%s", channel_check(&good));

	CONTRADICTS(bad.entries = 0);
	CONTRADICTS(bad.entries = 24);
	CONTRADICTS(bad.entries = 2 * WAVECRYPT_MAX_ENTRIES);
	CONTRADICTS(bad.entries = 4096);
	CONTRADICTS(bad.queues = 0);
	CONTRADICTS(bad.queues = 1000);
	CONTRADICTS(bad.queues = UINT32_MAX);
	CONTRADICTS(bad.keys = 0);
	CONTRADICTS(bad.keys = 1000);
	CONTRADICTS(bad.sq_first = 0);
	CONTRADICTS(bad.sq_first = 65);
	CONTRADICTS(bad.sq_first = UINT64_MAX & -64);
	CONTRADICTS(bad.sq_stride = 64);
	CONTRADICTS(bad.sq_stride = 1ull << 62);
	CONTRADICTS(bad.desc_first = 64);
	CONTRADICTS(bad.desc_first = good.desc_first + 1);
	CONTRADICTS(bad.desc_first = UINT64_MAX & -64);
	CONTRADICTS(bad.cq_stride = 64);
	CONTRADICTS(bad.cq_stride = 1ull << 63);
	CONTRADICTS(bad.slot_stride = 0);
	CONTRADICTS(bad.slot_stride = 1ull << 40);
	CONTRADICTS(bad.region[0].size = 64);
	CONTRADICTS(bad.region[1].size = 64);
	CONTRADICTS(bad.region[2].size = 64);
	CONTRADICTS(bad.region[3].size = 64);
	end();
}

/* A module of another release knows fewer algorithms, or more, and asks for none that
 * it was not offered.
 */
static void other_release(void)
{
	struct wavecrypt_attach good, bad;

	begin();
	good = loopback_channel(producer.lb)->geo;
	bad = good;
	memset(bad.algs, 0, sizeof(bad.algs));
	bad.algs[0] = 1ull << WAVECRYPT_ALG_CBC_SHA1;
	EXPECT(!channel_check(&bad), "%s", channel_check(&bad));

	CONTRADICTS(bad.algs[0] |= 1ull << WAVECRYPT_ALG_NONE);
	CONTRADICTS(bad.algs[WAVECRYPT_ALGS / 64] |= 1ull << WAVECRYPT_ALGS % 64);
	CONTRADICTS(bad.algs[WAVECRYPT_ALG_WORDS - 1] |= 1ull << 63);
	end();
}

static const struct ktap_case cases[] = {
	{ "a good descriptor becomes a packet", good_one },
	{ "a bad field is refused, whichever", hostile },
	{ "300000 mutated descriptors: nothing out of bounds", fuzz },
	{ "an attach answer that contradicts itself is noticed", geometry },
	{ "algorithms of a module of another release", other_release },
	{ 0 },
};

int main(void)
{
	return ktap_run(cases);
}
