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
		.hash = AUTH_##with##_HASH,				\
		.hash_block = AUTH_##with##_BLOCK,			\
		.icv_len = AUTH_##with##_LEN,				\
		.key_lens = CIPHER_##by##_KEYS,				\
		.seq_hi = AUTH_##with##_SEQ_HI,				\
		.side_by_side = CIPHER_##by##_SIDE_BY_SIDE,		\
	}

/* A cipher with an HMAC: what its number, label and name have before the hash's */
#define HMAC(number, said, called, by, HASH)				\
	ALG(number##HASH, said AUTH_HMAC_##HASH##_HASH,		\
	    "authenc(hmac(" AUTH_HMAC_##HASH##_HASH ")," called ")",	\
	    by, HMAC_##HASH)

/* With each */
#define EACH_HMAC(...)							\
	HMAC(__VA_ARGS__, SHA1),					\
	HMAC(__VA_ARGS__, SHA256),					\
	HMAC(__VA_ARGS__, SHA384),					\
	HMAC(__VA_ARGS__, SHA512)

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

#define AUTH_NONE_HASH			NULL
#define AUTH_NONE_BLOCK			0
#define AUTH_NONE_LEN			0
#define AUTH_NONE_SEQ_HI		false
#define AUTH_HMAC_SHA1_HASH		"sha1"
#define AUTH_HMAC_SHA1_BLOCK		64
#define AUTH_HMAC_SHA1_LEN		20
#define AUTH_HMAC_SHA1_SEQ_HI		true
#define AUTH_HMAC_SHA256_HASH		"sha256"
#define AUTH_HMAC_SHA256_BLOCK		64
#define AUTH_HMAC_SHA256_LEN		32
#define AUTH_HMAC_SHA256_SEQ_HI		true
#define AUTH_HMAC_SHA384_HASH		"sha384"
#define AUTH_HMAC_SHA384_BLOCK		128
#define AUTH_HMAC_SHA384_LEN		48
#define AUTH_HMAC_SHA384_SEQ_HI		true
#define AUTH_HMAC_SHA512_HASH		"sha512"
#define AUTH_HMAC_SHA512_BLOCK		128
#define AUTH_HMAC_SHA512_LEN		64
#define AUTH_HMAC_SHA512_SEQ_HI		true
#define AUTH_GHASH_HASH			NULL
#define AUTH_GHASH_BLOCK		0
#define AUTH_GHASH_LEN			16
#define AUTH_GHASH_SEQ_HI		false
#define AUTH_POLY1305_HASH		NULL
#define AUTH_POLY1305_BLOCK		0
#define AUTH_POLY1305_LEN		16
#define AUTH_POLY1305_SEQ_HI		false

const struct alg algs[WAVECRYPT_ALGS] = {
	ALG(GCM, "gcm", "rfc4106(gcm(aes))", GCM, GHASH),
	EACH_HMAC(CBC_, "cbc-", "cbc(aes)", CBC),
	EACH_HMAC(CTR_, "ctr-", "rfc3686(ctr(aes))", CTR),
	EACH_HMAC(NULL_, "null-", "ecb(cipher_null)", NONE),
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
