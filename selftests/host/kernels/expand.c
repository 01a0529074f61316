// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#define OPENSSL_API_COMPAT 10101	/* SHA1_Transform */

#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expand.h"

static void must(int good)
{
	if (!good) {
		printf("Bail out! libcrypto failed\n");
		exit(1);
	}
}

static uint8_t times_x(uint8_t a)
{
	return a << 1 ^ (a >> 7) * 0x1b;
}

/* FIPS-197, 5.1.1, with the inverse found by walking through the powers of 3 */
static void fill_sbox(uint8_t sbox[256])
{
	uint8_t p = 1, q = 1;

	do {
		p ^= times_x(p);		/* times 3 */
		q ^= q << 1;			/* by 3, which is 0xf6 */
		q ^= q << 2;
		q ^= q << 4;
		q ^= q >> 7 ? 0x09 : 0;
		sbox[p] = 0x63 ^ q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^
			(q << 3 | q >> 5) ^ (q << 4 | q >> 4);
	} while (p != 1);
	sbox[0] = 0x63;
}

/* FIPS-197, 5.2 */
static void expand(uint8_t *rk, const uint8_t *aes, unsigned int key_len)
{
	const unsigned int words = 4 * (key_len / 4 + 7), nk = key_len / 4;
	uint8_t sbox[256], rcon = 1;

	fill_sbox(sbox);
	memcpy(rk, aes, key_len);
	for (unsigned int i = nk; i < words; i++) {
		uint8_t t[4];

		memcpy(t, rk + 4 * (i - 1), 4);
		if (i % nk == 0) {
			const uint8_t first = t[0];

			t[0] = sbox[t[1]] ^ rcon;
			t[1] = sbox[t[2]];
			t[2] = sbox[t[3]];
			t[3] = sbox[first];
			rcon = times_x(rcon);
		} else if (nk > 6 && i % nk == 4) {
			for (int j = 0; j < 4; j++)
				t[j] = sbox[t[j]];
		}
		for (int j = 0; j < 4; j++)
			rk[4 * i + j] = rk[4 * (i - nk) + j] ^ t[j];
	}
}

static void hmac_state(__u32 state[5], const uint8_t auth[20], uint8_t pad)
{
	uint8_t block[64];
	SHA_CTX sha;

	memset(block, pad, sizeof(block));
	for (int i = 0; i < 20; i++)
		block[i] ^= auth[i];
	must(SHA1_Init(&sha));
	SHA1_Transform(&sha, block);
	state[0] = sha.h0;
	state[1] = sha.h1;
	state[2] = sha.h2;
	state[3] = sha.h3;
	state[4] = sha.h4;
}

/* AES of a block of zeros */
static void hash_key(__u8 to[16], const struct sa *sa)
{
	static const uint8_t zero[16];
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n;

	must(ctx && EVP_EncryptInit_ex(ctx, sa->aes_len == 16 ? EVP_aes_128_ecb() :
				       sa->aes_len == 24 ? EVP_aes_192_ecb() :
				       EVP_aes_256_ecb(), NULL, sa->aes, NULL));
	EVP_CIPHER_CTX_set_padding(ctx, 0);
	must(EVP_EncryptUpdate(ctx, to, &n, zero, 16));
	EVP_CIPHER_CTX_free(ctx);
}

void random_sa(struct sa *sa, unsigned int alg, unsigned int aes_len)
{
	random_bytes(sa, sizeof(*sa));
	sa->esn = false;
	sa->alg = alg;
	sa->aes_len = aes_len;
	sa->auth_len = SA_AUTH_SHA1;
}

void expand_sa(struct wavecrypt_key *key, const struct sa *sa)
{
	memset(key, 0, sizeof(*key));
	key->gen = 1;
	key->alg = sa->alg;
	key->key_len = sa->aes_len;
	expand(key->enc, sa->aes, sa->aes_len);
	if (sa->alg == WAVECRYPT_ALG_GCM) {
		hash_key(key->hash_key, sa);
	} else {
		hmac_state((__u32 *)key->inner, sa->auth, 0x36);
		hmac_state((__u32 *)key->outer, sa->auth, 0x5c);
	}
}
