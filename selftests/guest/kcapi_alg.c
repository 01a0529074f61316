// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two algorithms as AF_ALG has them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <arpa/inet.h>
#include <string.h>

#include "kcapi_alg.h"
#include "model.h"
#include "random.h"
#include "slots.h"
#include "wavecrypt.h"

size_t slot_edge(unsigned int class)
{
	if (class == WAVECRYPT_SLOTS_CLASSES - 1)
		return WAVECRYPT_MAX_LEN;
	return wavecrypt_sizes[class].size - WAVECRYPT_HEADROOM - WAVECRYPT_TAILROOM;
}

/* crypto/authenc.c: struct rtattr, length of the AES key, HMAC's key, AES's */
static size_t authenc_key(uint8_t *key, size_t aes_len, uint64_t *rng)
{
	struct {
		uint16_t len;
		uint16_t type;
		uint32_t aes_len;
	} head = { 8, 1, htonl(aes_len) };

	memcpy(key, &head, 8);
	random_fill(rng, key + 8, 20 + aes_len);
	return 8 + 20 + aes_len;
}

static void authenc_encrypt(const uint8_t *key, size_t key_len,
			    struct message *m)
{
	size_t clear = m->aad_len + m->len;
	uint8_t mac[20];

	memcpy(m->cipher, m->plain, clear);
	model_cbc(key + 28, key_len - 28, m->iv, 1, m->cipher + m->aad_len,
		  m->len);
	model_hmac_sha1(key + 8, 20, m->cipher, clear, mac);
	memcpy(m->cipher + clear, mac, m->icv_len);
}

static bool authenc_offloadable(size_t aad_len, size_t len)
{
	return len && len % 16 == 0 && aad_len <= 64 && len <= WAVECRYPT_MAX_LEN;
}

static size_t rfc4106_key(uint8_t *key, size_t aes_len, uint64_t *rng)
{
	random_fill(rng, key, aes_len + 4);
	return aes_len + 4;
}

static void rfc4106_encrypt(const uint8_t *key, size_t key_len,
			    struct message *m)
{
	uint8_t nonce[12], tag[16];

	memcpy(nonce, key + key_len - 4, 4);
	memcpy(nonce + 4, m->iv, 8);
	memcpy(m->cipher, m->plain, m->aad_len + m->len);
	/* The AAD's last 8 bytes are the IV again, not authenticated. */
	model_gcm(key, key_len - 4, nonce, m->cipher, m->aad_len - 8, 1,
		  m->cipher + m->aad_len, m->len, tag);
	memcpy(m->cipher + m->aad_len + m->len, tag, m->icv_len);
}

static bool rfc4106_offloadable(size_t aad_len, size_t len)
{
	return len && (aad_len == 16 || aad_len == 20) && len <= WAVECRYPT_MAX_LEN;
}

const struct alg algs[NR_ALGS] = {
	{
		.name = "authenc",
		.driver = "authenc-hmac-sha1-cbc-aes-wavecrypt",
		.generic = "authenc(hmac(sha1-generic),cbc(aes-generic))",
		.iv_len = 16,
		.block = 16,
		.key_byte = 8,
		.max_icv = 20,
		.icvs = (const size_t[]){ 12, 20, 16, 10, 1, 2, 3, 4, 5, 6, 7,
					  8, 9, 11, 13, 14, 15, 17, 18, 19, 0 },
		.aads = (const size_t[]){ 8, 24, 28, 1, 16, 63, 64, 65, 80, 200,
					  0 },
		.make_key = authenc_key,
		.encrypt = authenc_encrypt,
		.offloadable = authenc_offloadable,
	}, {
		.name = "rfc4106",
		.driver = "rfc4106-gcm-aes-wavecrypt",
		.generic = "rfc4106(gcm_base(ctr(aes-generic),ghash-generic))",
		.iv_len = 8,
		.block = 1,
		.auth_tail = 8,
		.key_byte = 0,
		.max_icv = 16,
		.icvs = (const size_t[]){ 16, 12, 8, 0 },
		.aads = (const size_t[]){ 16, 20, 0 },
		.make_key = rfc4106_key,
		.encrypt = rfc4106_encrypt,
		.offloadable = rfc4106_offloadable,
	},
};
