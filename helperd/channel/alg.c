// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "channel/alg.h"
#include "lib/bitmap.h"

#define ALG(number, said, called, by, with)				\
	[WAVECRYPT_ALG_##number] = {					\
		.name = called,						\
		.label = said,						\
		.cipher = CIPHER_##by,					\
		.auth = AUTH_##with,					\
		.block = CIPHER_##by##_BLOCK,				\
		.icv_len = AUTH_##with##_LEN,				\
		.key_lens = CIPHER_##by##_KEYS,				\
		.seq_hi = AUTH_##with##_SEQ_HI,				\
		.side_by_side = CIPHER_##by##_SIDE_BY_SIDE,		\
	}

/* What is authenticated by itself leaves lanes to fill from packet to packet. */
#define CIPHER_CBC_BLOCK		16
#define CIPHER_CBC_KEYS			(1 << 16 / 8 | 1 << 24 / 8 | 1 << 32 / 8)
#define CIPHER_CBC_SIDE_BY_SIDE		true
#define CIPHER_GCM_BLOCK		1
#define CIPHER_GCM_KEYS			CIPHER_CBC_KEYS
#define CIPHER_GCM_SIDE_BY_SIDE		false

#define AUTH_HMAC_SHA1_LEN		20
#define AUTH_HMAC_SHA1_SEQ_HI		true
#define AUTH_GHASH_LEN			16
#define AUTH_GHASH_SEQ_HI		false

const struct alg algs[WAVECRYPT_ALGS] = {
	ALG(CBC_SHA1, "cbc-sha1", "authenc(hmac(sha1),cbc(aes))", CBC,
	    HMAC_SHA1),
	ALG(GCM, "gcm", "rfc4106(gcm(aes))", GCM, GHASH),
};

void alg_set(uint64_t set[WAVECRYPT_ALG_WORDS])
{
	memset(set, 0, WAVECRYPT_ALG_WORDS * sizeof(*set));
	for (unsigned int i = 0; i < WAVECRYPT_ALGS; i++)
		if (alg_exists(i))
			bitmap_set(set, i);
}
