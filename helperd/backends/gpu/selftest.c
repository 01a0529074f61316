// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where kernels go wrong is at the end of a payload that is no whole block, quad or
 * tile, and with AAD that does not begin where a word does. So there are short
 * payloads of each length, with each length of AAD; then ever longer ones, up to
 * the longest, of which each ends at another place in its last quad. Each key size is
 * a kind of its own. Of kinds that others stand for a third of the short ones is
 * tested, of each key size another third.
 *
 * What is in packets and around them is random, so that one that gets another's IV,
 * or bytes that are not its own, differs; and it is the same each time.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/gpu/describe.h"
#include "backends/gpu/kinds.h"
#include "backends/gpu/selftest.h"
#include "backends/measure.h"

/* Lengths of AAD, from none to the longest */
#define AADS		(WAVECRYPT_HEADROOM + 1u)

/* Short payloads: each length of AAD comes with two of them. */
#define SHORT		(2 * AADS)

/* Longer ones: each by about a third longer than the one before */
#define LONGER		(GPU_SELFTEST_PACKETS - SHORT)

_Static_assert(LONGER == 16, "one for each end in a quad");

/* Where not all are tested: every so manieth of the short ones, all ends among them */
#define STEP		ALG_KEY_SIZES

/* Of an IV, what is not a counter, in whatever form */
#define NONCE		12u

/**
 * struct selftest - the device, the lanes, and packets for both
 * @session: the device in use
 * @rig: the device's packets, then the lanes'
 * @be: the device's instance
 * @lanes: the lanes'
 * @there: what is asked of the one
 * @here: what is asked of the other
 * @random: state of jrand48()
 * @why: what went wrong, or NULL
 */
struct selftest {
	struct gpu_session *session;
	struct rig rig;
	struct backend *be;
	struct backend *lanes;
	struct measure there;
	struct measure here;
	unsigned short random[3];
	const char *why;
};

uint32_t gpu_selftest_len(unsigned int kind, uint32_t i)
{
	uint32_t block = algs[alg_of_kind(kind)].block;
	uint32_t len = i < SHORT ? i + 1 : SHORT;

	for (uint32_t n = SHORT; n <= i; n++)
		len += len / 3 + 1;
	if (i >= SHORT)
		len = (len & -LONGER) + i - SHORT + 1;
	if (len > WAVECRYPT_GPU_MAX_LEN || i + 1 == GPU_SELFTEST_PACKETS)
		len = WAVECRYPT_GPU_MAX_LEN;
	return (len + block - 1) & -block;
}

uint16_t gpu_selftest_aad(uint32_t i)
{
	return i % AADS;
}

/* Bytes of a packet, from before its AAD to behind its ICV */
static uint32_t around(const struct packet *p)
{
	return WAVECRYPT_HEADROOM + p->len + WAVECRYPT_TAILROOM;
}

static void randomize(struct selftest *t, void *to, uint32_t nr)
{
	uint8_t *byte = to;
	uint32_t word;

	for (uint32_t i = 0; i < nr; i += sizeof(word)) {
		word = jrand48(t->random);
		memcpy(byte + i, &word, nr - i < sizeof(word) ? nr - i : sizeof(word));
	}
}

/* Packet @i of a kind at place @at, twice. Each end comes with @seq_hi and without. */
static void make(struct selftest *t, unsigned int kind, uint32_t i, uint32_t at)
{
	const struct rig_shape shape = {
		.kind = kind,
		.key = i / 2 % RIG_KEYS,
		.len = gpu_selftest_len(kind, i),
		.aad_len = gpu_selftest_aad(i),
		.seq_hi = (i ^ i / 16) % 2,
	};
	const uint32_t twin = at + t->here.many;
	const struct packet *p = &t->rig.packet[at], *q = &t->rig.packet[twin];

	rig_packet(&t->rig, at, &shape);
	rig_packet(&t->rig, twin, &shape);
	randomize(t, t->rig.desc[at].iv, NONCE);
	randomize(t, &t->rig.desc[at].seq_hi, sizeof(t->rig.desc[at].seq_hi));
	randomize(t, p->data - WAVECRYPT_HEADROOM, around(p));
	t->rig.desc[twin] = t->rig.desc[at];
	memcpy(q->data - WAVECRYPT_HEADROOM, p->data - WAVECRYPT_HEADROOM, around(p));
}

/* What is before the AAD and behind the ICV stays as it was, too. */
static bool same(const struct packet *a, const struct packet *b)
{
	return !memcmp(a->data - WAVECRYPT_HEADROOM, b->data - WAVECRYPT_HEADROOM,
		       around(a));
}

static const char *differs(const struct packet *p)
{
	static __thread char text[160];

	snprintf(text, sizeof(text),
		 "it computes something else than the CPU: %s, %s, key of %u bits, %u bytes of payload, %u of AAD",
		 algs[p->alg].label,
		 p->op == WAVECRYPT_OP_ENCRYPT ? "encryption" : "decryption",
		 8 * p->key_len, p->len, p->aad_len);
	return text;
}

/* The first @nr packets are there. Do both agree? */
static const char *compare(struct selftest *t, uint32_t nr)
{
	const struct packet *p = t->rig.packet;

	for (uint32_t i = 0; i < nr; i++)
		if (!measure_key(&t->there, &p[i]))
			return t->there.why;
	if (!measure_do(&t->there, 0, nr))
		return t->there.why;
	if (!measure_do(&t->here, t->here.many, nr))
		return t->here.why;
	for (uint32_t i = 0; i < nr; i++)
		if (!same(&p[i], &p[t->here.many + i]))
			return differs(&p[i]);
	return NULL;
}

static const char *test_kind(struct selftest *t, unsigned int kind, bool whole)
{
	uint32_t nr = 0, end = whole ? GPU_SELFTEST_PACKETS : SHORT;
	uint32_t step = whole ? 1 : STEP;
	const char *why = NULL;

	t->there.grain = wavecrypt_gpu_packets(t->session->shape,
					       alg_of_kind(kind),
					       alg_op_of_kind(kind));
	for (uint32_t i = kind % step; !why && i < end; i += step) {
		make(t, kind, i, nr++);
		if (nr < t->here.many)
			continue;
		why = compare(t, nr);
		nr = 0;
	}
	return why || !nr ? why : compare(t, nr);
}

static const char *set_up(struct selftest *t)
{
	struct gpu_session *session = t->session;
	const char *why = "no memory";
	uint32_t many;

	if (!rig_open(&t->rig, 2 * CHUNK_MAX, WAVECRYPT_GPU_MAX_LEN))
		return why;
	t->lanes = cpu_backend.open(&cpu_device, loopback_channel(t->rig.lb));
	if (!t->lanes)
		return why;
	t->be = session->kind->open(session, loopback_channel(t->rig.lb), &why);
	if (!t->be)
		return why;
	many = backend_room(t->be, WAVECRYPT_GPU_MAX_LEN);
	if (many > CHUNK_MAX)
		many = CHUNK_MAX;
	if (measure_open(&t->there, t->be, &t->rig, many) &&
	    measure_open(&t->here, t->lanes, &t->rig, many))
		return NULL;
	return why;
}

static void tear_down(struct selftest *t)
{
	bool released;

	measure_close(&t->there);
	measure_close(&t->here);
	released = !t->be || t->session->kind->close(t->be);
	if (t->lanes)
		t->lanes->ops->close(t->lanes);
	/* What has hung may still write there. */
	rig_close(&t->rig, !released);
}

const char *gpu_selftest(struct gpu_session *session, bool whole)
{
	struct selftest t = { .session = session };
	const char *why = set_up(&t);

	for (unsigned int kind = 0; !why && kind < ALG_KINDS; kind++)
		if (gpu_has_kernel(session, kind))
			why = test_kind(&t, kind, whole && gpu_kind_like(kind) == kind);
	tear_down(&t);
	return why;
}
