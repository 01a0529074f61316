// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/alg.h"
#include "reference.h"

static void must(int good, const char *what)
{
	if (good)
		return;
	printf("Bail out! libcrypto: %s failed\n", what);
	exit(1);
}

static const EVP_CIPHER *cipher_of(const struct sa *sa)
{
	static const char *const names[][ALG_KEY_SIZES] = {
		[CIPHER_CBC] = { "AES-128-CBC", "AES-192-CBC", "AES-256-CBC" },
		[CIPHER_CTR] = { "AES-128-CTR", "AES-192-CTR", "AES-256-CTR" },
		[CIPHER_GCM] = { "AES-128-GCM", "AES-192-GCM", "AES-256-GCM" },
		[CIPHER_CHACHA20] = { NULL, NULL, "ChaCha20-Poly1305" },
	};

	return EVP_get_cipherbyname(names[algs[sa->alg].cipher]
					 [alg_key_size(sa->aes_len)]);
}

static const EVP_MD *hash_of(const struct sa *sa)
{
	switch (algs[sa->alg].auth) {
	case AUTH_HMAC_SHA256:
		return EVP_sha256();
	case AUTH_HMAC_SHA384:
		return EVP_sha384();
	case AUTH_HMAC_SHA512:
		return EVP_sha512();
	default:
		return EVP_sha1();
	}
}

uint16_t sa_auth_len(uint16_t alg)
{
	return algs[alg].icv_len;
}

static void hmac(const struct sa *sa, const uint8_t *aad, size_t aad_len,
		 const uint8_t *data, size_t len, uint8_t *icv)
{
	uint8_t all[65536];
	unsigned int size;

	if (algs[sa->alg].auth == AUTH_NONE)
		return;
	memcpy(all, aad, aad_len);
	memcpy(all + aad_len, data, len);
	memcpy(all + aad_len + len, &sa->seq_hi, 4);
	must(!!HMAC(hash_of(sa), sa->auth, sa->auth_len, all,
		    aad_len + len + (sa->esn ? 4 : 0), icv, &size), "HMAC");
}

static void cipher(const struct sa *sa, uint8_t op, const uint8_t *iv,
		   uint8_t *data, size_t len)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	must(EVP_CipherInit_ex(ctx, cipher_of(sa), NULL, sa->aes, iv,
			       op == WAVECRYPT_OP_ENCRYPT), "CipherInit");
	EVP_CIPHER_CTX_set_padding(ctx, 0);
	must(EVP_CipherUpdate(ctx, data, &n, data, len), "CipherUpdate");
	EVP_CIPHER_CTX_free(ctx);
}

static void pair(const struct sa *sa, uint8_t op, const uint8_t *iv,
		 uint8_t *data, size_t len, const uint8_t *aad, size_t aad_len)
{
	uint8_t icv[EVP_MAX_MD_SIZE];

	if (op == WAVECRYPT_OP_DECRYPT)
		hmac(sa, aad, aad_len, data, len, icv);
	if (algs[sa->alg].cipher != CIPHER_NONE)
		cipher(sa, op, iv, data, len);
	if (op == WAVECRYPT_OP_ENCRYPT)
		hmac(sa, aad, aad_len, data, len, icv);
	memcpy(data + len, icv, algs[sa->alg].icv_len);
}

/* Encryption of what is encrypted already gives the plaintext. */
static void aead(const struct sa *sa, uint8_t op, const uint8_t *iv,
		 uint8_t *data, size_t len, const uint8_t *aad, size_t aad_len)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t text[65536];
	int n;

	must(EVP_EncryptInit_ex(ctx, cipher_of(sa), NULL, sa->aes, iv),
	     "EncryptInit");
	must(EVP_EncryptUpdate(ctx, text, &n, data, len), "EncryptUpdate");
	if (op == WAVECRYPT_OP_DECRYPT) {
		/* The tag is over the ciphertext: so once more, forward. */
		memcpy(data, text, len);
		must(EVP_EncryptInit_ex(ctx, NULL, NULL, NULL, iv), "reinit");
		must(EVP_EncryptUpdate(ctx, NULL, &n, aad, aad_len), "AAD");
		must(EVP_EncryptUpdate(ctx, text, &n, data, len), "again");
	} else {
		must(EVP_EncryptInit_ex(ctx, NULL, NULL, NULL, iv), "reinit");
		must(EVP_EncryptUpdate(ctx, NULL, &n, aad, aad_len), "AAD");
		must(EVP_EncryptUpdate(ctx, data, &n, data, len), "again");
	}
	must(EVP_EncryptFinal_ex(ctx, text, &n), "EncryptFinal");
	must(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG,
				 algs[sa->alg].icv_len, data + len),
	     "GET_TAG");
	EVP_CIPHER_CTX_free(ctx);
}

void reference(const struct sa *sa, uint8_t op, const uint8_t iv[16],
	       uint8_t *data, size_t len, const uint8_t *aad, size_t aad_len)
{
	if (algs[sa->alg].cipher == CIPHER_GCM ||
	    algs[sa->alg].cipher == CIPHER_CHACHA20)
		aead(sa, op, iv, data, len, aad, aad_len);
	else
		pair(sa, op, iv, data, len, aad, aad_len);
}

static __thread uint64_t state = 1;

/* splitmix64: the same everywhere, and good enough for test data */
static uint64_t random_next(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

void random_seed(uint64_t seed)
{
	state = seed;
}

void random_bytes(void *to, size_t len)
{
	uint8_t *p = to;

	while (len) {
		uint64_t r = random_next();
		size_t n = len < sizeof(r) ? len : sizeof(r);

		memcpy(p, &r, n);
		p += n;
		len -= n;
	}
}

uint32_t random_below(uint32_t n)
{
	return random_next() % n;
}
