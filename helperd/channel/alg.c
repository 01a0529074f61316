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
#define CIPHER_CTR_BLOCK		1
#define CIPHER_CTR_KEYS			CIPHER_CBC_KEYS
#define CIPHER_CTR_SIDE_BY_SIDE		true
#define CIPHER_NONE_BLOCK		1
#define CIPHER_NONE_KEYS		(1 << 0 / 8)
#define CIPHER_NONE_SIDE_BY_SIDE	true
#define CIPHER_GCM_BLOCK		1
#define CIPHER_GCM_KEYS			CIPHER_CBC_KEYS
#define CIPHER_GCM_SIDE_BY_SIDE		false
#define CIPHER_CHACHA20_BLOCK		1
#define CIPHER_CHACHA20_KEYS		(1 << 32 / 8)
#define CIPHER_CHACHA20_SIDE_BY_SIDE	false

#define AUTH_NONE_LEN			0
#define AUTH_NONE_SEQ_HI		false
#define AUTH_HMAC_SHA1_LEN		20
#define AUTH_HMAC_SHA1_SEQ_HI		true
#define AUTH_HMAC_SHA256_LEN		32
#define AUTH_HMAC_SHA256_SEQ_HI		true
#define AUTH_HMAC_SHA384_LEN		48
#define AUTH_HMAC_SHA384_SEQ_HI		true
#define AUTH_HMAC_SHA512_LEN		64
#define AUTH_HMAC_SHA512_SEQ_HI		true
#define AUTH_GHASH_LEN			16
#define AUTH_GHASH_SEQ_HI		false
#define AUTH_POLY1305_LEN		16
#define AUTH_POLY1305_SEQ_HI		false

const struct alg algs[WAVECRYPT_ALGS] = {
	ALG(CBC_SHA1, "cbc-sha1", "authenc(hmac(sha1),cbc(aes))", CBC,
	    HMAC_SHA1),
	ALG(GCM, "gcm", "rfc4106(gcm(aes))", GCM, GHASH),
	ALG(CBC_SHA256, "cbc-sha256", "authenc(hmac(sha256),cbc(aes))",
	    CBC, HMAC_SHA256),
	ALG(CBC_SHA384, "cbc-sha384", "authenc(hmac(sha384),cbc(aes))",
	    CBC, HMAC_SHA384),
	ALG(CBC_SHA512, "cbc-sha512", "authenc(hmac(sha512),cbc(aes))",
	    CBC, HMAC_SHA512),
	ALG(CTR_SHA1, "ctr-sha1", "authenc(hmac(sha1),rfc3686(ctr(aes)))",
	    CTR, HMAC_SHA1),
	ALG(CTR_SHA256, "ctr-sha256", "authenc(hmac(sha256),rfc3686(ctr(aes)))",
	    CTR, HMAC_SHA256),
	ALG(CTR_SHA384, "ctr-sha384", "authenc(hmac(sha384),rfc3686(ctr(aes)))",
	    CTR, HMAC_SHA384),
	ALG(CTR_SHA512, "ctr-sha512", "authenc(hmac(sha512),rfc3686(ctr(aes)))",
	    CTR, HMAC_SHA512),
	ALG(NULL_SHA1, "null-sha1", "authenc(hmac(sha1),ecb(cipher_null))",
	    NONE, HMAC_SHA1),
	ALG(NULL_SHA256, "null-sha256", "authenc(hmac(sha256),ecb(cipher_null))",
	    NONE, HMAC_SHA256),
	ALG(NULL_SHA384, "null-sha384", "authenc(hmac(sha384),ecb(cipher_null))",
	    NONE, HMAC_SHA384),
	ALG(NULL_SHA512, "null-sha512", "authenc(hmac(sha512),ecb(cipher_null))",
	    NONE, HMAC_SHA512),
	ALG(CBC, "cbc", "authenc(digest_null,cbc(aes))", CBC, NONE),
	ALG(CHACHA20_POLY1305, "chacha20-poly1305", "rfc7539esp(chacha20,poly1305)",
	    CHACHA20, POLY1305),
};

void alg_set(uint64_t set[WAVECRYPT_ALG_WORDS])
{
	memset(set, 0, WAVECRYPT_ALG_WORDS * sizeof(*set));
	for (unsigned int i = 0; i < WAVECRYPT_ALGS; i++)
		if (alg_exists(i))
			bitmap_set(set, i);
}
