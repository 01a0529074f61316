// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scheduler: every packet comes out, once, in good company, and in time.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "ktap.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "lib/errand.h"
#include "reference.h"
#include "sched/offload.h"

#define PACKETS		4096
#define RANGE		256
#define AGE		4
#define LANES_GRAIN	16
#define DEVICE_MAX	1024

/* Longer than anything takes */
#define PATIENCE_NS	(60 * NSEC_PER_SEC)

static unsigned int lanes_grain(const struct device *dev, uint8_t alg, uint8_t op)
{
	(void)dev;
	(void)op;
	return alg == WAVECRYPT_ALG_GCM ? 1 : LANES_GRAIN;
}

static unsigned int device_grain(const struct device *dev, uint8_t alg, uint8_t op)
{
	(void)dev;
	if (alg == WAVECRYPT_ALG_GCM)
		return 40;
	return op == WAVECRYPT_OP_ENCRYPT ? 120 : 32;
}

/* AES-CBC is dear to the lanes; the device takes time to get going. */
static void lanes_cost(const struct device *dev, uint8_t alg, uint8_t op,
		       uint8_t key_len, struct backend_cost *cost)
{
	(void)dev;
	(void)op;
	(void)key_len;
	*cost = (struct backend_cost) {
		.packet_ns = 50,
		.byte_ns = alg == WAVECRYPT_ALG_GCM ? 0.1 : 0.3,
	};
}

static void device_cost(const struct device *dev, uint8_t alg, uint8_t op,
			uint8_t key_len, struct backend_cost *cost)
{
	(void)dev;
	(void)alg;
	(void)op;
	(void)key_len;
	*cost = (struct backend_cost) {
		.packet_ns = 10,
		.byte_ns = 0.02,
		.delay_ns = 100000,
		.delay_byte_ns = 50,
		.host_ns = 10000,
		.host_packet_ns = 20,
	};
}

/* A device that has no time for every packet whose generation says so. */
#define UNREADY		0x80000000u

static bool device_takes(struct backend *be, const struct packet *p)
{
	(void)be;
	return !(p->gen & UNREADY);
}

static struct backend device;

static struct backend *device_start(struct device *dev, const struct channel *ch)
{
	(void)dev;
	(void)ch;
	return &device;
}

/* The chunk that it was last given */
static struct chunk *with_device;

static bool device_submit(struct backend *be, struct chunk *c)
{
	(void)be;
	with_device = c;
	return true;
}

static struct chunk *device_poll(struct backend *be)
{
	(void)be;
	return with_device;
}

static bool device_end(struct backend *be)
{
	(void)be;
	return true;
}

static bool device_gone;

static bool device_there(const struct device *dev)
{
	(void)dev;
	return !device_gone;
}

static uint32_t keys_looked_after;

static void device_keys(struct backend *be)
{
	(void)be;
	keys_looked_after++;
}

static const struct backend_ops lanes_ops = {
	.grain = lanes_grain,
	.cost = lanes_cost,
};

static const struct backend_ops device_ops = {
	.grain = device_grain,
	.cost = device_cost,
	.takes = device_takes,
	.there = device_there,
	.open = device_start,
	.submit = device_submit,
	.poll = device_poll,
	.keys_changed = device_keys,
	.close = device_end,
};

static struct device lanes = { .ops = &lanes_ops };
static struct device gpu = { .ops = &device_ops };

static struct backend device = {
	.ops = &device_ops,
	.dev = &gpu,
	.chunks = 3,
	.pipeline = 1,
	.chunk_max = DEVICE_MAX,
};

static struct packet packets[PACKETS];
static bool seen[PACKETS];
static struct bins bins, refused;
static struct chunk *chunk;
static struct cost_model lanes_model, device_model;
static struct packet *room[DEVICE_MAX];
static struct part parts[DEVICE_MAX];
static const struct filler filler = {
	.be = &device,
	.model = &device_model,
	.refused = &refused,
	.packets = room,
	.parts = parts,
};

static void begin(enum sched_level level)
{
	const struct sched_config config = {
		.level = level,
		.range = RANGE,
		.age = AGE,
	};

	random_seed(3 + level);
	memset(seen, 0, sizeof(seen));
	bins_init(&bins, &lanes, &config, PACKETS);
	bins_init(&refused, &lanes, &config, PACKETS);
	chunk = chunk_alloc(DEVICE_MAX);
	cost_model_init(&lanes_model, &lanes);
	cost_model_init(&device_model, &gpu);
}

static void end(void)
{
	chunk_free(chunk);
	bins_exit(&bins);
	bins_exit(&refused);
}

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

static struct packet *packet_random(uint32_t i)
{
	return packet(i, 1 + random_below(2), random_below(2),
		      16 + 8 * random_below(3), 1 + random_below(10112));
}

static void add_cbc(uint32_t first, uint32_t nr, uint32_t len)
{
	for (uint32_t i = first; i < first + nr; i++)
		bins_add(&bins, packet(i, WAVECRYPT_ALG_CBC_SHA1, 0, 16, len));
}

static uint32_t index_of(const struct packet *p)
{
	return p->gen & ~UNREADY;
}

/* One kind of packet, none seen before, longest first by ranges. */
static uint64_t check_part(const struct chunk *c, const struct part *part)
{
	uint32_t longest = 0;
	uint64_t bytes = 0;

	for (uint32_t i = part->first; i < part->first + part->nr; i++) {
		const struct packet *p = c->packets[i];

		EXPECT(p->alg == part->alg && p->op == part->op &&
		       p->key_len == part->key_len,
		       "packet %u in the wrong part", index_of(p));
		EXPECT(!seen[index_of(p)], "packet %u twice", index_of(p));
		seen[index_of(p)] = true;
		bytes += p->len;
		if (p->len > longest)
			longest = p->len;
		if (i > part->first && bins.config.level >= SCHED_LENGTH)
			EXPECT(p->len / RANGE <= c->packets[i - 1]->len / RANGE,
			       "%u after %u bytes", p->len,
			       c->packets[i - 1]->len);
	}
	EXPECT(longest == part->longest, "%u bytes in a part of up to %u",
	       longest, part->longest);
	return bytes;
}

static void check_chunk(const struct chunk *c)
{
	uint64_t bytes = 0;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < c->nr_parts; i++) {
		bytes += check_part(c, &c->parts[i]);
		nr += c->parts[i].nr;
	}
	EXPECT(nr == c->nr, "%u packets, said to be %u", nr, c->nr);
	EXPECT(bytes == c->bytes, "%llu bytes, said to be %llu",
	       (unsigned long long)bytes, (unsigned long long)c->bytes);
}

static void check_all_seen(void)
{
	for (uint32_t i = 0; i < PACKETS; i++)
		EXPECT(seen[i], "packet %u lost", i);
	EXPECT(!bins.nr && !bins_used(&bins), "%u packets left, %u bins used",
	       bins.nr, bins_used(&bins));
}

/* For a device, besides: parts within its grain, and what they weigh. */
static void check_device_chunk(const struct chunk *c)
{
	struct load load[ALG_KINDS] = { 0 };

	check_chunk(c);
	for (uint32_t i = 0; i < c->nr_parts; i++) {
		const struct part *part = &c->parts[i];
		unsigned int kind = alg_kind(part->alg, part->op,
					     part->key_len);

		EXPECT(part->nr && part->nr <= device_grain(NULL, part->alg, part->op),
		       "%u packets in a part", part->nr);
		if (i && bins.config.level == SCHED_ALL)
			EXPECT(part->weight <= c->parts[i - 1].weight * 1.01 + 1,
			       "a part of weight %u after one of %u",
			       part->weight, c->parts[i - 1].weight);
		load[kind].nr += part->nr;
		for (uint32_t k = 0; k < part->nr; k++)
			load[kind].bytes += c->packets[part->first + k]->len;
	}
	for (int i = 0; i < ALG_KINDS; i++)
		EXPECT(load[i].nr == c->load[i].nr &&
		       load[i].bytes == c->load[i].bytes,
		       "kind %d: %u packets, said to be %u", i, load[i].nr,
		       c->load[i].nr);
}

/* Packets come at random, and both the lanes and the device take theirs. */
static void play(enum sched_level level)
{
	uint32_t in = 0, out = 0;
	struct split split;

	begin(level);
	while (out < PACKETS) {
		for (uint32_t nr = random_below(600); nr && in < PACKETS; nr--)
			bins_add(&bins, packet_random(in++));
		if (random_below(2) && in >= 700) {
			split_all(&bins, random_below(DEVICE_MAX) + 1, &split);
			if (fill(&filler, &bins, &split, chunk)) {
				check_device_chunk(chunk);
				out += chunk->nr;
			}
		} else if (bins_pick(&bins, chunk, 1 + random_below(CHUNK_MAX),
				     in < PACKETS)) {
			check_chunk(chunk);
			out += chunk->nr;
		}
		EXPECT(bins.nr == in - out, "%u in %u out, %u left", in, out,
		       bins.nr);
	}
	check_all_seen();
	end();
}

static void play_none(void)
{
	play(SCHED_NONE);
}

static void play_algorithm(void)
{
	play(SCHED_ALGORITHM);
}

static void play_length(void)
{
	play(SCHED_LENGTH);
}

static void play_all(void)
{
	play(SCHED_ALL);
}

/* Unsorted is unsorted: the order of arrival, whatever the kind. */
static void arrival_order(void)
{
	struct split split;
	uint32_t next = 0;

	begin(SCHED_NONE);
	for (uint32_t i = 0; i < DEVICE_MAX; i++)
		bins_add(&bins, packet_random(i));
	split_all(&bins, DEVICE_MAX, &split);
	fill(&filler, &bins, &split, chunk);
	EXPECT(chunk->nr == DEVICE_MAX, "%u packets", chunk->nr);
	for (uint32_t i = 0; i < chunk->nr_parts; i++) {
		EXPECT(chunk->parts[i].first == next, "part %u begins at %u", i,
		       chunk->parts[i].first);
		next += chunk->parts[i].nr;
	}
	for (uint32_t i = 0; i < chunk->nr; i++)
		EXPECT(chunk->packets[i] == &packets[i], "packet %u", i);
	end();
}

static void whole_batches(void)
{
	begin(SCHED_ALL);
	add_cbc(0, 40, 100);
	EXPECT(bins_pick(&bins, chunk, 64, true) && chunk->nr == 32, "%u",
	       chunk->nr);
	EXPECT(!bins_pick(&bins, chunk, 64, true), "%u did not wait",
	       chunk->nr);
	add_cbc(40, 8, 100);
	EXPECT(bins_pick(&bins, chunk, 64, true) && chunk->nr == 16, "%u",
	       chunk->nr);
	add_cbc(48, 5, 100);
	EXPECT(bins_pick(&bins, chunk, 64, false) && chunk->nr == 5, "%u",
	       chunk->nr);
	EXPECT(!bins_pick(&bins, chunk, 64, false), "%u from nothing",
	       chunk->nr);
	add_cbc(0, 100, 100);
	EXPECT(bins_pick(&bins, chunk, 64, true) && chunk->nr == 64, "%u",
	       chunk->nr);
	end();
}

/* What was left over by the lanes goes after AGE others at the latest. */
static void leftovers_lanes(void)
{
	int others = 0;

	begin(SCHED_ALL);
	bins_add(&bins, packet(0, WAVECRYPT_ALG_CBC_SHA1, 1, 32, 100));
	for (;;) {
		add_cbc(1, 16, 100);
		if (!EXPECT(bins_pick(&bins, chunk, 64, true), "nothing") ||
		    chunk->parts[0].op == 1)
			break;
		others++;
		if (!EXPECT(others < 100, "it waits for ever"))
			break;
	}
	EXPECT(others == AGE, "%d went before", others);
	EXPECT(chunk->nr == 1 && chunk->packets[0] == &packets[0], "%u",
	       chunk->nr);
	end();
}

/* The same for a device: a part that is not full waits, but not for ever. */
static void leftovers_device(void)
{
	struct split split;
	int others = 0;

	begin(SCHED_ALL);
	add_cbc(0, 1, 100);
	bins_add(&bins, packet(1, WAVECRYPT_ALG_GCM, 0, 16, 100));
	split_all(&bins, DEVICE_MAX, &split);
	EXPECT(fill(&filler, &bins, &split, chunk) && chunk->nr == 2,
	       "they wait for nothing: %u of 2", chunk->nr);

	bins_add(&bins, packet(0, WAVECRYPT_ALG_GCM, 0, 16, 100));
	for (;;) {
		add_cbc(1, 120, 100);
		split_all(&bins, DEVICE_MAX, &split);
		if (!EXPECT(fill(&filler, &bins, &split, chunk), "nothing") ||
		    chunk->nr == 121)
			break;
		EXPECT(chunk->nr == 120, "%u packets", chunk->nr);
		others++;
		if (!EXPECT(others < 100, "it waits for ever"))
			break;
	}
	EXPECT(others == AGE, "%d went before", others);
	end();
}

/* What a device cannot take is the lanes'; nothing is lost on the way. */
static void refusals(void)
{
	struct split split;
	uint32_t odd = 0;

	begin(SCHED_ALL);
	for (uint32_t i = 0; i < DEVICE_MAX; i++) {
		struct packet *p = packet_random(i);

		if (random_below(3) == 0) {
			p->gen |= UNREADY;
			odd++;
		}
		bins_add(&bins, p);
	}
	for (int i = 0; i < AGE + 1 && bins.nr; i++) {
		split_all(&bins, DEVICE_MAX, &split);
		if (fill(&filler, &bins, &split, chunk))
			check_device_chunk(chunk);
	}
	EXPECT(!bins.nr, "%u left", bins.nr);
	EXPECT(refused.nr == odd, "%u refused, not %u", refused.nr, odd);
	while (bins_pick(&refused, chunk, 64, false)) {
		check_chunk(chunk);
		for (uint32_t i = 0; i < chunk->nr; i++)
			EXPECT(chunk->packets[i]->gen & UNREADY,
			       "packet %u refused", chunk->packets[i]->gen);
	}
	for (uint32_t i = 0; i < DEVICE_MAX; i++)
		EXPECT(seen[i], "packet %u lost", i);
	end();
}

static void split_at(double backlog, double rate, struct split *split)
{
	split_balance(&bins, &lanes_model, &device, &device_model, backlog,
		      rate, 1, DEVICE_MAX, split);
}

static void split_now(double backlog, struct split *split)
{
	split_at(backlog, 0, split);
}

/* The lanes need 472 ns a packet, the device 38 ns after 170 us. */
static void split_small(void)
{
	struct split split;

	begin(SCHED_ALL);
	add_cbc(0, 300, 1408);
	split_now(0, &split);
	EXPECT(!split.nr, "%u of 300 packets, which the lanes do sooner",
	       split.nr);
	end();
}

static void split_even(void)
{
	double on_lanes, on_device;
	struct split split;

	begin(SCHED_ALL);
	add_cbc(0, 1000, 1408);
	split_now(0, &split);
	on_lanes = 10000 + split.nr * 20 + (1000 - split.nr) * 472.4;
	on_device = 170400 + split.nr * 38.16;
	EXPECT(split.nr % device_grain(NULL, WAVECRYPT_ALG_CBC_SHA1, 0) == 0,
	       "%u packets are no whole parts", split.nr);
	EXPECT(on_device <= on_lanes && on_lanes - on_device < 120 * 520,
	       "%u packets: the lanes end at %.0f, the device at %.0f ns",
	       split.nr, on_lanes, on_device);
	end();
}

/* The device that has more to do yet is given less. */
static void split_backlog(void)
{
	struct split idle, busy, late;

	begin(SCHED_ALL);
	add_cbc(0, 1000, 1408);
	split_now(0, &idle);
	split_now(300000, &busy);
	split_now(500000, &late);
	EXPECT(busy.nr && busy.nr < idle.nr, "%u after %u", busy.nr, idle.nr);
	EXPECT(!late.nr, "%u that come too late", late.nr);
	end();
}

/* What arrives meanwhile is the lanes', so more of what is there is the device's. */
static void split_arriving(void)
{
	double on_lanes, on_device, half = 0.5 / 472.4;
	struct split split;

	begin(SCHED_ALL);
	add_cbc(0, 1000, 1408);
	split_at(0, half, &split);
	on_device = 170400 + split.nr * 38.16;
	on_lanes = 10000 + split.nr * 20 +
		   (1000 - split.nr + half * on_device) * 472.4;
	EXPECT(on_device <= on_lanes && on_lanes - on_device < 120 * 520,
	       "%u packets: the lanes end at %.0f, the device at %.0f ns",
	       split.nr, on_lanes, on_device);
	split_at(0, 2 * half, &split);
	EXPECT(split.nr == 1000, "%u, and the lanes have enough to do",
	       split.nr);
	split_at(0, 50 * half, &split);
	EXPECT(split.nr == 1000, "%u, and the lanes have too much to do",
	       split.nr);
	end();

	begin(SCHED_ALL);
	add_cbc(0, 300, 1408);
	split_at(0, 10 * half, &split);
	EXPECT(!split.nr, "%u of 300 packets, which the lanes do sooner",
	       split.nr);
	end();
}

/* Whoever is better at what, neighbours stay together. */
static void split_alike(void)
{
	unsigned int cbc = alg_kind(WAVECRYPT_ALG_CBC_SHA1, 0, 16);
	unsigned int gcm = alg_kind(WAVECRYPT_ALG_GCM, 0, 16);
	struct split split;

	begin(SCHED_ALL);
	add_cbc(0, 480, 1408);
	for (uint32_t i = 480; i < 960; i++)
		bins_add(&bins, packet(i, WAVECRYPT_ALG_GCM, 0, 16, 1408));
	split_now(0, &split);
	EXPECT(split.nr && split.nr < 960, "%u of 960", split.nr);
	EXPECT(split.share[cbc] > 0 &&
	       abs((int)(split.share[cbc] - split.share[gcm])) < 160,
	       "%u CBC, %u GCM", split.share[cbc], split.share[gcm]);
	end();
}

/* If not all fit, what came first goes first, whatever it is. */
static void split_fair(void)
{
	struct split split;

	begin(SCHED_ALL);
	for (uint32_t i = 0; i < PACKETS; i++)
		bins_add(&bins, packet(i, 1 + i % 2, i / 2 % 2, 16, 1408));
	split_all(&bins, DEVICE_MAX, &split);
	EXPECT(split.nr == DEVICE_MAX, "%u", split.nr);
	for (uint32_t i = 0; i < 4; i++) {
		unsigned int kind = alg_kind(1 + i % 2, i / 2, 16);

		EXPECT(split.share[kind] == DEVICE_MAX / 4, "%u of kind %u",
		       split.share[kind], kind);
	}
	end();
}

/* The line follows what is observed, and keeps its slope where nothing is. */
static void cost_follows(void)
{
	struct cost_line l;

	cost_line_init(&l, 64, 100, 1408, 500);
	EXPECT(cost_line_at(&l, 64) > 99.9 && cost_line_at(&l, 64) < 100.1,
	       "%f at 64", cost_line_at(&l, 64));
	for (int i = 0; i < 1000; i++)
		cost_line_learn(&l, 1408, 1000, 1);
	EXPECT(cost_line_at(&l, 1408) > 950 && cost_line_at(&l, 1408) < 1050,
	       "%f at 1408 after 1000 observations of 1000",
	       cost_line_at(&l, 1408));
	EXPECT(cost_line_at(&l, 64) > 50 && cost_line_at(&l, 64) < 150,
	       "%f at 64, of which nothing was observed",
	       cost_line_at(&l, 64));
	for (int i = 0; i < 1000; i++)
		cost_line_learn(&l, i % 2 ? 64 : 1408, i % 2 ? 300 : 600, 1);
	EXPECT(cost_line_at(&l, 736) > 440 && cost_line_at(&l, 736) < 460,
	       "%f between 300 and 600", cost_line_at(&l, 736));
}

/* One disturbed measurement does not turn everything over. */
static void cost_disturbed(void)
{
	struct cost_line l;

	cost_line_init(&l, 64, 100, 1408, 500);
	for (int i = 0; i < 100; i++)
		cost_line_learn(&l, 1408, 500, 1);
	cost_line_learn(&l, 1408, 1000000, 1);
	EXPECT(cost_line_at(&l, 1408) < 550, "%f after one of 1000000",
	       cost_line_at(&l, 1408));
}

/* Bins, and lanes and a device for what is in them */
static void begin_offload(struct offload *o)
{
	static const struct sched_config config = { SCHED_ALL, RANGE, AGE };
	static struct channel ch = { .users = 1 };
	const struct offload_config oc = {
		.ch = &ch,
		.device = &gpu,
		.lanes = &lanes,
		.sched = &config,
		.room = PACKETS,
	};

	begin(SCHED_ALL);
	EXPECT(offload_init(o, &oc), "no memory");
}

static void end_offload(struct offload *o)
{
	offload_exit(o);
	end();
}

/* By how much a lone packet that took the lanes four times as long changes what one is
 * expected to take
 */
static double learnt(uint8_t alg)
{
	const struct cost_line *line;
	struct offload o;
	double before, after;

	begin_offload(&o);
	line = &o.lanes.packet[alg_kind(alg, 0, 16)];
	before = cost_line_at(line, 1408);
	bins_add(&bins, packet(0, alg, 0, 16, 1408));
	EXPECT(bins_pick(&bins, chunk, 64, false) && chunk->nr == 1, "%u", chunk->nr);
	offload_lanes_took(&o, chunk, 4 * before);
	after = cost_line_at(line, 1408);
	end_offload(&o);
	return after / before;
}

/* A packet alone says little of what one of many takes, where lanes are filled by many. */
static void lanes_learn(void)
{
	double gcm = learnt(WAVECRYPT_ALG_GCM), cbc = learnt(WAVECRYPT_ALG_CBC_SHA1);

	EXPECT(gcm > 1.5 && gcm < 4, "GCM: %f", gcm);
	EXPECT(cbc > 1 && cbc < 1.3, "CBC: %f", cbc);
}

/* Chunks that it is given one after another, when it is done or has @left ns to go */
static uint32_t given(unsigned int kinds, double left)
{
	struct offload o;
	uint32_t nr = 0;

	begin_offload(&o);
	for (unsigned int i = 0; i < PACKETS; i++)
		bins_add(&bins, packet(i, WAVECRYPT_ALG_CBC_SHA1, 0,
				       16 + 8 * (i % kinds), 1408));
	while (nr < 4 && offload_submit(&o, &bins, nr ? o.finish - left : 0))
		nr++;
	end_offload(&o);
	return nr;
}

/* Where others keep the device busy, too, a worker gives it one at a time. */
static void one_ahead(void)
{
	EXPECT(given(2, 1) == 1, "a second one of two kinds");
	EXPECT(given(3, 1e6) == 1, "a second one of three kinds, too early");
	EXPECT(given(3, 1) == 2, "no second one of three kinds, or a third");
}

/* Of as many packets as fit, how many the device is given when so many came, for each that
 * the lanes could have done, while it had the chunk before
 */
static uint32_t share_after(double arrived)
{
	const double lanes_ns = 472.4;
	double now = 1e6, took;
	struct offload o;
	uint32_t nr = 0;

	begin_offload(&o);
	o.balance = true;
	for (int i = 1; i <= 20; i++) {
		add_cbc(0, DEVICE_MAX - bins.nr, 1408);
		/* Time is made up, and says nothing of anything else. */
		cost_model_init(&o.device, &gpu);
		if (!EXPECT(offload_submit(&o, &bins, now), "turn %d", i))
			break;
		nr = with_device->nr;
		/* It takes as long as expected. */
		took = with_device->expected - now;
		offload_arrived(&o, arrived * took / lanes_ns);
		now += took;
		offload_done(&o, offload_poll(&o, now));
		now += 1e6;
	}
	end_offload(&o);
	return nr;
}

/* The rate at which packets arrive is learnt, and decides what the device is worth. */
static void rate_learnt(void)
{
	uint32_t none = share_after(0), half = share_after(0.5), all = share_after(1.2);

	EXPECT(none && none < half && half < all, "%u, %u, %u", none, half, all);
	EXPECT(all == DEVICE_MAX, "%u, and the lanes have enough to do", all);
}

/* Packets that come again as soon as they are done: what the lanes do in 283 us, of which the
 * device has its share if it takes 170 us to get going
 */
#define CIRCLING	600

/* Later than now, so that a chunk seems to take the worker next to none of its time */
#define MADE_UP		1e18

static void again(const struct chunk *c)
{
	for (uint32_t i = 0; i < c->nr; i++)
		bins_add(&bins, c->packets[i]);
}

/* The lanes do a batch. Return: what that takes them, or until they look again */
static double lanes_turn(struct offload *o)
{
	double ns;

	if (!o->refused.nr && bins.nr && offload_lanes(o))
		offload_lanes_take(o, &bins, 64);
	if (!bins_pick(&o->refused, chunk, 64, false))
		return 1000;
	ns = 472.4 * chunk->nr;
	offload_lanes_took(o, chunk, ns);
	again(chunk);
	return ns;
}

/* Both work for @ns, and the device takes @slow times what it is said to. Return: packets
 * that it did
 */
static uint32_t work_on(struct offload *o, double *now, double ns, double slow)
{
	double end = *now + ns, back = 0;
	uint32_t done = 0;

	while (*now < end) {
		if (offload_submit(o, &bins, *now))
			back = *now + slow * (170400 + 38.16 * with_device->nr);
		if (o->in_flight && *now >= back) {
			struct chunk *c = offload_poll(o, *now);

			done += c->nr;
			again(c);
			offload_done(o, c);
		}
		*now += lanes_turn(o);
	}
	if (o->in_flight) {
		struct chunk *c = offload_poll(o, *now = back);

		again(c);
		offload_done(o, c);
	}
	return done;
}

static void begin_circling(struct offload *o)
{
	begin_offload(o);
	o->balance = true;
	add_cbc(0, CIRCLING, 1408);
}

/* The clock is set back by an hour while there is nothing to do: that changes nothing. */
static void set_back(void)
{
	double now = MADE_UP, delay, rate;
	unsigned int kind = alg_kind(WAVECRYPT_ALG_CBC_SHA1, 0, 16);
	struct offload o;

	begin_circling(&o);
	work_on(&o, &now, 10e6, 1);
	delay = cost_line_at(&o.device.delay[kind], 1408);
	rate = cost_line_at(&o.device.packet[kind], 1408);
	now -= 3600e9;
	EXPECT(work_on(&o, &now, 1e6, 1), "it is given nothing");
	delay /= cost_line_at(&o.device.delay[kind], 1408);
	rate /= cost_line_at(&o.device.packet[kind], 1408);
	EXPECT(delay > 0.99 && delay < 1.01, "%f times the delay of before", delay);
	EXPECT(rate > 0.99 && rate < 1.01, "%f times the time of before for a packet", rate);
	end_offload(&o);
}

/* So that it seems too slow for anything */
enum misjudged { DISTURBED, DELAY, RATE, HOST };

static void misjudge(struct offload *o, enum misjudged how, double *now)
{
	unsigned int kind = alg_kind(WAVECRYPT_ALG_CBC_SHA1, 0, 16);

	switch (how) {
	case DISTURBED:
		/* One chunk, its first */
		EXPECT(work_on(o, now, 100, 4) == 0, "it is back too soon");
		break;
	case DELAY:
		cost_line_init(&o->device.delay[kind], 64, 5 * 103200, 1408, 5 * 170400);
		break;
	case RATE:
		cost_line_init(&o->device.packet[kind], 64, 20 * 11.3, 1408, 20 * 38.16);
		break;
	case HOST:
		cost_line_init(&o->device.host, 64, 20 * 11280, 4096, 20 * 91920);
		break;
	}
}

/* However it came to seem so slow, what it really takes is found out before long. */
static void slow_no_longer(void)
{
	static const double ns[] = {
		[DISTURBED] = 400e6, [DELAY] = 1000e6, [RATE] = 200e6, [HOST] = 200e6,
	};

	for (enum misjudged how = DISTURBED; how <= HOST; how++) {
		double now = MADE_UP;
		struct offload o;
		uint32_t nr;

		begin_circling(&o);
		misjudge(&o, how, &now);
		EXPECT(!offload_submit(&o, &bins, now), "%d: it seems not too slow", how);
		work_on(&o, &now, ns[how], 1);
		nr = work_on(&o, &now, 100e6, 1);
		EXPECT(nr > 25000, "%d: %u packets in 100 ms", how, nr);
		end_offload(&o);
	}
}

/* One that is too slow is given next to nothing, whatever else it was said to be. */
static void slow_indeed(void)
{
	static const double slow[] = { 2, 4, 20 };

	for (uint32_t i = 0; i < ARRAY_SIZE(slow); i++) {
		double now = MADE_UP, all = 2e9 / 472.4;
		struct offload o;
		uint32_t nr;

		begin_circling(&o);
		nr = work_on(&o, &now, 2e9, slow[i]);
		EXPECT(nr && nr < all / 200, "%.0f times as slow: %u of %.0f packets", slow[i], nr,
		       all);
		end_offload(&o);
	}
}

/*
 * Keys are copied to the device, and it has a chunk, when another worker finds that it has
 * hung: its driver, which might not return, is called for neither.
 */
static void keys_of_lost(void)
{
	struct offload o;

	begin_offload(&o);
	add_cbc(0, 64, 1408);
	EXPECT(offload_submit(&o, &bins, 0), "none given");
	o.be->keys_pending = true;
	keys_looked_after = 0;
	offload_tend(&o);
	offload_keys_changed(&o);
	EXPECT(keys_looked_after == 2, "%u times while it works", keys_looked_after);
	device_gone = true;
	offload_tend(&o);
	offload_keys_changed(&o);
	EXPECT(keys_looked_after == 2, "when it is lost");
	device_gone = false;
	o.be->keys_pending = false;
	offload_done(&o, offload_poll(&o, 1));
	end_offload(&o);
}

/* It is lost, and has a chunk yet, for which what waits does not wait. */
static void lanes_of_lost(void)
{
	struct offload o;

	begin_offload(&o);
	add_cbc(0, 2 * DEVICE_MAX, 1408);
	EXPECT(offload_submit(&o, &bins, 0), "none given");
	EXPECT(!offload_lanes(&o), "it works, and is to do all");
	device_gone = true;
	EXPECT(offload_lanes(&o), "another worker found it lost");
	device_gone = false;
	o.be->state = BACKEND_LOST;
	EXPECT(!offload_submit(&o, &bins, 1) && offload_lanes(&o), "this one did");
	o.be->state = BACKEND_GOOD;
	offload_done(&o, offload_poll(&o, 1));
	end_offload(&o);
}

/* What opening the device comes to, one attempt after the other; 0: a device */
static const int *attempt;
static struct backend revived;

static struct backend *revived_open(struct device *dev, const struct channel *ch)
{
	(void)dev;
	(void)ch;
	errno = *attempt++;
	return errno ? NULL : &revived;
}

static bool revived_hangs, revived_gone;

static bool revived_there(const struct device *dev)
{
	(void)dev;
	return !revived_gone;
}

static bool revived_close(struct backend *be)
{
	(void)be;
	return !revived_hangs;
}

static const struct backend_ops revived_ops = {
	.name = "revived", .there = revived_there, .open = revived_open,
	.close = revived_close,
};

static struct device revived_dev;

/* Of which nothing is known yet */
static void begin_revived(struct revive *r, uint64_t first_ns)
{
	static struct channel ch = { .users = 1 };

	revived_dev = (struct device) { .ops = &revived_ops, .users = 1 };
	revive_init(r, &revived_dev, &ch, first_ns);
}

static struct backend revived = { .ops = &revived_ops };

/* So many errands find no thread. */
static unsigned int no_thread;

typeof(errand_start) __real_errand_start, __wrap_errand_start;

struct errand *__wrap_errand_start(void (*run)(void *context), void (*done)(void *context),
				   void *context)
{
	if (!no_thread)
		return __real_errand_start(run, done, context);
	no_thread--;
	return NULL;
}

/* How long is waited for the last of the attempts, in units of the first? */
static uint64_t last_wait(const int *attempts)
{
	struct revive r;
	uint64_t until;

	attempt = attempts;
	begin_revived(&r, 10000);
	revive_start(&r);
	until = clock_ns() + PATIENCE_NS;
	while (!revive_get(&r) && clock_ns() < until)
		sched_yield();
	revive_exit(&r);
	return revived_dev.waited_ns / r.first_ns;
}

static void revives(void)
{
	static const int fails[] = { EIO, EIO, EIO, 0 };
	static const int busy[] = { EBUSY, EBUSY, EBUSY, EBUSY, 0 };
	static const int both[] = { EBUSY, EIO, EBUSY, EBUSY, 0 };

	EXPECT(last_wait(fails) == 8, "%llu times the first wait",
	       (unsigned long long)last_wait(fails));
	EXPECT(last_wait(busy) == 1, "%llu times the first wait",
	       (unsigned long long)last_wait(busy));
	EXPECT(last_wait(both) == 2, "%llu times the first wait",
	       (unsigned long long)last_wait(both));
}

/* Another worker is opening it, which takes much less than to wait once more. */
static void comes_to_all(void)
{
	static const int busy[] = { EBUSY, EBUSY, 0 };
	uint64_t since = clock_ns();
	struct revive r;

	attempt = busy;
	begin_revived(&r, PATIENCE_NS);
	revive_open(&r);
	while (r.attempts && !revive_get(&r) && clock_ns() < since + PATIENCE_NS / 2)
		sched_yield();
	EXPECT(!r.attempts, "it is there, and waited for");
	revive_exit(&r);
}

/* How long is waited for it after it has worked for @worked_ns, in units of the first? */
static uint64_t next_wait(struct revive *r, uint64_t worked_ns)
{
	static const int works[] = { 0 };
	uint64_t until = clock_ns() + PATIENCE_NS;

	attempt = works;
	revived_dev.opened_at = clock_ns() - worked_ns;
	revive_start(r);
	while (!revive_get(r) && clock_ns() < until)
		sched_yield();
	return revived_dev.waited_ns / r->first_ns;
}

/* It is opened, and fails again: that is no better than one that is not opened. */
static void fails_again(void)
{
	struct revive r;

	begin_revived(&r, NSEC_PER_SEC / 10);
	for (uint64_t wait = 1; wait <= 4; wait *= 2)
		EXPECT(next_wait(&r, 0) == wait, "not %llu times the first wait",
		       (unsigned long long)wait);
	EXPECT(next_wait(&r, NSEC_PER_SEC) == 1, "it worked for long, and is waited for");
	revive_exit(&r);
}

/*
 * It failed a worker that has ended, and was there for @worked_ns before. How long does the
 * next one wait for it, in units of the first?
 */
static uint64_t successor_waits(uint64_t worked_ns, uint64_t first_ns)
{
	static struct channel ch = { .users = 1 };
	static const int works[] = { 0 };
	uint64_t since = clock_ns();
	struct revive r;

	attempt = works;
	revived_dev.opened_at = since - worked_ns;
	revive_init(&r, &revived_dev, &ch, first_ns);
	EXPECT(!revive_open(&r), "not waited for");
	while (!revive_get(&r) && clock_ns() < since + PATIENCE_NS)
		sched_yield();
	revive_exit(&r);
	EXPECT(clock_ns() - since >= revived_dev.waited_ns, "it has not waited");
	return revived_dev.waited_ns / first_ns;
}

static void is_there_for_another(void)
{
	static struct channel ch = { .users = 1 };
	static const int works[] = { 0 };
	struct revive r;

	attempt = works;
	revive_init(&r, &revived_dev, &ch, PATIENCE_NS);
	EXPECT(revive_open(&r), "not at once");
	revive_exit(&r);
}

/* Workers come and go, and the device is the same. */
static void fails_another(void)
{
	struct revive r;

	begin_revived(&r, 0);
	revived_gone = true;
	for (uint64_t wait = 1; wait <= 4; wait *= 2)
		EXPECT(successor_waits(0, NSEC_PER_SEC / 10) == wait,
		       "not %llu times the first wait", (unsigned long long)wait);
	revived_gone = false;
	is_there_for_another();
	revived_gone = true;
	EXPECT(successor_waits(0, NSEC_PER_SEC / 10) == 8, "forgotten");
	EXPECT(successor_waits(NSEC_PER_SEC, NSEC_PER_SEC / 10) == 1,
	       "it worked for long, and is waited for");
	revived_gone = false;
}

/* Another waits for it as well: who comes later does for as long as that. */
static void waits_with_others(void)
{
	struct revive r;
	uint64_t at;

	begin_revived(&r, 0);
	revived_gone = true;
	at = clock_ns() + NSEC_PER_SEC / 5;
	revived_dev.retry_at = at;
	successor_waits(NSEC_PER_SEC, NSEC_PER_SEC / 100);
	EXPECT(clock_ns() >= at, "tried before");
	revived_gone = false;
}

/* What it hangs with is lost for good, so that it does that seldom, however long it worked. */
static void hangs_again(void)
{
	static const uint64_t waits[] = { 1, 8, 64, 64 };
	struct revive r;

	begin_revived(&r, 0);
	revived_gone = true;
	for (uint32_t i = 0; i < ARRAY_SIZE(waits); i++) {
		revived_dev.hangs = i + 1;
		EXPECT(successor_waits(NSEC_PER_SEC, NSEC_PER_SEC / 200) == waits[i],
		       "not %llu times the first wait after %u hangs",
		       (unsigned long long)waits[i], i + 1);
	}
	revived_gone = false;
}

/* Nobody tries it any more, nor says anything about it. */
static void given_up(void)
{
	static const int works[] = { 0 };
	struct revive r;
	uint64_t until;

	attempt = works;
	begin_revived(&r, 1000);
	revived_dev.given_up = true;
	revived_gone = true;
	EXPECT(!revive_open(&r), "opened");
	until = clock_ns() + NSEC_PER_SEC / 20;
	while (clock_ns() < until)
		EXPECT(!revive_get(&r), "opened later");
	revive_start(&r);
	EXPECT(!r.attempts && attempt == works, "tried");
	revive_exit(&r);
	revived_gone = false;
}

/* Without a thread nobody tries it, and there may be one later. */
static void revives_later(void)
{
	static const int works[] = { 0 };

	no_thread = 2;
	EXPECT(last_wait(works) == 1, "not tried");
}

static void look_around(void *context)
{
	sched_getaffinity(0, sizeof(cpu_set_t), context);
}

static void nothing_left(void *context)
{
	(void)context;
}

/* What a driver starts while a worker waits for it is not to share the worker's CPU. */
static void errands_run_anywhere(void)
{
	struct errand *e;
	cpu_set_t all, one, its;

	sched_getaffinity(0, sizeof(all), &all);
	errand_setup();
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	e = errand_start(look_around, nothing_left, &its);
	EXPECT(e && errand_join(e, PATIENCE_NS), "it does not end");
	sched_setaffinity(0, sizeof(all), &all);
	EXPECT(CPU_EQUAL(&its, &all), "on %d CPUs of %d", CPU_COUNT(&its), CPU_COUNT(&all));
}

/* Packets stay where what has hung when it was closed may write to them. */
static void kept(void)
{
	for (int i = 0; i < 4; i++) {
		struct channel ch = { .users = 1 };
		struct revive r;

		begin_revived(&r, 0);
		revived_hangs = i % 2;
		no_thread = i / 2;
		revive_init(&r, &revived_dev, &ch, 10000);
		revive_close(&r, &revived);
		EXPECT(channel_kept(&ch) == revived_hangs, "hung: %d, kept: %d",
		       revived_hangs, channel_kept(&ch));
	}
	revived_hangs = false;
}

static const struct ktap_case cases[] = {
	{ "unsorted: no packet lost, none twice", play_none },
	{ "by algorithm: no packet lost, none twice", play_algorithm },
	{ "by algorithm and length: none lost, none twice, longest first",
	  play_length },
	{ "all: none lost, none twice, longest part first", play_all },
	{ "unsorted is in order of arrival", arrival_order },
	{ "batches are whole as long as more is to come", whole_batches },
	{ "the lanes' leftovers have an end", leftovers_lanes },
	{ "a device's leftovers have an end", leftovers_device },
	{ "what a device refuses is the lanes'", refusals },
	{ "few packets are the lanes'", split_small },
	{ "lanes and device end at the same time", split_even },
	{ "a device with a backlog is given less", split_backlog },
	{ "what arrives meanwhile is the lanes'", split_arriving },
	{ "how fast they arrive is learnt", rate_learnt },
	{ "a device that seemed too slow is given packets again", slow_no_longer },
	{ "a device that is too slow is given next to none", slow_indeed },
	{ "a clock that is set back changes nothing", set_back },
	{ "a device is given of every kind alike", split_alike },
	{ "a device's chunk is of all that waits", split_fair },
	{ "a chunk of many kinds is prepared while the last one is worked on",
	  one_ahead },
	{ "costs follow what is observed", cost_follows },
	{ "costs bear a disturbed measurement", cost_disturbed },
	{ "what the lanes take for one packet counts for as much as they like few",
	  lanes_learn },
	{ "a device that is lost is not asked for its keys", keys_of_lost },
	{ "nor waited for by the lanes, though it has a chunk", lanes_of_lost },
	{ "a device that fails is waited for longer, one that others open is not",
	  revives },
	{ "one that another worker opens comes to all", comes_to_all },
	{ "one that fails as soon as it is back is waited for longer", fails_again },
	{ "also if it fails another worker", fails_another },
	{ "who comes later tries it no sooner than others", waits_with_others },
	{ "one that hangs again is waited for much longer", hangs_again },
	{ "one that is given up is not tried", given_up },
	{ "one that there was no thread for is tried later", revives_later },
	{ "whoever tries it does so on any CPU", errands_run_anywhere },
	{ "one that hangs when it is closed keeps the channel", kept },
	{ 0 },
};

int main(void)
{
	return ktap_run(cases);
}
