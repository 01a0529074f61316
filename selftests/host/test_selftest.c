// SPDX-License-Identifier: GPL-2.0-only
/*
 * A GPU's self-test: a device that does everything right but one thing is found
 * out, whatever that is. The device is played by the lanes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/gpu/calibrate.h"
#include "backends/gpu/kinds.h"
#include "backends/gpu/selftest.h"
#include "backends/rig.h"
#include "ktap.h"
#include "lib/array.h"
#include "lib/clock.h"

/* Any */
#define ANY	(-1)

/**
 * struct wrong - which packets come out wrong
 * @alg: of which algorithm, or %ANY, as all that follow
 * @kind: of which kind
 * @len: of which length
 * @above: only longer ones than this
 * @tail: of which length modulo 16
 * @aad_len: with how much AAD
 * @key: by which of a kind's keys
 * @at: which byte: from the payload's start on, or from behind the ICV
 * @behind: that
 * @iv: instead of that, all of a chunk are done with the first one's IV
 */
static struct wrong {
	int alg;
	int kind;
	int len;
	int above;
	int tail;
	int aad_len;
	int key;
	int at;
	bool behind;
	bool iv;
} wrong;

static const struct wrong nothing = {
	ANY, ANY, ANY, ANY, ANY, ANY, ANY, 0, false, false
};

/* Longest of the payloads of which there is one of each length */
#define SHORT_LEN	130

/* The device: lanes, and what it was given */
static struct backend device, *lanes;
static struct gpu_session session;
static bool tried[ALG_KINDS];
static bool ended[WAVECRYPT_ALGS][16][2];
static uint32_t given;

static bool is(int what, int wanted)
{
	return wanted == ANY || what == wanted;
}

static void spoil(const struct packet *p)
{
	int kind = alg_kind(p->alg, p->op, p->key_len);

	if (is(p->alg, wrong.alg) && is(kind, wrong.kind) &&
	    is(p->len, wrong.len) && (int)p->len > wrong.above &&
	    is(p->len % 16, wrong.tail) && is(p->aad_len, wrong.aad_len) &&
	    is(p->key_index % RIG_KEYS, wrong.key))
		p->data[wrong.at + (wrong.behind ?
				    p->len + algs[p->alg].icv_len : 0)] ^= 1;
}

static bool submit(struct backend *be, struct chunk *c)
{
	(void)be;
	for (uint32_t i = 0; i < c->nr; i++) {
		struct packet *p = c->packets[i];

		if (wrong.iv)
			p->iv = c->packets[0]->iv;
		tried[alg_kind(p->alg, p->op, p->key_len)] = true;
		ended[p->alg][p->len % 16][packet_seq_hi_len(p) != 0] = true;
		given += p->len;
		EXPECT(gpu_has_kernel(&session, alg_kind(p->alg, p->op,
							 p->key_len)),
		       "%s is not for it", algs[p->alg].label);
	}
	return lanes->ops->submit(lanes, c);
}

static struct chunk *poll(struct backend *be)
{
	struct chunk *c = lanes->ops->poll(lanes);

	(void)be;
	for (uint32_t i = 0; c && !wrong.iv &&
	     memcmp(&wrong, &nothing, sizeof(wrong)) && i < c->nr; i++)
		spoil(c->packets[i]);
	return c;
}

static const struct backend_ops ops = {
	.name = "played",
	.beside = true,
	.submit = submit,
	.poll = poll,
};

static struct backend *open_device(struct gpu_session *s,
				   const struct channel *ch, const char **why)
{
	(void)s;
	*why = "no lanes";
	lanes = cpu_backend.open(&cpu_device, ch);
	return lanes ? &device : NULL;
}

static bool close_device(struct backend *be)
{
	(void)be;
	lanes->ops->close(lanes);
	return true;
}

static const struct gpu_kind kind = {
	.open = open_device,
	.close = close_device,
};

static void begin(const struct wavecrypt_gpu_shape *shape)
{
	wrong = nothing;
	memset(tried, 0, sizeof(tried));
	memset(ended, 0, sizeof(ended));
	given = 0;
	device = (struct backend) {
		.ops = &ops,
		.chunks = 1,
		.chunk_max = CHUNK_MAX,
	};
	session = (struct gpu_session) { .kind = &kind, .shape = shape };
}

/* With kernels for that algorithm's cipher and no other, which takes less long */
static void begin_with(unsigned int alg)
{
	static struct wavecrypt_gpu_shape shape;

	memcpy(&shape, &wavecrypt_gpu_narrow, sizeof(shape));
	for (unsigned int i = 0; i < WAVECRYPT_GPU_CIPHERS; i++)
		if (i != wavecrypt_gpu_algs[alg].cipher)
			memset(shape.packets[i], 0, sizeof(shape.packets[i]));
	begin(&shape);
}

/* It must not pass, and what is said names what was wrong. */
static void found(const char *what)
{
	const char *why = gpu_selftest(&session, true);

	EXPECT(why && strstr(why, "something else than the CPU"), "%s: %s",
	       what, why ? why : "it passes");
}

static void passes(void)
{
	begin(&wavecrypt_gpu_narrow);
	EXPECT(!gpu_selftest(&session, true), "%s",
	       gpu_selftest(&session, true));
	for (unsigned int i = 0; i < ALG_KINDS; i++)
		EXPECT(tried[i] == gpu_has_kernel(&session, i),
		       "kind %u: tried: %d", i, tried[i]);
}

/* A device whose kernels do one cipher, one way, or nothing */
static void without_kernels(void)
{
	static struct wavecrypt_gpu_shape shape;

	memcpy(&shape, &wavecrypt_gpu_wide, sizeof(shape));
	memset(shape.packets, 0, sizeof(shape.packets));
	begin(&shape);
	EXPECT(!gpu_selftest(&session, true), "without any kernel");
	EXPECT(!given, "%u bytes without any kernel", given);
	for (int cipher = 0; cipher < WAVECRYPT_GPU_CIPHERS; cipher++)
		for (int op = 0; op < WAVECRYPT_OPS; op++) {
			begin(&shape);
			shape.packets[cipher][op] = 32;
			EXPECT(!gpu_selftest(&session, false) && given,
			       "cipher %d, direction %d: %u bytes", cipher,
			       op, given);
			shape.packets[cipher][op] = 0;
		}
}

/* One that has passed is tried with less, of each kind. */
static void passed_before(void)
{
	uint32_t all;

	begin(&wavecrypt_gpu_narrow);
	EXPECT(!gpu_selftest(&session, true), "does not pass");
	all = given;
	begin(&wavecrypt_gpu_narrow);
	EXPECT(!gpu_selftest(&session, false), "does not pass");
	EXPECT(given && given < all / 4, "%u bytes, not %u", given, all);
	for (unsigned int i = 0; i < ALG_KINDS; i++)
		EXPECT(tried[i] == gpu_has_kernel(&session, i), "kind %u", i);
}

static void each_kind(void)
{
	begin(&wavecrypt_gpu_narrow);
	for (unsigned int i = 0; i < ALG_KINDS; i++) {
		if (!gpu_has_kernel(&session, i))
			continue;
		wrong.kind = i;
		found(algs[alg_of_kind(i)].label);
	}
}

static void each_aad(void)
{
	begin(&wavecrypt_gpu_narrow);
	for (int aad = 0; aad <= WAVECRYPT_HEADROOM; aad++) {
		char what[32];

		snprintf(what, sizeof(what), "AAD of %d bytes", aad);
		wrong.aad_len = aad;
		found(what);
	}
}

/* Is there such an algorithm, and a kernel for it? */
static bool has_kernel(unsigned int alg)
{
	return alg_exists(alg) &&
	       wavecrypt_gpu_packets(session.shape, alg, WAVECRYPT_OP_DECRYPT);
}

/* Each end of that algorithm's payloads, in quads as kernels have them */
static void each_end(unsigned int alg, const char *which)
{
	for (wrong.tail = 0; wrong.tail < 16; wrong.tail += algs[alg].block) {
		char what[64];

		snprintf(what, sizeof(what), "%s%s, %d bytes at the end",
			 algs[alg].label, which, wrong.tail);
		found(what);
	}
}

/* Of each algorithm */
static void each_tail(void)
{
	for (unsigned int i = 0; i < WAVECRYPT_ALGS; i++) {
		begin_with(i);
		if (!has_kernel(i))
			continue;
		wrong.alg = i;
		each_end(i, "");
	}
}

/* Of each cipher, of payloads that are not short */
static void each_tail_of_long(void)
{
	for (unsigned int i = 0; i < WAVECRYPT_ALGS; i++) {
		begin_with(i);
		wrong.above = SHORT_LEN;
		if (!has_kernel(i))
			continue;
		wrong.kind = alg_kind(i, WAVECRYPT_OP_DECRYPT, alg_key_min(i));
		if (gpu_kind_like(wrong.kind) != (unsigned int)wrong.kind)
			continue;
		each_end(i, ", long");
	}
}

/* What is authenticated behind the payload comes behind each of its ends. */
static void seq_hi(void)
{
	begin(&wavecrypt_gpu_narrow);
	EXPECT(!gpu_selftest(&session, true), "does not pass");
	for (unsigned int i = 0; i < WAVECRYPT_ALGS; i++)
		for (int tail = 0; has_kernel(i) && tail < 16; tail += algs[i].block)
			EXPECT(ended[i][tail][0] &&
			       ended[i][tail][1] == algs[i].seq_hi,
			       "%s, %d bytes at the end: without %d, with %d",
			       algs[i].label, tail, ended[i][tail][0],
			       ended[i][tail][1]);
}

static void each_iv(void)
{
	begin(&wavecrypt_gpu_narrow);
	wrong.iv = true;
	found("another packet's IV");
}

/* Who stands for another is of the same direction, and stands for itself. */
static void like(void)
{
	for (unsigned int i = 0; i < ALG_KINDS; i++) {
		unsigned int other = gpu_kind_like(i);

		if (!alg_kind_exists(i))
			continue;
		EXPECT(alg_kind_exists(other) && other <= i, "%u is like %u", i,
		       other);
		EXPECT(gpu_kind_like(other) == other, "%u, which %u is like",
		       other, i);
		EXPECT(alg_op_of_kind(other) == alg_op_of_kind(i),
		       "%u is like %u", i, other);
	}
}

static void longest(void)
{
	begin(&wavecrypt_gpu_narrow);
	wrong.len = WAVECRYPT_GPU_MAX_LEN;
	wrong.at = WAVECRYPT_GPU_MAX_LEN - 1;
	found("the longest's last byte");
}

static void each_key(void)
{
	begin(&wavecrypt_gpu_narrow);
	for (wrong.key = 0; wrong.key < RIG_KEYS; wrong.key++)
		found("one of a group's keys");
}

static void behind(void)
{
	begin(&wavecrypt_gpu_narrow);
	wrong.behind = true;
	wrong.at = 0;
	found("a byte behind the ICV");
	wrong.at = -1;
	found("the ICV's last byte");
}

/*
 * A device that passes, and when it is measured has several chunks, the first of which
 * fails while the next one takes its time.
 */
static struct gpu_session measured;
static struct chunk *held[2];
static uint32_t nr_held, opened, polls;

static bool held_submit(struct backend *be, struct chunk *c)
{
	(void)be;
	if (nr_held == ARRAY_SIZE(held))
		return false;
	held[nr_held++] = c;
	return true;
}

static struct chunk *held_poll(struct backend *be)
{
	struct chunk *c = held[0];

	(void)be;
	if (!nr_held || (polls++ && polls < 10))
		return NULL;
	held[0] = held[--nr_held];
	c->failed = true;
	return c;
}

static const struct backend_ops held_ops = {
	.name = "played",
	.beside = true,
	.submit = held_submit,
	.poll = held_poll,
};

static struct backend *open_measured(struct gpu_session *s, const struct channel *ch,
				     const char **why)
{
	struct backend *be = open_device(s, ch, why);

	if (be && ++opened == 2) {
		be->ops = &held_ops;
		be->chunks = ARRAY_SIZE(held);
	}
	return be;
}

static bool close_measured(struct backend *be)
{
	EXPECT(!nr_held, "closed with %u chunks", nr_held);
	return close_device(be);
}

static struct gpu_session *create_measured(struct gpu *gpu, const char **why)
{
	const struct wavecrypt_gpu_shape *shape = session.shape;

	gpu_session_init(&measured, gpu);
	measured.shape = shape;
	*why = calibrate(&measured, true);
	return *why ? NULL : &measured;
}

static void describe_measured(const struct gpu_session *s, char *to, size_t room)
{
	(void)s;
	snprintf(to, room, "played");
}

/* What it has is given back before it is closed, for it writes to packets until then. */
static void fails_in_flight(void)
{
	static const struct gpu_kind kind = {
		.ops = &ops, .create = create_measured, .open = open_measured,
		.close = close_measured, .describe = describe_measured,
	};
	static const struct gpu_settings settings = { .chunk = CHUNK_MAX };
	struct device *dev;
	const char *why;

	begin_with(WAVECRYPT_ALG_CBC_SHA1);
	dev = gpu_device(&kind, &settings, "played");
	why = gpu_probe(dev);
	EXPECT(why && strstr(why, "a chunk fails"), "%s", why ? why : "good");
	EXPECT(opened == 2, "opened %u times", opened);
	gpu_free(dev);
}

/* What the packets look like: all there is, from 1 to the longest */
static void shapes(void)
{
	for (unsigned int k = 0; k < ALG_KINDS; k++) {
		bool aad[WAVECRYPT_HEADROOM + 1] = { 0 };
		uint32_t last = 0;

		if (!alg_kind_exists(k))
			continue;
		for (uint32_t i = 0; i < GPU_SELFTEST_PACKETS; i++) {
			uint32_t len = gpu_selftest_len(k, i);

			EXPECT(len >= last && len % algs[alg_of_kind(k)].block == 0,
			       "%u after %u bytes", len, last);
			EXPECT(len <= last + algs[alg_of_kind(k)].block ||
			       len <= last + last / 2, "%u after %u bytes", len, last);
			last = len;
			aad[gpu_selftest_aad(i)] = true;
		}
		EXPECT(gpu_selftest_len(k, 0) == algs[alg_of_kind(k)].block &&
		       last == WAVECRYPT_GPU_MAX_LEN, "up to %u bytes", last);
		for (int i = 0; i <= WAVECRYPT_HEADROOM; i++)
			EXPECT(aad[i], "none with AAD of %d bytes", i);
	}
}

static const struct ktap_case cases[] = {
	{ "packets of every length of AAD, from the shortest to the longest",
	  shapes },
	{ "a device that does all right passes", passes },
	{ "what it has no kernel for is not asked of it", without_kernels },
	{ "one that has passed is asked less", passed_before },
	{ "kinds that stand for others", like },
	{ "one that does a kind wrong is found out", each_kind },
	{ "one length of AAD", each_aad },
	{ "one end of payloads", each_tail },
	{ "one end of long ones", each_tail_of_long },
	{ "each end with and without a sequence number's high half", seq_hi },
	{ "one that takes one IV for all", each_iv },
	{ "the longest", longest },
	{ "one of several keys", each_key },
	{ "what is behind the payload", behind },
	{ "one that fails while it is measured gives back what it has", fails_in_flight },
	{ 0 },
};

int main(void)
{
	const char *why;

	clock_setup();
	why = cpu_backend.probe(&cpu_device);
	if (why) {
		EXPECT(false, "%s", why);
		return 1;
	}
	return ktap_run(cases);
}
