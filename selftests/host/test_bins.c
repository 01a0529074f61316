// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bins: every packet comes out, once, in good company.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "bins.h"
#include "ktap.h"
#include "reference.h"

#define GRAIN	16

static unsigned int grain(uint8_t alg, uint8_t op)
{
	(void)op;
	return alg == WAVECRYPT_ALG_GCM ? 1 : GRAIN;
}

static const struct backend_ops backend = { .grain = grain };
static struct packet packets[4096];
static struct bins bins;

static struct packet *packet(uint32_t i, uint8_t alg, uint8_t op,
			     uint8_t key_len, uint32_t len)
{
	packets[i] = (struct packet) {
		.alg = alg,
		.op = op,
		.key_len = key_len,
		.len = len,
		.gen = i,
	};
	return &packets[i];
}

static void add_cbc(uint32_t first, uint32_t nr)
{
	for (uint32_t i = first; i < first + nr; i++)
		bins_add(&bins, packet(i, WAVECRYPT_ALG_CBC_SHA1, 0, 16,
				       64 + i));
}

/* One kind of packet, none twice, and longest first within the range. */
static void check_chunk(const struct chunk *c, bool *seen)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < c->nr; i++) {
		const struct packet *p = c->packets[i];

		EXPECT(p->alg == c->alg && p->op == c->op &&
		       p->key_len == c->key_len,
		       "packet %u in the wrong bin", p->gen);
		EXPECT(!seen[p->gen], "packet %u twice", p->gen);
		seen[p->gen] = true;
		bytes += p->len;
		if (i)
			EXPECT(p->len / BIN_RANGE <=
			       c->packets[i - 1]->len / BIN_RANGE,
			       "%u after %u bytes", p->len,
			       c->packets[i - 1]->len);
	}
	EXPECT(bytes == c->bytes, "%llu bytes, said to be %llu",
	       (unsigned long long)bytes, (unsigned long long)c->bytes);
}

static void none_lost(void)
{
	static bool seen[4096];
	uint32_t in = 0, out = 0;
	struct chunk c;

	random_seed(3);
	bins_init(&bins, &backend);
	while (out < 4096) {
		uint32_t room = BIN_SIZE - bins.nr;
		uint32_t nr = random_below(room + 1);

		for (; nr && in < 4096; nr--, in++)
			bins_add(&bins,
				 packet(in, 1 + random_below(2),
					random_below(2),
					16 + 8 * random_below(3),
					1 + random_below(10144)));
		/* Full bins must be picked even if more is to come. */
		if (!bins_pick(&bins, &c, 1 + random_below(CHUNK_MAX),
			       in < 4096 && bins.nr < BIN_SIZE))
			continue;
		check_chunk(&c, seen);
		out += c.nr;
		EXPECT(bins.nr == in - out, "%u in %u out, %u left", in, out,
		       bins.nr);
	}
	for (uint32_t i = 0; i < 4096; i++)
		EXPECT(seen[i], "packet %u lost", i);
	EXPECT(!bins.used, "bins %x still used", bins.used);
}

static void whole_batches(void)
{
	struct chunk c;

	bins_init(&bins, &backend);
	add_cbc(0, 40);
	EXPECT(bins_pick(&bins, &c, 64, true) && c.nr == 32, "%u", c.nr);
	EXPECT(!bins_pick(&bins, &c, 64, true), "%u did not wait", c.nr);
	add_cbc(40, 8);
	EXPECT(bins_pick(&bins, &c, 64, true) && c.nr == 16, "%u", c.nr);
	add_cbc(48, 5);
	EXPECT(bins_pick(&bins, &c, 64, false) && c.nr == 5, "%u", c.nr);
	EXPECT(!bins_pick(&bins, &c, 64, false), "%u from nothing", c.nr);
	add_cbc(0, 100);
	EXPECT(bins_pick(&bins, &c, 64, true) && c.nr == 64, "%u", c.nr);
}

/* What was left over goes after BIN_MAX_AGE others at the latest. */
static void leftovers(void)
{
	struct chunk c;
	int others = 0;

	bins_init(&bins, &backend);
	bins_add(&bins, packet(0, WAVECRYPT_ALG_CBC_SHA1, 1, 32, 100));
	for (;;) {
		add_cbc(1, 16);
		if (!EXPECT(bins_pick(&bins, &c, 64, true), "nothing") ||
		    c.op == 1)
			break;
		others++;
		if (!EXPECT(others < 100, "it waits for ever"))
			break;
	}
	EXPECT(others == BIN_MAX_AGE, "%d went before", others);
	EXPECT(c.nr == 1 && c.packets[0] == &packets[0], "%u", c.nr);
}

static const struct ktap_case cases[] = {
	{ "4096 random packets: none lost, none twice, longest first",
	  none_lost },
	{ "batches are whole as long as more is to come", whole_batches },
	{ "leftovers have an end", leftovers },
	{ 0 },
};

int main(void)
{
	return ktap_run(cases);
}
