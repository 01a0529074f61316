// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where kernels go wrong is at the end of a payload that is no whole block, quad or
 * tile, and with AAD that does not begin where a word does. So there are short
 * payloads of each length, with each length of AAD; then ever longer ones, up to
 * the longest. Each key size is a kind of its own. Kinds that others stand for are
 * tested with some of the short ones only.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
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

/* Longer ones: each by a third longer than the one before */
#define LONGER		(GPU_SELFTEST_PACKETS - SHORT)

/* For a device that has passed before: every so manieth of the short ones */
#define STEP		4u

/**
 * struct selftest - the device, the lanes, and packets for both
 * @session: the device in use
 * @rig: the device's packets, then the lanes'
 * @be: the device's instance
 * @lanes: the lanes'
 * @there: what is asked of the one
 * @here: what is asked of the other
 * @why: what went wrong, or NULL
 */
struct selftest {
	struct gpu_session *session;
	struct rig rig;
	struct backend *be;
	struct backend *lanes;
	struct measure there;
	struct measure here;
	const char *why;
};

uint32_t gpu_selftest_len(unsigned int kind, uint32_t i)
{
	uint32_t block = algs[alg_of_kind(kind)].block;
	uint32_t len = i < SHORT ? i + 1 : SHORT;

	for (uint32_t n = SHORT; n <= i; n++)
		len += len / 3 + 1;
	if (len > WAVECRYPT_GPU_MAX_LEN || i + 1 == GPU_SELFTEST_PACKETS)
		len = WAVECRYPT_GPU_MAX_LEN;
	return (len + block - 1) & -block;
}

uint16_t gpu_selftest_aad(uint32_t i)
{
	return i % AADS;
}

/* Packet @i of a kind at place @at, twice */
static void make(struct selftest *t, unsigned int kind, uint32_t i, uint32_t at)
{
	const struct rig_shape shape = {
		.kind = kind,
		.key = i / 2 % RIG_KEYS,
		.len = gpu_selftest_len(kind, i),
		.aad_len = gpu_selftest_aad(i),
		.seq_hi = i % 2,
	};
	const uint32_t places[] = { at, at + t->here.many };

	for (int n = 0; n < 2; n++) {
		rig_packet(&t->rig, places[n], &shape);
		rig_payload(&t->rig.packet[places[n]]);
	}
}

/* What is before the AAD and behind the ICV stays as it was, too. */
static bool same(const struct packet *a, const struct packet *b)
{
	return !memcmp(a->data - WAVECRYPT_HEADROOM, b->data - WAVECRYPT_HEADROOM,
		       WAVECRYPT_HEADROOM + a->len + WAVECRYPT_TAILROOM);
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
	const char *why = NULL;

	t->there.grain = wavecrypt_gpu_packets(t->session->shape,
					       alg_of_kind(kind),
					       alg_op_of_kind(kind));
	for (uint32_t i = 0; !why && i < end; i += whole ? 1 : STEP) {
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
	bool released = !t->be || t->session->kind->close(t->be);

	if (t->lanes)
		t->lanes->ops->close(t->lanes);
	measure_close(&t->there);
	measure_close(&t->here);
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
