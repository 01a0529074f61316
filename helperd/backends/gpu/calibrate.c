// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/gpu/calibrate.h"
#include "channel/loopback.h"
#include "lib/clock.h"

/* Payloads: short, and about an MTU; the longest must be the last. */
static const uint32_t lengths[] = { 64, 1408 };
#define LENGTHS		2

/* Packets of a chunk that is timed alone. */
#define FEW		32u

/* The fastest of so many counts. */
#define RUNS		3

/* Chunks that follow each other, to see how fast that is. */
#define ROWS		6

/* No single measurement may take longer; it is repeated less often then. */
#define LONG_NS		(100 * 1000 * NSEC_PER_USEC)

/* What counts where nothing is measured: hardly anything, but not nothing. */
static const struct backend_cost unmeasured = {
	.packet_ns = 1,
	.byte_ns = 0.01,
	.delay_ns = 1000,
};

/**
 * struct bench - something to work on
 * @session: the device
 * @lb: a channel of our own
 * @be: the device's instance
 * @lanes: the CPU's, for comparison
 * @many: packets of a full chunk
 * @packets: packets, one for each slot
 * @chunks: chunks; [0] is also the lanes'
 * @why: what went wrong
 */
struct bench {
	struct gpu_session *session;
	struct loopback *lb;
	struct backend *be;
	struct backend *lanes;
	uint32_t many;
	struct packet *packets;
	struct chunk **chunks;
	const char *why;
};

/* Two halves: packets of two chunks that are at work at the same time. */
static uint32_t packets_of(const struct bench *b)
{
	return b->many * 2;
}

static void fill_packets(struct bench *b, unsigned int kind, uint32_t len)
{
	const struct channel *ch = loopback_channel(b->lb);
	static const uint8_t iv[16] = { [15] = 1 };

	for (uint32_t i = 0; i < packets_of(b); i++) {
		struct packet *p = &b->packets[i];

		p->offset = loopback_slot(b->lb, 0, i) -
			    loopback_slot(b->lb, 0, 0) + WAVECRYPT_HEADROOM;
		p->data = ch->map[WAVECRYPT_REGION_SLOTS] + p->offset;
		p->key = channel_keys(ch) + kind;
		p->iv = iv;
		p->len = len;
		p->key_index = kind;
		p->key_gen = kind + 1;
		p->slot = i;
		p->aad_len = 8;
		p->auth_len = 8 + len;
		p->alg = alg_of_kind(kind);
		p->op = alg_op_of_kind(kind);
		p->key_len = alg_key_len_of_kind(kind);
	}
}

/* A chunk of packets from the @first on, cut for the device. */
static struct chunk *cut(struct bench *b, uint32_t which, uint32_t first,
			 uint32_t nr)
{
	const struct packet *p = &b->packets[first];
	unsigned int grain = wavecrypt_gpu_packets(b->session->shape, p->alg, p->op);
	struct chunk *c = b->chunks[which];

	c->nr = nr;
	c->nr_parts = 0;
	c->untouched = false;
	for (uint32_t i = 0; i < nr; i++)
		c->packets[i] = &b->packets[first + i];
	for (uint32_t i = 0; i < nr; i += grain)
		c->parts[c->nr_parts++] = (struct part) {
			.first = i,
			.nr = nr - i < grain ? nr - i : grain,
			.longest = p->len,
			.alg = p->alg,
			.op = p->op,
			.key_len = p->key_len,
		};
	return c;
}

static bool give(struct bench *b, struct chunk *c)
{
	if (b->be->ops->submit(b->be, c))
		return true;
	b->why = "it does not take a chunk";
	return false;
}

static bool await(struct bench *b)
{
	struct chunk *c;

	do {
		c = b->be->ops->poll(b->be);
		if (b->be->state == BACKEND_HUNG) {
			b->why = "a chunk does not come to an end";
			return false;
		}
		if (!c)
			sched_yield();
	} while (!c);
	if (!c->untouched && c->packets[0]->status == WAVECRYPT_STATUS_OK)
		return true;
	b->why = "a chunk fails";
	return false;
}

/* Wait until the key is there: for that, packets are refused at first. */
static bool await_key(struct bench *b)
{
	uint64_t end = clock_ns() + NSEC_PER_SEC;

	while (!b->be->ops->takes(b->be, &b->packets[0]))
		if (b->be->state != BACKEND_GOOD || clock_ns() > end) {
			b->why = "a key cannot be copied there";
			return false;
		}
	return true;
}

/* Do the device and the lanes agree? */
static bool compare(struct bench *b, uint32_t len)
{
	size_t size = b->packets[0].len + algs[b->packets[0].alg].icv_len;
	struct packet *ours = &b->packets[b->many];
	struct chunk *c = b->chunks[0];

	for (uint32_t i = 0; i < FEW; i++) {
		for (uint32_t k = 0; k < len; k++)
			ours[i].data[k] = i + k * 7;
		memcpy(b->packets[i].data, ours[i].data, len);
		c->packets[i] = &ours[i];
	}
	chunk_part(c, FEW, len);
	b->lanes->ops->submit(b->lanes, c);
	b->lanes->ops->poll(b->lanes);
	if (!give(b, cut(b, 0, 0, FEW)) || !await(b))
		return false;
	for (uint32_t i = 0; i < FEW; i++)
		if (memcmp(b->packets[i].data, ours[i].data, size)) {
			b->why = "it computes something else than the CPU";
			return false;
		}
	return true;
}

/* ns that a chunk takes alone; @host: of these, of ours. */
static double time_alone(struct bench *b, uint32_t nr, double *host)
{
	double best = 0;

	for (int run = 0; run < RUNS; run++) {
		struct chunk *c = cut(b, 0, 0, nr);
		uint64_t start = clock_ticks(), given;
		double ns;

		if (!give(b, c))
			return 0;
		given = clock_ticks();
		if (!await(b))
			return 0;
		ns = clock_ns_of(clock_ticks() - start);
		if (!run || ns < best) {
			best = ns;
			*host = clock_ns_of(given - start);
		}
		if (ns > LONG_NS)
			break;
	}
	return best;
}

/* ns for each full chunk of a row of them. */
static double time_row(struct bench *b)
{
	uint32_t rows = b->be->chunks > 1 ? ROWS : 1, given = 0, done = 0;
	uint32_t ahead = b->be->chunks < 2 ? 1 : 2;
	uint64_t start = clock_ticks();

	while (done < rows) {
		while (given < rows && given - done < ahead) {
			if (!give(b, cut(b, given % 2, given % 2 * b->many,
					 b->many)))
				return 0;
			given++;
		}
		if (!await(b))
			return 0;
		done++;
		if (given == rows || clock_ns_of(clock_ticks() - start) < LONG_NS)
			continue;
		rows = given;
	}
	return (double)clock_ns_of(clock_ticks() - start) / rows;
}

static double positive(double x)
{
	return x > 0 ? x : 0;
}

static bool measure(struct bench *b, unsigned int kind,
		    struct backend_cost *c)
{
	double alone[LENGTHS], row[LENGTHS], host, host_many;
	double span = lengths[1] - lengths[0];

	for (int i = 0; i < LENGTHS; i++) {
		fill_packets(b, kind, lengths[i]);
		if (!await_key(b) || !compare(b, lengths[i]))
			return false;
		alone[i] = time_alone(b, FEW, &host);
		row[i] = time_row(b) / b->many;
		if (b->why)
			return false;
		alone[i] -= FEW * row[i];
	}
	time_alone(b, b->many, &host_many);
	c->fixed_ns = 0;
	c->byte_ns = positive((row[1] - row[0]) / span);
	c->packet_ns = positive(row[0] - lengths[0] * c->byte_ns);
	c->delay_byte_ns = positive((alone[1] - alone[0]) / span);
	c->delay_ns = positive(alone[0] - lengths[0] * c->delay_byte_ns);
	c->host_packet_ns = positive((host_many - host) / (b->many - FEW));
	c->host_ns = positive(host - FEW * c->host_packet_ns);
	return !b->why;
}

static bool set_keys(struct bench *b)
{
	uint8_t secret[64];

	for (unsigned int i = 0; i < ALG_KINDS; i++) {
		if (!alg_kind_exists(i))
			continue;
		for (size_t k = 0; k < sizeof(secret); k++)
			secret[k] = k * 5 + i;
		if (!loopback_key_set(loopback_key(b->lb, i), i + 1,
				      alg_of_kind(i), secret,
				      alg_key_len_of_kind(i), secret + 32, 20))
			return false;
	}
	return true;
}

static bool set_up(struct bench *b)
{
	uint32_t max = b->session->settings->chunk;
	struct loopback_config lc = {
		.queues = 1,
		.keys = ALG_KINDS,
		.slot_size = lengths[LENGTHS - 1],
		.entries = 16,
	};

	b->many = max < WAVECRYPT_MAX_ENTRIES / 2 ? max :
						    WAVECRYPT_MAX_ENTRIES / 2;
	while (lc.entries < packets_of(b))
		lc.entries *= 2;
	b->why = "no memory";
	b->lb = loopback_create(&lc);
	b->packets = calloc(packets_of(b), sizeof(*b->packets));
	b->chunks = calloc(2, sizeof(*b->chunks));
	if (!b->lb || !b->packets || !b->chunks || !set_keys(b))
		return false;
	for (int i = 0; i < 2; i++) {
		b->chunks[i] = chunk_alloc(max > CHUNK_MAX ? max : CHUNK_MAX);
		if (!b->chunks[i])
			return false;
	}
	b->lanes = cpu_backend.open(&cpu_device,
				    loopback_channel(b->lb));
	if (!b->lanes)
		return false;
	b->why = NULL;
	b->be = b->session->kind->open(b->session, loopback_channel(b->lb), &b->why);
	return b->be;
}

static void tear_down(struct bench *b)
{
	bool released = !b->be || b->session->kind->close(b->be);

	if (b->lanes)
		b->lanes->ops->close(b->lanes);
	for (int i = 0; b->chunks && i < 2; i++)
		chunk_free(b->chunks[i]);
	free(b->chunks);
	free(b->packets);
	/* What has hung may still write there. */
	if (b->lb && released) {
		struct channel *ch = loopback_channel(b->lb);

		ch->ops->close(ch);
		loopback_free(b->lb);
	}
}

static bool check(struct bench *b, unsigned int kind)
{
	fill_packets(b, kind, lengths[0]);
	return await_key(b) && compare(b, lengths[0]);
}

/* Is there such a kind, and a kernel for it? */
static bool can(const struct gpu_session *session, unsigned int kind)
{
	return alg_kind_exists(kind) &&
	       wavecrypt_gpu_packets(session->shape, alg_of_kind(kind),
				     alg_op_of_kind(kind));
}

const char *calibrate(struct gpu_session *session, bool timed)
{
	struct bench b = { .session = session };
	bool good;

	session->calibrating = true;
	good = set_up(&b);
	for (unsigned int i = 0; good && i < ALG_KINDS; i++) {
		session->cost[i] = unmeasured;
		if (!can(session, i))
			continue;
		good = timed ? measure(&b, i, &session->cost[i]) : check(&b, i);
	}
	tear_down(&b);
	session->calibrating = false;
	return b.why;
}

/* A full chunk of usual packets, every other one being encrypted */
double calibrate_rating(const struct gpu_settings *settings,
			const struct backend_cost cost[ALG_KINDS])
{
	double sum = 0;

	for (unsigned int i = 0; i < ALG_KINDS; i++) {
		const struct backend_cost *c = &cost[i];

		sum += c->packet_ns + 1024 * c->byte_ns +
		       (c->delay_ns + 1024 * c->delay_byte_ns + c->host_ns) /
		       settings->chunk + c->host_packet_ns;
	}
	return sum;
}
