// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "channel/alg.h"
#include "describe.h"
#include "expand.h"
#include "known.h"

/* Where the payload is */
#define AT	64

static bool compute(struct engine *engine, const struct sa *sa, unsigned int op,
		    const struct vector *v, const char *const *in,
		    const char *const *out)
{
	struct wavecrypt_desc desc = {
		.data = AT,
		.alg = sa->alg,
	};
	uint8_t aad[WAVECRYPT_HEADROOM], wanted[VECTOR_ROOM];
	struct wavecrypt_key key;

	desc.aad_len = vector_bytes(aad, v->aad);
	memcpy(engine->data + AT - desc.aad_len, aad, desc.aad_len);
	desc.len = vector_bytes(engine->data + AT, in);
	desc.auth_len = algs[sa->alg].auth == AUTH_NONE ? 0 : desc.aad_len + desc.len;
	vector_bytes(desc.iv, v->iv);
	expand_sa(&key, sa);
	wavecrypt_gpu_key_init(engine->keys, &key);
	describe_packet(engine->packets, &desc);
	wavecrypt_gpu_group_init(engine->groups, sa->alg, op, sa->aes_len, 0);
	describe_in_group(engine->groups, engine->shape, desc.len);
	if (engine->run(engine, 1))
		return false;
	if (!v->forged && memcmp(engine->data + AT, wanted, vector_bytes(wanted, out)))
		return false;
	return !memcmp(engine->data + AT + desc.len, wanted,
		       vector_bytes(wanted, v->icv)) != v->forged;
}

bool known_answer(struct engine *engine, const struct vector *v)
{
	const char *const *out = vector_out(v);
	struct sa sa = { .alg = v->alg };

	sa.aes_len = vector_bytes(sa.aes, v->key);
	sa.auth_len = vector_bytes(sa.auth, v->auth);
	return compute(engine, &sa, WAVECRYPT_OP_ENCRYPT, v, v->in, out) &&
	       compute(engine, &sa, WAVECRYPT_OP_DECRYPT, v, out, v->in);
}
