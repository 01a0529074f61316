// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	int wide = sa->aes_len / 8 - 2;

	if (sa->alg == WAVECRYPT_ALG_GCM)
		return wide == 0 ? EVP_aes_128_gcm() :
		       wide == 1 ? EVP_aes_192_gcm() : EVP_aes_256_gcm();
	return wide == 0 ? EVP_aes_128_cbc() :
	       wide == 1 ? EVP_aes_192_cbc() : EVP_aes_256_cbc();
}

static void hmac(const struct sa *sa, const uint8_t *aad, size_t aad_len,
		 const uint8_t *data, size_t len, uint8_t *icv)
{
	uint8_t all[65536];
	unsigned int size;

	memcpy(all, aad, aad_len);
	memcpy(all + aad_len, data, len);
	memcpy(all + aad_len + len, &sa->seq_hi, 4);
	must(!!HMAC(EVP_sha1(), sa->auth, sizeof(sa->auth), all,
		    aad_len + len + (sa->esn ? 4 : 0), icv, &size), "HMAC");
}

static void cbc_sha1(const struct sa *sa, uint8_t op, const uint8_t *iv,
		     uint8_t *data, size_t len, const uint8_t *aad,
		     size_t aad_len)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint8_t icv[20];
	int n;

	if (op == WAVECRYPT_OP_DECRYPT)
		hmac(sa, aad, aad_len, data, len, icv);
	must(EVP_CipherInit_ex(ctx, cipher_of(sa), NULL, sa->aes, iv,
			       op == WAVECRYPT_OP_ENCRYPT), "CipherInit");
	EVP_CIPHER_CTX_set_padding(ctx, 0);
	must(EVP_CipherUpdate(ctx, data, &n, data, len), "CipherUpdate");
	EVP_CIPHER_CTX_free(ctx);
	if (op == WAVECRYPT_OP_ENCRYPT)
		hmac(sa, aad, aad_len, data, len, icv);
	memcpy(data + len, icv, sizeof(icv));
}

/* Encryption of what is encrypted already gives the plaintext. */
static void gcm(const struct sa *sa, uint8_t op, const uint8_t *iv,
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
	must(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, 16, data + len),
	     "GET_TAG");
	EVP_CIPHER_CTX_free(ctx);
}

void reference(const struct sa *sa, uint8_t op, const uint8_t iv[16],
	       uint8_t *data, size_t len, const uint8_t *aad, size_t aad_len)
{
	if (sa->alg == WAVECRYPT_ALG_GCM)
		gcm(sa, op, iv, data, len, aad, aad_len);
	else
		cbc_sha1(sa, op, iv, data, len, aad, aad_len);
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
