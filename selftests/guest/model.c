// SPDX-License-Identifier: GPL-2.0-only
/*
 * AES-CBC, HMAC-SHA-1 and AES-GCM by libcrypto.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static void must(int ok, const char *what)
{
	if (ok != 1)
		errx(2, "libcrypto: %s failed", what);
}

static const EVP_CIPHER *by_key_len(size_t key_len, const EVP_CIPHER *with_128,
				    const EVP_CIPHER *with_192,
				    const EVP_CIPHER *with_256)
{
	return key_len == 16 ? with_128 : key_len == 24 ? with_192 : with_256;
}

static EVP_CIPHER_CTX *begin(const EVP_CIPHER *cipher, const uint8_t *key,
			     const uint8_t *iv, int encrypt)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	must(EVP_CipherInit_ex(ctx, cipher, NULL, key, iv, encrypt), "init");
	must(EVP_CIPHER_CTX_set_padding(ctx, 0), "set_padding");
	return ctx;
}

/** model_cbc - AES-CBC in place; @len is a multiple of 16 */
void model_cbc(const uint8_t *key, size_t key_len, const uint8_t iv[16],
	       int encrypt, uint8_t *data, size_t len)
{
	EVP_CIPHER_CTX *ctx = begin(by_key_len(key_len, EVP_aes_128_cbc(),
					       EVP_aes_192_cbc(),
					       EVP_aes_256_cbc()),
				    key, iv, encrypt);
	int done;

	must(EVP_CipherUpdate(ctx, data, &done, data, len), "CBC");
	EVP_CIPHER_CTX_free(ctx);
}

/** model_hmac_sha1 - the whole 20 bytes */
void model_hmac_sha1(const uint8_t *key, size_t key_len, const uint8_t *data,
		     size_t len, uint8_t mac[20])
{
	if (!HMAC(EVP_sha1(), key, key_len, data, len, mac, NULL))
		errx(2, "libcrypto: HMAC failed");
}

/** model_gcm - AES-GCM in place, and the tag, in both directions */
void model_gcm(const uint8_t *key, size_t key_len, const uint8_t nonce[12],
	       const uint8_t *aad, size_t aad_len, int encrypt, uint8_t *data,
	       size_t len, uint8_t tag[16])
{
	const EVP_CIPHER *cipher = by_key_len(key_len, EVP_aes_128_gcm(),
					      EVP_aes_192_gcm(),
					      EVP_aes_256_gcm());
	EVP_CIPHER_CTX *ctx = begin(cipher, key, nonce, 1);
	int done;

	/* The tag is over the ciphertext, and libcrypto tells it only to who
	 * encrypts. Counter mode makes plaintext of ciphertext and back.
	 */
	must(EVP_CipherUpdate(ctx, NULL, &done, aad, aad_len), "AAD");
	must(EVP_CipherUpdate(ctx, data, &done, data, len), "GCM");
	if (!encrypt) {
		uint8_t *plain = malloc(len + 1);

		memcpy(plain, data, len);
		EVP_CIPHER_CTX_free(ctx);
		ctx = begin(cipher, key, nonce, 1);
		must(EVP_CipherUpdate(ctx, NULL, &done, aad, aad_len), "AAD");
		must(EVP_CipherUpdate(ctx, data, &done, data, len), "GCM");
		memcpy(data, plain, len);
		free(plain);
	}
	must(EVP_CipherFinal_ex(ctx, data, &done), "final");
	must(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_GET_TAG, 16, tag), "tag");
	EVP_CIPHER_CTX_free(ctx);
}
