// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/rig.h"

/* IPsec's AAD: SPI and sequence number */
#define USUAL_AAD	8

static uint32_t key_index(unsigned int kind, uint32_t key)
{
	return kind * RIG_KEYS + key;
}

/* Where they are in the table is what makes their generations. */
static bool set_key(struct rig *rig, unsigned int kind, uint32_t key)
{
	uint8_t cipher[ALG_KEY_MAX], auth[RIG_AUTH];
	uint32_t index = key_index(kind, key);

	for (uint32_t i = 0; i < sizeof(cipher); i++)
		cipher[i] = rig_key_byte(key, i);
	for (uint32_t i = 0; i < sizeof(auth); i++)
		auth[i] = rig_auth_byte(key, i);
	return loopback_key_set(loopback_key(rig->lb, index), index + 1,
				alg_of_kind(kind), cipher,
				alg_key_len_of_kind(kind), auth, sizeof(auth));
}

static bool set_keys(struct rig *rig)
{
	for (unsigned int kind = 0; kind < ALG_KINDS; kind++)
		for (uint32_t key = 0; key < RIG_KEYS; key++)
			if (alg_kind_exists(kind) && !set_key(rig, kind, key))
				return false;
	return true;
}

bool rig_open(struct rig *rig, uint32_t nr, uint32_t longest)
{
	struct loopback_config lc = {
		.queues = 1,
		.entries = 16,
		.keys = ALG_KINDS * RIG_KEYS,
		.slot_size = longest,
	};

	while (lc.entries < nr)
		lc.entries *= 2;
	rig->nr = nr;
	rig->lb = loopback_create(&lc);
	rig->desc = calloc(nr, sizeof(*rig->desc));
	rig->packet = aligned_alloc(WAVECRYPT_LINE, nr * sizeof(*rig->packet));
	return rig->lb && rig->desc && rig->packet && set_keys(rig);
}

void rig_close(struct rig *rig, bool hung)
{
	if (rig->lb && !hung) {
		struct channel *ch = loopback_channel(rig->lb);

		ch->ops->close(ch);
		loopback_free(rig->lb);
	}
	free(rig->desc);
	free(rig->packet);
	memset(rig, 0, sizeof(*rig));
}

void rig_iv(unsigned int alg, uint8_t iv[16])
{
	for (int i = 0; i < 16; i++)
		iv[i] = 0xa0 + i;
	if (algs[alg].cipher == CIPHER_CBC)
		return;
	/* A counter begins with 1 (RFC 3686, 4; SP 800-38D, 7.1), ChaCha20's with 0. */
	memset(iv + 12, 0, 4);
	iv[15] = algs[alg].cipher != CIPHER_CHACHA20;
}

static void fill_descriptor(struct wavecrypt_desc *d, unsigned int alg)
{
	*d = (struct wavecrypt_desc) { .seq_hi = 0x01020304 };
	rig_iv(alg, d->iv);
}

static uint32_t auth_len(const struct rig_shape *shape)
{
	const struct alg *alg = &algs[alg_of_kind(shape->kind)];

	if (alg->auth == AUTH_NONE)
		return 0;
	return shape->aad_len + shape->len +
	       (shape->seq_hi && alg->seq_hi ? sizeof(uint32_t) : 0);
}

void rig_payload(const struct packet *p)
{
	memset(p->data - WAVECRYPT_HEADROOM, 0, WAVECRYPT_HEADROOM);
	for (uint32_t i = 0; i < p->aad_len; i++)
		*(p->data - p->aad_len + i) = rig_aad_byte(i);
	for (uint32_t i = 0; i < p->len; i++)
		p->data[i] = rig_payload_byte(i);
	memset(p->data + p->len, 0, WAVECRYPT_TAILROOM);
}

void rig_packet(struct rig *rig, uint32_t i, const struct rig_shape *shape)
{
	const struct channel *ch = loopback_channel(rig->lb);
	uint32_t index = key_index(shape->kind, shape->key);
	struct packet *p = &rig->packet[i];
	unsigned int alg = alg_of_kind(shape->kind);

	fill_descriptor(&rig->desc[i], alg);
	*p = (struct packet) {
		.offset = loopback_slot(rig->lb, 0, i) -
			  loopback_slot(rig->lb, 0, 0) + WAVECRYPT_HEADROOM,
		.len = shape->len,
		.key_index = index,
		.key_gen = index + 1,
		.aad_len = shape->aad_len,
		.alg = alg,
		.op = alg_op_of_kind(shape->kind),
		.key_len = alg_key_len_of_kind(shape->kind),
		.auth_len = auth_len(shape),
		.slot = i,
		.key = channel_keys(ch) + index,
		.iv = rig->desc[i].iv,
		.index = i,
	};
	p->data = ch->map[WAVECRYPT_REGION_SLOTS] + p->offset;
}

void rig_fill(struct rig *rig, unsigned int kind, uint32_t len)
{
	const struct rig_shape shape = {
		.kind = kind,
		.len = len,
		.aad_len = USUAL_AAD,
	};

	for (uint32_t i = 0; i < rig->nr; i++)
		rig_packet(rig, i, &shape);
}
