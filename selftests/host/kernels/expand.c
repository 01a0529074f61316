// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#define OPENSSL_API_COMPAT 10101	/* SHA1_Transform and the like */

#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/alg.h"
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

/* The state of the algorithm's hash after a block of its key and @pad */
static void hmac_state(__u8 state[64], const struct sa *sa, uint8_t pad)
{
	uint8_t block[SA_AUTH_MAX];
	union {
		SHA_CTX sha1;
		SHA256_CTX sha256;
		SHA512_CTX sha512;
	} c;

	memset(block, pad, sizeof(block));
	for (int i = 0; i < sa->auth_len; i++)
		block[i] ^= sa->auth[i];
	switch (algs[sa->alg].auth) {
	case AUTH_HMAC_SHA1:
		must(SHA1_Init(&c.sha1));
		SHA1_Transform(&c.sha1, block);
		memcpy(state, (const SHA_LONG[]) {
			c.sha1.h0, c.sha1.h1, c.sha1.h2, c.sha1.h3, c.sha1.h4
		}, 20);
		break;
	case AUTH_HMAC_SHA256:
		must(SHA256_Init(&c.sha256));
		SHA256_Transform(&c.sha256, block);
		memcpy(state, c.sha256.h, 32);
		break;
	case AUTH_HMAC_SHA384:
	case AUTH_HMAC_SHA512:
		must(algs[sa->alg].auth == AUTH_HMAC_SHA384 ? SHA384_Init(&c.sha512) :
		     SHA512_Init(&c.sha512));
		SHA512_Transform(&c.sha512, block);
		memcpy(state, c.sha512.h, 64);
		break;
	default:
		break;
	}
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
	sa->auth_len = sa_auth_len(alg);
}

void expand_sa(struct wavecrypt_key *key, const struct sa *sa)
{
	memset(key, 0, sizeof(*key));
	key->gen = 1;
	key->alg = sa->alg;
	key->key_len = sa->aes_len;
	if (algs[sa->alg].cipher == CIPHER_CHACHA20)
		memcpy(key->enc, sa->aes, sa->aes_len);
	else if (sa->aes_len)
		expand(key->enc, sa->aes, sa->aes_len);
	if (algs[sa->alg].cipher == CIPHER_GCM)
		hash_key(key->hash_key, sa);
	hmac_state(key->inner, sa, 0x36);
	hmac_state(key->outer, sa, 0x5c);
}
