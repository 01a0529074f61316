// SPDX-License-Identifier: GPL-2.0-only
/*
 * The algorithms. A new one is an entry here, with its way to prepare a key
 * and an IV, and its lanes in the helper.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/module.h>
#include <crypto/aes.h>
#include <crypto/authenc.h>
#include <crypto/gcm.h>
#include <crypto/sha1.h>

#include "aead.h"
#include "compat.h"

/* Round keys both ways, as FIPS-197 defines them: bytes, most significant
 * first, which on this machine is how the library's words lie in memory.
 */
static int wc_prepare_aes(struct wavecrypt_key *key, const u8 *raw,
			  unsigned int raw_len, bool both_ways)
{
	struct crypto_aes_ctx aes;
	int err = aes_expandkey(&aes, raw, raw_len);

	if (!err) {
		key->key_len = raw_len;
		memcpy(key->enc, aes.key_enc, sizeof(key->enc));
		if (both_ways)
			memcpy(key->dec, aes.key_dec, sizeof(key->dec));
	}
	memzero_explicit(&aes, sizeof(aes));
	return err;
}

static int wc_prepare_cbc_sha1(struct wavecrypt_key *key, u8 salt[4],
			       const u8 *raw, unsigned int raw_len)
{
	struct crypto_authenc_keys keys;
	int err = crypto_authenc_extractkeys(&keys, raw, raw_len);

	/* IPsec's HMAC keys are 20 bytes (RFC 2404, 3). One that HMAC would
	 * have to hash first stays with the kernel.
	 */
	if (!err && keys.authkeylen > SHA1_BLOCK_SIZE)
		err = -EOPNOTSUPP;
	if (!err)
		err = wc_prepare_aes(key, keys.enckey, keys.enckeylen, true);
	if (!err)
		wc_hmac_sha1_prepare(key->inner, key->outer, keys.authkey,
				     keys.authkeylen);
	memzero_explicit(&keys, sizeof(keys));
	return err;
}

static bool wc_aad_fits_cbc_sha1(unsigned int assoclen)
{
	return assoclen <= WAVECRYPT_HEADROOM;
}

static void wc_iv_cbc(u8 iv[16], const u8 salt[4], const u8 *req_iv)
{
	memcpy(iv, req_iv, AES_BLOCK_SIZE);
}

static int wc_prepare_rfc4106(struct wavecrypt_key *key, u8 salt[4],
			      const u8 *raw, unsigned int raw_len)
{
	unsigned int aes_len = raw_len - 4;
	int err = wc_prepare_aes(key, raw, aes_len, false);

	/* H = AES(key, 0): the field is still zero */
	if (!err)
		err = wc_aes_encrypt_block(raw, aes_len, key->hash_key);
	if (!err)
		memcpy(salt, raw + aes_len, 4);
	return err;
}

static bool wc_aad_fits_rfc4106(unsigned int assoclen)
{
	return !crypto_ipsec_check_assoclen(assoclen);
}

/* J0 = nonce | 1, nonce = salt | IV (SP 800-38D, 7.1; RFC 4106, 4) */
static void wc_iv_rfc4106(u8 iv[16], const u8 salt[4], const u8 *req_iv)
{
	static const u8 one[4] = { 0, 0, 0, 1 };

	memcpy(iv, salt, 4);
	memcpy(iv + 4, req_iv, GCM_RFC4106_IV_SIZE);
	memcpy(iv + 12, one, 4);
}

#define WC_AEAD_OPS						\
	.setkey		= wc_aead_setkey,			\
	.setauthsize	= wc_aead_setauthsize,			\
	.encrypt	= wc_aead_encrypt,			\
	.decrypt	= wc_aead_decrypt,			\
	.init		= wc_aead_init,				\
	.exit		= wc_aead_exit

#define WC_AEAD_BASE						\
	.base.cra_flags	= CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK, \
	.base.cra_ctxsize = sizeof(struct wc_tfm),		\
	.base.cra_module = THIS_MODULE

struct wc_alg wc_algs[] = {
	{
		.id = WAVECRYPT_ALG_CBC_SHA1,
		.dir = "authenc-hmac-sha1-cbc-aes",
		.icv_len = SHA1_DIGEST_SIZE,
		.block = AES_BLOCK_SIZE,
		.copies_aad = true,
		.aad_fits = wc_aad_fits_cbc_sha1,
		.prepare = wc_prepare_cbc_sha1,
		.iv = wc_iv_cbc,
		.aead = {
			WC_AEAD_OPS,
			WC_AEAD_BASE,
			.ivsize = AES_BLOCK_SIZE,
			.maxauthsize = SHA1_DIGEST_SIZE,
			.base.cra_blocksize = AES_BLOCK_SIZE,
			.base.cra_name = "authenc(hmac(sha1),cbc(aes))",
			.base.cra_driver_name =
				"authenc-hmac-sha1-cbc-aes-wavecrypt",
		},
	}, {
		.id = WAVECRYPT_ALG_GCM,
		.dir = "rfc4106-gcm-aes",
		.icv_len = AES_BLOCK_SIZE,
		.block = 1,
		.iv_in_aad = GCM_RFC4106_IV_SIZE,
		.aad_fits = wc_aad_fits_rfc4106,
		.prepare = wc_prepare_rfc4106,
		.iv = wc_iv_rfc4106,
		.aead = {
			WC_AEAD_OPS,
			WC_AEAD_BASE,
			.ivsize = GCM_RFC4106_IV_SIZE,
			.maxauthsize = AES_BLOCK_SIZE,
			.base.cra_blocksize = 1,
			.base.cra_name = "rfc4106(gcm(aes))",
			.base.cra_driver_name = "rfc4106-gcm-aes-wavecrypt",
		},
	},
};

/**
 * wc_alg_dir - name of an algorithm's directory in sysfs
 * @id: &enum wavecrypt_alg
 */
const char *wc_alg_dir(unsigned int id)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wc_algs); i++)
		if (wc_algs[i].id == id)
			return wc_algs[i].dir;
	return NULL;
}

/**
 * wc_algs_register - offer every algorithm to the kernel
 * @priority: cra_priority for all of them
 *
 * From here on new transforms are ours. On 6.1 this waits for the self-tests.
 */
int wc_algs_register(int priority)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(wc_algs); i++) {
		wc_algs[i].aead.base.cra_priority = priority;
		err = crypto_register_aead(&wc_algs[i].aead);
		if (err) {
			pr_err("%s: registering failed: %d\n",
			       wc_algs[i].aead.base.cra_driver_name, err);
			while (i--)
				crypto_unregister_aead(&wc_algs[i].aead);
			return err;
		}
	}
	return 0;
}

/** wc_algs_unregister - take them back. No transform uses them any more. */
void wc_algs_unregister(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wc_algs); i++)
		crypto_unregister_aead(&wc_algs[i].aead);
}
