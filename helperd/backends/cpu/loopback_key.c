// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the module does at setkey, done with libipsec-mb.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "channel/alg.h"
#include "channel/loopback.h"

#define HMAC_BLOCK_MAX	128

static void hash_block(struct IMB_MGR *mgr, enum alg_auth auth,
		       const uint8_t *block, uint8_t *state)
{
	switch (auth) {
	case AUTH_HMAC_SHA1:
		IMB_SHA1_ONE_BLOCK(mgr, block, state);
		break;
	case AUTH_HMAC_SHA256:
		IMB_SHA256_ONE_BLOCK(mgr, block, state);
		break;
	case AUTH_HMAC_SHA384:
		IMB_SHA384_ONE_BLOCK(mgr, block, state);
		break;
	case AUTH_HMAC_SHA512:
		IMB_SHA512_ONE_BLOCK(mgr, block, state);
		break;
	/* No HMAC; and the compiler says if one is missing. */
	case AUTH_NONE:
	case AUTH_GHASH:
	case AUTH_POLY1305:
		break;
	}
}

/* The hash after one block of the key and @pad: HMAC's inner or outer state. */
static void hmac_state(struct IMB_MGR *mgr, enum alg_auth auth,
		       const uint8_t *raw, size_t raw_len, uint8_t pad,
		       uint8_t *state)
{
	uint8_t block[HMAC_BLOCK_MAX];

	memset(block, pad, sizeof(block));
	for (size_t i = 0; i < raw_len; i++)
		block[i] ^= raw[i];
	hash_block(mgr, auth, block, state);
	explicit_bzero(block, sizeof(block));
}

static void expand(struct IMB_MGR *mgr, const uint8_t *aes, uint16_t aes_len,
		   struct wavecrypt_key *key)
{
	uint8_t enc[240] __attribute__((aligned(16))) = { 0 };
	uint8_t dec[240] __attribute__((aligned(16))) = { 0 };

	switch (aes_len) {
	case 16:
		IMB_AES_KEYEXP_128(mgr, aes, enc, dec);
		break;
	case 24:
		IMB_AES_KEYEXP_192(mgr, aes, enc, dec);
		break;
	default:
		IMB_AES_KEYEXP_256(mgr, aes, enc, dec);
	}
	memcpy(key->enc, enc, sizeof(enc));
	if (algs[key->alg].cipher == CIPHER_CBC)
		memcpy(key->dec, dec, sizeof(dec));
}

/* AES of zeros: what CBC makes of a block of zeros, with zeros for an IV. */
static void hash_key(struct IMB_MGR *mgr, struct wavecrypt_key *key)
{
	uint8_t block[16] __attribute__((aligned(16))) = { 0 };
	static const uint8_t iv[16];
	struct IMB_JOB job = {
		.enc_keys = key->enc,
		.key_len_in_bytes = key->key_len,
		.src = block,
		.dst = block,
		.msg_len_to_cipher_in_bytes = sizeof(block),
		.iv = iv,
		.iv_len_in_bytes = sizeof(iv),
		.cipher_mode = IMB_CIPHER_CBC,
		.status = IMB_STATUS_BEING_PROCESSED,
	};

	IMB_SUBMIT_CIPHER_BURST_NOCHECK(mgr, &job, 1, IMB_CIPHER_CBC,
					IMB_DIR_ENCRYPT, key->key_len);
	memcpy(key->hash_key, block, sizeof(block));
}

bool loopback_key_set(struct wavecrypt_key *key, uint32_t gen, uint16_t alg,
		      const uint8_t *aes, uint16_t aes_len,
		      const uint8_t *auth, size_t auth_len)
{
	struct IMB_MGR *mgr;

	if (!alg_exists(alg) || !alg_has_key_len(alg, aes_len) ||
	    /* HMAC would have to hash a longer key first. */
	    (algs[alg].hash && auth_len > algs[alg].hash_block))
		return false;
	mgr = cpu_manager(&imb_linked, CPU_SSE);
	if (!mgr)
		return false;
	__atomic_store_n(&key->gen, 0, __ATOMIC_RELEASE);
	key->alg = alg;
	key->key_len = aes_len;
	switch (algs[alg].cipher) {
	case CIPHER_NONE:
		break;
	case CIPHER_CHACHA20:
		memcpy(key->enc, aes, aes_len);
		break;
	default:
		expand(mgr, aes, aes_len, key);
	}
	if (algs[alg].hash) {
		hmac_state(mgr, algs[alg].auth, auth, auth_len, 0x36,
			   key->inner);
		hmac_state(mgr, algs[alg].auth, auth, auth_len, 0x5c,
			   key->outer);
	} else if (algs[alg].auth == AUTH_GHASH) {
		hash_key(mgr, key);
	}
	/* Read by the other end with acquire, before anything else of it. */
	__atomic_store_n(&key->gen, gen, __ATOMIC_RELEASE);
	free_mb_mgr(mgr);
	return true;
}
