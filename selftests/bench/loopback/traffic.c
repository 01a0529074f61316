// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "channel/alg.h"
#include "reference.h"
#include "traffic.h"

/* AAD as ESP has it: SPI and sequence number, and CBC's IV on the way in. */
static uint32_t aad_len(const struct mix_part *part)
{
	return part->alg == WAVECRYPT_ALG_CBC_SHA1 &&
	       part->op == WAVECRYPT_OP_DECRYPT ? 24 : 8;
}

static bool sample_draw(struct sample *s, const struct mix_part *part,
			const struct lengths *lengths, const struct sa *sa)
{
	uint32_t aad = aad_len(part), icv = algs[part->alg].icv_len, len;
	const struct pcap_frame *frame;

	len = lengths_draw(lengths, part->alg, random_below(UINT32_MAX),
			   &frame);
	s->in = malloc(aad + len);
	s->out = malloc(len + icv);
	if (!s->in || !s->out)
		return false;
	s->icv_len = icv;
	s->desc.len = len;
	s->desc.aad_len = aad;
	s->desc.auth_len = algs[part->alg].auth == AUTH_NONE ? 0 : aad + s->desc.len;
	s->desc.alg = part->alg;
	s->desc.op = part->op;
	s->desc.key_len = part->key_len;
	random_bytes(s->desc.iv, sizeof(s->desc.iv));
	if (part->alg == WAVECRYPT_ALG_GCM)
		memcpy(s->desc.iv + 12, "\0\0\0\1", 4);
	random_bytes(s->in, aad + len);
	if (frame)
		memcpy(s->in + aad, frame->data, frame->len);
	memcpy(s->out, s->in + aad, len);
	reference(sa, part->op, s->desc.iv, s->out, len, s->in, aad);
	return true;
}

static const struct mix_part *part_draw(const struct mix *mix)
{
	uint32_t at = random_below(mix->total), i = 0;

	while (at >= mix->part[i].weight)
		at -= mix->part[i++].weight;
	return &mix->part[i];
}

static bool keys_create(struct sa *keys, const struct mix *mix, uint32_t sas,
			struct loopback *lb)
{
	for (uint32_t i = 0; i < mix->nr * sas; i++) {
		struct sa *sa = &keys[i];

		sa->alg = mix->part[i / sas].alg;
		sa->aes_len = mix->part[i / sas].key_len;
		random_bytes(sa->aes, sizeof(sa->aes));
		sa->auth_len = sa_auth_len(sa->alg);
		random_bytes(sa->auth, sa->auth_len);
		if (!loopback_key_set(loopback_key(lb, i), i + 1, sa->alg,
				      sa->aes, sa->aes_len, sa->auth,
				      sa->auth_len))
			return false;
	}
	return true;
}

bool traffic_create(struct traffic *t, const struct mix *mix,
		    const struct lengths *lengths, uint32_t sas, uint32_t nr,
		    uint64_t seed, struct loopback *lb)
{
	struct sa *keys = calloc(mix->nr * sas, sizeof(*keys));
	bool good;

	random_seed(seed);
	t->keys = mix->nr * sas;
	t->nr = nr;
	t->samples = calloc(nr, sizeof(*t->samples));
	good = keys && t->samples && keys_create(keys, mix, sas, lb);
	for (uint32_t i = 0; good && i < nr; i++) {
		const struct mix_part *part = part_draw(mix);
		uint32_t key = (part - mix->part) * sas + random_below(sas);

		t->samples[i].desc.key = key;
		t->samples[i].desc.key_gen = key + 1;
		good = sample_draw(&t->samples[i], part, lengths, &keys[key]);
	}
	free(keys);
	if (!good)
		traffic_free(t);
	return good;
}

void traffic_free(struct traffic *t)
{
	for (uint32_t i = 0; t->samples && i < t->nr; i++) {
		free(t->samples[i].in);
		free(t->samples[i].out);
	}
	free(t->samples);
	t->samples = NULL;
}
