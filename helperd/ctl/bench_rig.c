// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/measure.h"
#include "ctl/bench_rig.h"
#include "lib/clock.h"
#include "lib/log.h"

#define FULL_SIZE	1424

/**
 * struct bench_rig - lanes and packets
 * @rig: the packets
 * @be: the lanes
 * @measure: what is asked of them
 */
struct bench_rig {
	struct rig rig;
	struct backend *be;
	struct measure measure;
};

static bool set_up(struct bench_rig *r)
{
	if (!rig_open(&r->rig, BENCH_PACKETS, FULL_SIZE))
		return false;
	r->be = cpu_backend.open(&cpu_device, loopback_channel(r->rig.lb));
	return r->be && measure_open(&r->measure, r->be, &r->rig, BENCH_PACKETS);
}

struct bench_rig *bench_rig_open(void)
{
	struct bench_rig *r;
	const char *why;

	clock_setup();
	why = cpu_backend.probe(&cpu_device);
	if (why) {
		log_err("this processor is of no use: %s", why);
		return NULL;
	}
	r = calloc(1, sizeof(*r));
	if (r && set_up(r))
		return r;
	log_err("no memory");
	if (r)
		bench_rig_close(r);
	return NULL;
}

const char *bench_rig_name(void)
{
	return cpu_backend.describe(&cpu_device);
}

void bench_rig_close(struct bench_rig *r)
{
	measure_close(&r->measure);
	if (r->be)
		r->be->ops->close(r->be);
	rig_close(&r->rig, false);
	free(r);
}

static bool restored(const struct packet *p)
{
	for (uint32_t i = 0; i < p->len; i++)
		if (p->data[i] != rig_payload_byte(i))
			return false;
	return true;
}

/* Packets of every length; where there is a cipher, encrypted ones are not the same. */
static bool encrypts(struct bench_rig *r, const struct bench_vector *v)
{
	struct rig_shape shape = {
		.kind = alg_kind(v->alg, WAVECRYPT_OP_ENCRYPT, v->key_len),
		.aad_len = BENCH_AAD,
	};
	bool plain = algs[v->alg].cipher == CIPHER_NONE, good;

	for (uint32_t i = 0; i < BENCH_PACKETS; i++) {
		shape.len = bench_lengths[i % BENCH_LENGTHS];
		rig_packet(&r->rig, i, &shape);
		rig_payload(&r->rig.packet[i]);
	}
	good = measure_do(&r->measure, 0, BENCH_PACKETS);
	for (uint32_t i = 0; i < BENCH_PACKETS; i++)
		good = good && restored(&r->rig.packet[i]) == plain;
	return good;
}

static bool decrypts(struct bench_rig *r)
{
	bool good;

	for (uint32_t i = 0; i < BENCH_PACKETS; i++) {
		struct packet *p = &r->rig.packet[i];

		p->op = WAVECRYPT_OP_DECRYPT;
		memset(p->data + p->len, 0, BENCH_TAG);
	}
	good = measure_do(&r->measure, 0, BENCH_PACKETS);
	for (uint32_t i = 0; i < BENCH_PACKETS; i++)
		good = good && restored(&r->rig.packet[i]);
	return good;
}

static bool authenticates(const struct bench_rig *r, const struct bench_vector *v)
{
	uint32_t len = algs[v->alg].icv_len;
	bool good = true;

	if (len > BENCH_TAG)
		len = BENCH_TAG;
	for (uint32_t i = 0; i < BENCH_PACKETS; i++) {
		const struct packet *p = &r->rig.packet[i];

		good = good && !memcmp(p->data + p->len,
				       v->tag[i % BENCH_LENGTHS], len);
	}
	return good;
}

bool bench_rig_check(struct bench_rig *r, const struct bench_vector *v)
{
	return encrypts(r, v) && authenticates(r, v) && decrypts(r) &&
	       authenticates(r, v);
}

double bench_rig_speed(struct bench_rig *r, unsigned int kind, uint32_t nr)
{
	double ns;

	rig_fill(&r->rig, kind, FULL_SIZE);
	ns = measure_alone(&r->measure, nr);
	return ns ? 8.0 * nr * FULL_SIZE * NSEC_PER_SEC / ns : 0;
}

struct bench_speed bench_rig_measure(struct bench_rig *r, unsigned int kind)
{
	struct bench_speed s = {
		.one = bench_rig_speed(r, kind, 1),
		.many = bench_rig_speed(r, kind, BENCH_PACKETS),
	};

	s.gain = s.one > 0 ? s.many / s.one : 0;
	return s;
}
