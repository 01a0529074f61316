// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/alg.h"
#include "producer.h"

static void bail_out(const char *why)
{
	printf("Bail out! %s\n", why);
	exit(1);
}

void producer_give(struct producer *p, uint32_t key, uint16_t alg,
		   uint16_t aes_len)
{
	struct sa *sa = &p->sas[key];

	random_bytes(sa, sizeof(*sa));
	sa->alg = alg;
	sa->esn = false;
	sa->aes_len = aes_len;
	sa->auth_len = sa_auth_len(alg);
	if (!loopback_key_set(loopback_key(p->lb, key), ++p->gen[key], alg,
			      sa->aes, sa->aes_len, sa->auth, sa->auth_len))
		bail_out("loopback_key_set");
	loopback_key_gone(p->lb, key);
}

void producer_rekey(struct producer *p, uint32_t key)
{
	producer_give(p, key,
		      key % 2 ? WAVECRYPT_ALG_GCM : WAVECRYPT_ALG_CBC_SHA1,
		      16 + 8 * (key / 2 % 3));
}

void producer_init(struct producer *p, uint32_t queues, uint32_t entries)
{
	struct loopback_config lc = {
		.queues = queues,
		.entries = entries,
		.keys = PRODUCER_KEYS,
		.slot_size = PRODUCER_SLOT,
#ifdef __SANITIZE_THREAD__
		.one_view = true,
#endif
	};

	memset(p, 0, sizeof(*p));
	p->lb = loopback_create(&lc);
	if (!p->lb)
		bail_out("loopback_create");
	p->entries = entries;
	p->expected = calloc(queues * entries, sizeof(*p->expected));
	if (!p->expected)
		bail_out("no memory");
	for (uint32_t i = 0; i < PRODUCER_KEYS; i++)
		producer_rekey(p, i);
}

void producer_exit(struct producer *p)
{
	uint32_t nr = loopback_channel(p->lb)->geo.queues * p->entries;

	for (uint32_t i = 0; i < nr; i++)
		free(p->expected[i]);
	free(p->expected);
	loopback_free(p->lb);
}

struct shape shape_random(const struct producer *p, uint32_t longest)
{
	struct shape s = {
		.key = random_below(PRODUCER_KEYS),
		.op = random_below(WAVECRYPT_OPS),
		.len = 1 + random_below(longest),
		.aad_len = random_below(WAVECRYPT_HEADROOM + 1),
	};
	uint8_t block = algs[p->sas[s.key].alg].block;

	s.len = (s.len + block - 1) & -block;
	return s;
}

/* A block of its own for each, so that ASan sees its ends. */
static uint8_t *expect(struct producer *p, const struct shape *shape,
		       const uint8_t *iv, const uint8_t *slot)
{
	const struct sa *sa = &p->sas[shape->key];
	uint8_t *e = malloc(shape->len + algs[sa->alg].icv_len);

	if (!e)
		bail_out("no memory");
	memcpy(e, slot, shape->len);
	reference(sa, shape->op, iv, e, shape->len, slot - shape->aad_len,
		  shape->aad_len);
	return e;
}

struct wavecrypt_desc *producer_add(struct producer *p, uint32_t queue,
				    const struct shape *shape, uint32_t *index)
{
	struct wavecrypt_desc *d = loopback_get(p->lb, queue, shape->len, index);
	uint8_t *slot, **expected;

	if (!d)
		return NULL;
	slot = loopback_slot(p->lb, queue, *index);
	random_bytes(slot - WAVECRYPT_HEADROOM,
		     WAVECRYPT_HEADROOM + shape->len + WAVECRYPT_TAILROOM);
	d->len = shape->len;
	d->key = shape->key;
	d->key_gen = p->gen[shape->key];
	d->aad_len = shape->aad_len;
	d->auth_len = 0;
	if (algs[p->sas[shape->key].alg].auth != AUTH_NONE)
		d->auth_len = shape->aad_len + shape->len;
	if (p->sas[shape->key].esn) {
		d->auth_len += 4;
		d->seq_hi = p->sas[shape->key].seq_hi;
	}
	d->alg = p->sas[shape->key].alg;
	d->op = shape->op;
	d->key_len = p->sas[shape->key].aes_len;
	random_bytes(d->iv, sizeof(d->iv));
	if (algs[d->alg].cipher == CIPHER_CHACHA20)
		memcpy(d->iv + 12, "\0\0\0\0", 4);
	else if (algs[d->alg].cipher != CIPHER_CBC)
		memcpy(d->iv + 12, "\0\0\0\1", 4);
	expected = &p->expected[queue * p->entries + *index];
	free(*expected);
	*expected = expect(p, shape, d->iv, slot);
	loopback_submit(p->lb, queue, *index);
	return d;
}

bool producer_good(struct producer *p, uint32_t queue, uint32_t index)
{
	const struct wavecrypt_attach *geo = &loopback_channel(p->lb)->geo;
	const uint8_t *e = p->expected[queue * p->entries + index];
	const struct wavecrypt_desc *d;

	d = (const void *)((const uint8_t *)channel_sq(loopback_channel(p->lb),
						       queue) +
			   geo->desc_first);
	d += index;
	return !memcmp(loopback_slot(p->lb, queue, index), e,
		       d->len + algs[d->alg].icv_len);
}
