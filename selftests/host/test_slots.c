// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's slots, and the loopback's, which are the same.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdint.h>
#include <stdlib.h>

#include "channel/loopback.h"
#include "ktap.h"

/* What IP and ESP put around a payload at least, and the trailer in it */
#define IPV4	20
#define ESP	8
#define TRAILER	2
#define BLOCK	16

#define ROOM	(WAVECRYPT_HEADROOM + WAVECRYPT_TAILROOM)

static void sizes(void)
{
	uint32_t before = ROOM;

	for (int i = 0; i < WAVECRYPT_SLOTS_CLASSES; i++) {
		uint32_t size = wavecrypt_sizes[i].size;

		EXPECT(size > before, "%u after %u", size, before);
		EXPECT(size % WAVECRYPT_LINE == 0, "%u: a payload is not aligned", size);
		EXPECT(size % 512, "%u: slots share few sets of a cache", size);
		before = size;
	}
	EXPECT(before - ROOM >= WAVECRYPT_MAX_LEN, "%u", before);
	for (int slots = 0; slots < WAVECRYPT_SLOTS; slots++) {
		uint32_t sum = 0;

		for (int i = 0; i < WAVECRYPT_SLOTS_CLASSES; i++)
			sum += wavecrypt_sizes[i].share[slots];
		EXPECT(sum == WAVECRYPT_SLOTS_SHARES, "%u", sum);
	}
}

static bool fits(uint32_t len)
{
	return len <= wavecrypt_sizes[1].size - ROOM;
}

static void ethernet(void)
{
	uint32_t inner = (1500 + TRAILER + BLOCK - 1) / BLOCK * BLOCK;
	uint32_t outer = (1500 - IPV4 - ESP) / BLOCK * BLOCK;

	EXPECT(fits(outer), "%u bytes in a packet of 1500", outer);
	EXPECT(fits(BLOCK + inner), "%u bytes for a packet of 1500", BLOCK + inner);
	EXPECT(!fits(2048 - ROOM), "slots are no closer to packets than they have to be");
}

static struct loopback *loopback(uint32_t entries, enum wavecrypt_slots slots)
{
	struct loopback_config lc = {
		.queues = 2, .entries = entries, .keys = 16, .slots = slots,
	};
	struct loopback *lb = loopback_create(&lc);

	EXPECT(lb, "%u entries", entries);
	return lb;
}

static void loopback_end(struct loopback *lb)
{
	struct channel *ch = loopback_channel(lb);

	ch->ops->close(ch);
	loopback_free(lb);
}

/* What selftests/guest/abuse.c expects of the module */
static void same(void)
{
	for (int slots = 0; slots < WAVECRYPT_SLOTS; slots++)
		for (uint32_t n = 16; n <= WAVECRYPT_MAX_ENTRIES; n *= 4) {
			struct loopback *lb = loopback(n, slots);
			const struct channel *ch = loopback_channel(lb);
			const struct wavecrypt_desc *desc =
				(const void *)((const uint8_t *)channel_sq(ch, 1) +
					       ch->geo.desc_first);
			uint64_t at = ch->geo.slot_stride + WAVECRYPT_HEADROOM;
			uint32_t index = 0;

			for (int i = 0; i < WAVECRYPT_SLOTS_CLASSES; i++)
				for (uint32_t k = wavecrypt_slots_nr(i, n, slots); k; k--) {
					EXPECT(desc[index].data == at, "%u at %u", index,
					       desc[index].data);
					at += wavecrypt_sizes[i].size;
					index++;
				}
			EXPECT(index == n, "%u of %u", index, n);
			EXPECT(at - WAVECRYPT_HEADROOM <= 2 * ch->geo.slot_stride,
			       "beyond the queue");
			EXPECT(at - WAVECRYPT_HEADROOM - ch->geo.slot_stride ==
			       wavecrypt_slots_bytes(n, slots), "%u entries", n);
			loopback_end(lb);
		}
}

/* How many packets of @len find a slot, all others being free; the last one's index */
static uint32_t found(struct loopback *lb, uint32_t len, uint32_t *last)
{
	uint32_t n = 0;

	while (loopback_get(lb, 0, len, last))
		n++;
	return n;
}

static void shares(void)
{
	static const struct {
		enum wavecrypt_slots slots;
		uint32_t len, nr;
	} cases[] = {
		{ WAVECRYPT_SLOTS_ETHERNET, 64, 512 },
		{ WAVECRYPT_SLOTS_ETHERNET, 1408, 256 + 64 },
		{ WAVECRYPT_SLOTS_ETHERNET, 4096, 64 },
		{ WAVECRYPT_SLOTS_JUMBO, 64, 512 },
		{ WAVECRYPT_SLOTS_JUMBO, 1408, 128 + 256 },
		{ WAVECRYPT_SLOTS_JUMBO, 4096, 256 },
		{ WAVECRYPT_SLOTS_JUMBO, WAVECRYPT_MAX_LEN, 256 },
	};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct loopback *lb = loopback(512, cases[i].slots);
		uint32_t last, nr = found(lb, cases[i].len, &last);

		EXPECT(nr == cases[i].nr, "%u of %u bytes, not %u", nr, cases[i].len,
		       cases[i].nr);
		loopback_end(lb);
	}
}

/* Round and round, past those that are not free. */
static void order(void)
{
	struct loopback *lb = loopback(16, WAVECRYPT_SLOTS_ETHERNET);
	uint32_t last, index;

	for (uint32_t i = 0; i < 3; i++)
		EXPECT(loopback_get(lb, 0, 64, &index) && index == i, "%u", index);
	loopback_put(lb, 0, 2);
	loopback_put(lb, 0, 1);
	for (uint32_t i = 3; i < 6; i++)
		EXPECT(loopback_get(lb, 0, 64, &index) && index == i, "not yet: %u", index);
	for (uint32_t i = 1; i < 3; i++)
		EXPECT(loopback_get(lb, 0, 64, &index) && index == i, "again: %u", index);
	EXPECT(found(lb, 64, &last) == 10 && last == 15, "%u", last);
	loopback_put(lb, 0, 9);
	loopback_put(lb, 0, 2);
	loopback_put(lb, 0, 7);
	EXPECT(loopback_get(lb, 0, 64, &index) && index == 2, "small: %u", index);
	EXPECT(loopback_get(lb, 0, 64, &index) && index == 9, "first: %u", index);
	EXPECT(loopback_get(lb, 0, 64, &index) && index == 7, "second: %u", index);
	EXPECT(!loopback_get(lb, 0, 64, &index), "one too many: %u", index);
	loopback_end(lb);
}

#define PAGE	4096

/* What Documentation/operations.rst says of many CPUs, and that what is said to fit does */
static void many_queues(void)
{
	static const struct {
		uint32_t queues;
		enum wavecrypt_slots slots;
		uint32_t most;
	} cases[] = {
		{ 1, WAVECRYPT_SLOTS_JUMBO, 4096 },
		{ 64, WAVECRYPT_SLOTS_ETHERNET, 4096 },
		{ 64, WAVECRYPT_SLOTS_JUMBO, 4096 },
		{ 183, WAVECRYPT_SLOTS_JUMBO, 4096 },
		{ 184, WAVECRYPT_SLOTS_JUMBO, 2048 },
		{ 448, WAVECRYPT_SLOTS_ETHERNET, 4096 },
		{ 449, WAVECRYPT_SLOTS_ETHERNET, 2048 },
		{ 897, WAVECRYPT_SLOTS_ETHERNET, 2048 },
		{ 898, WAVECRYPT_SLOTS_ETHERNET, 1024 },
		{ 8192, WAVECRYPT_SLOTS_ETHERNET, 128 },
	};

	for (unsigned int i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint32_t most = wavecrypt_slots_most(cases[i].queues, cases[i].slots, PAGE);
		uint64_t last = (cases[i].queues - 1) *
				wavecrypt_slots_stride(most, cases[i].slots, PAGE) +
				wavecrypt_slots_bytes(most, cases[i].slots);

		EXPECT(most == cases[i].most, "%u queues: %u, not %u", cases[i].queues, most,
		       cases[i].most);
		EXPECT(last <= UINT32_MAX, "%u queues: %u do not fit", cases[i].queues, most);
	}
}

#define ENTRIES	4096
/* A third of a class is in flight. */
#define BATCH	48
#define BATCHES	16

/*
 * Lanes and a GPU give back batches in any order: those that are taken then still follow
 * each other, but where one is passed over that is in flight.
 */
static void neighbours(void)
{
	static uint32_t batch[BATCHES][BATCH];
	struct loopback *lb = loopback(ENTRIES, WAVECRYPT_SLOTS_ETHERNET);
	uint32_t index = 0, before = 0, apart = 0, taken = 0;
	bool flying[ENTRIES] = { false };

	for (int round = 0; round < 1000; round++) {
		uint32_t *b = batch[round < BATCHES ? round : rand() % BATCHES];

		for (int i = 0; i < BATCH && round >= BATCHES; i++) {
			loopback_put(lb, 0, b[i]);
			flying[b[i]] = false;
		}
		for (int i = 0; i < BATCH; i++, before = index) {
			EXPECT(loopback_get(lb, 0, 1408, &index), "none in round %d", round);
			EXPECT(!flying[index], "%u, which is in flight", index);
			flying[index] = true;
			b[i] = index;
			taken++;
			apart += index != before + 1;
		}
	}
	/* In the order in which they came back it would be several of each batch. */
	EXPECT(apart * 100 < taken, "%u of %u", apart, taken);
	loopback_end(lb);
}

int main(void)
{
	static const struct ktap_case cases[] = {
		{ "sizes and shares", sizes },
		{ "what ESP makes of 1500 bytes fits the slots for it", ethernet },
		{ "the loopback's are where the module's are", same },
		{ "how many fit many queues", many_queues },
		{ "how many packets of a length find one", shares },
		{ "they are used in turn", order },
		{ "packets that follow each other lie side by side", neighbours },
		{ 0 },
	};

	return ktap_run(cases);
}
