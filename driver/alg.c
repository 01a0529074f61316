// SPDX-License-Identifier: GPL-2.0-only
/*
 * The algorithms. One is put together from a cipher, an authenticator and a form,
 * which are here; which there are says algs.h.
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

/* Ciphers: the block, the IV, the key and what of it is the nonce's. */

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

static int wc_prepare_aes_both(struct wavecrypt_key *key, const u8 *raw,
			       unsigned int raw_len)
{
	return wc_prepare_aes(key, raw, raw_len, true);
}

static int wc_prepare_aes_enc(struct wavecrypt_key *key, const u8 *raw,
			      unsigned int raw_len)
{
	return wc_prepare_aes(key, raw, raw_len, false);
}

static void wc_iv_block(u8 iv[16], const u8 salt[4], const u8 *req_iv)
{
	memcpy(iv, req_iv, AES_BLOCK_SIZE);
}

/* The first counter block: nonce | 1, nonce = salt | IV. GCM's J0 (SP 800-38D,
 * 7.1; RFC 4106, 4).
 */
static void wc_iv_counter(u8 iv[16], const u8 salt[4], const u8 *req_iv)
{
	static const u8 one[4] = { 0, 0, 0, 1 };

	memcpy(iv, salt, 4);
	memcpy(iv + 4, req_iv, 8);
	memcpy(iv + 12, one, 4);
}

#define WC_CIPHER_CBC						\
	.block = AES_BLOCK_SIZE,				\
	.prepare_cipher = wc_prepare_aes_both,			\
	.iv = wc_iv_block,					\
	.aead.ivsize = AES_BLOCK_SIZE,				\
	.aead.base.cra_blocksize = AES_BLOCK_SIZE

#define WC_CIPHER_GCM						\
	.block = 1,						\
	.salt_len = WC_SALT_LEN,				\
	.prepare_cipher = wc_prepare_aes_enc,			\
	.iv = wc_iv_counter,					\
	.aead.ivsize = GCM_RFC4106_IV_SIZE,			\
	.aead.base.cra_blocksize = 1

/* Authenticators: the ICV and the key */

static int wc_prepare_hmac_sha1(struct wavecrypt_key *key, const u8 *raw,
				unsigned int raw_len)
{
	/* IPsec's HMAC keys are 20 bytes (RFC 2404, 3). One that HMAC would
	 * have to hash first stays with the kernel.
	 */
	if (raw_len > SHA1_BLOCK_SIZE)
		return -EOPNOTSUPP;
	wc_hmac_sha1_prepare((u32 *)key->inner, (u32 *)key->outer, raw, raw_len);
	return 0;
}

/* H = AES(key, 0): the field is still zero */
static int wc_prepare_ghash(struct wavecrypt_key *key, const u8 *raw,
			    unsigned int raw_len)
{
	return wc_aes_encrypt_block(raw, raw_len, key->hash_key);
}

#define WC_AUTH_HMAC_SHA1					\
	.prepare_auth = wc_prepare_hmac_sha1

#define WC_AUTH_GHASH						\
	.prepare_auth = wc_prepare_ghash

/* Forms: how setkey's argument is made up, and the AAD */

static bool wc_aad_fits_slot(unsigned int assoclen)
{
	return assoclen <= WAVECRYPT_HEADROOM;
}

static bool wc_aad_fits_rfc4106(unsigned int assoclen)
{
	return !crypto_ipsec_check_assoclen(assoclen);
}

/* The key is the cipher's, and the authenticator has none of its own. */
static int wc_split_rfc4106(struct crypto_authenc_keys *keys, const u8 *raw,
			    unsigned int raw_len)
{
	if (raw_len < WC_SALT_LEN)
		return -EINVAL;
	keys->enckey = raw;
	keys->enckeylen = raw_len;
	keys->authkey = raw;
	keys->authkeylen = raw_len - WC_SALT_LEN;
	return 0;
}

#define WC_FORM_AUTHENC						\
	.split_key = crypto_authenc_extractkeys,		\
	.copies_aad = true,					\
	.aad_fits = wc_aad_fits_slot

#define WC_FORM_RFC4106						\
	.split_key = wc_split_rfc4106,				\
	.iv_in_aad = GCM_RFC4106_IV_SIZE,			\
	.aad_fits = wc_aad_fits_rfc4106

#define WC_ALG(number, alg_id, label, cra, directory, cipher, auth, form)	\
	[WC_ALG_##number] = {					\
		.nr = WC_ALG_##number,				\
		.id = WAVECRYPT_ALG_##alg_id,			\
		.dir = directory,				\
		.icv_len = WC_ICV_##auth,			\
		.aead.maxauthsize = WC_ICV_##auth,		\
		WC_CIPHER_##cipher,				\
		WC_AUTH_##auth,					\
		WC_FORM_##form,					\
		.aead.setkey	= wc_aead_setkey,		\
		.aead.setauthsize = wc_aead_setauthsize,	\
		.aead.encrypt	= wc_aead_encrypt,		\
		.aead.decrypt	= wc_aead_decrypt,		\
		.aead.init	= wc_aead_init,			\
		.aead.exit	= wc_aead_exit,			\
		.aead.base.cra_name = cra,			\
		.aead.base.cra_driver_name = directory "-wavecrypt", \
		.aead.base.cra_flags = CRYPTO_ALG_ASYNC |	\
				       CRYPTO_ALG_NEED_FALLBACK,	\
		.aead.base.cra_ctxsize = sizeof(struct wc_tfm),	\
		.aead.base.cra_module = THIS_MODULE,		\
	},

static struct wc_alg wc_algs[WC_ALGS] = { WC_EACH_ALG(WC_ALG) };

/* So that the module is loaded when one of these is asked for by its name */
#define WC_ALIAS(number, id, label, cra, directory, ...)	\
	MODULE_ALIAS_CRYPTO(directory "-wavecrypt");

WC_EACH_ALG(WC_ALIAS)

#define WC_ALG_FITS(number, alg_id, ...)			\
	static_assert(WAVECRYPT_ALG_##alg_id != WAVECRYPT_ALG_NONE &&	\
		      WAVECRYPT_ALG_##alg_id < WAVECRYPT_ALGS);

WC_EACH_ALG(WC_ALG_FITS)
static_assert(WC_ALGS <= U8_MAX);

/** wc_alg_id - what the helper knows an algorithm as, &enum wavecrypt_alg */
unsigned int wc_alg_id(enum wc_alg_nr nr)
{
	return wc_algs[nr].id;
}

/**
 * wc_alg_offered - the algorithms of a set that the module has
 * @algs: set of &enum wavecrypt_alg; those that it has not are taken out
 */
void wc_alg_offered(u64 algs[WAVECRYPT_ALG_WORDS])
{
	u64 ours[WAVECRYPT_ALG_WORDS] = { };
	unsigned int i;

	for (i = 0; i < WC_ALGS; i++)
		ours[wc_algs[i].id / 64] |= BIT_ULL(wc_algs[i].id % 64);
	for (i = 0; i < WAVECRYPT_ALG_WORDS; i++)
		algs[i] &= ours[i];
}

/** wc_alg_dir - name of an algorithm's directory in sysfs */
const char *wc_alg_dir(enum wc_alg_nr nr)
{
	return wc_algs[nr].dir;
}

/**
 * wc_alg_prepare - expand a key that the fallback has accepted
 * @alg: the algorithm
 * @key: zeroed; what the helper gets
 * @salt: the part of the nonce that comes with the key, where there is one
 * @raw: the key, in the form that setkey is given it
 * @raw_len: its length in bytes
 *
 * Return: 0, or an error: this key cannot be offloaded, and nothing worse.
 */
int wc_alg_prepare(const struct wc_alg *alg, struct wavecrypt_key *key,
		   u8 salt[WC_SALT_LEN], const u8 *raw, unsigned int raw_len)
{
	struct crypto_authenc_keys keys;
	int err = alg->split_key(&keys, raw, raw_len);

	if (!err && keys.enckeylen < alg->salt_len)
		err = -EINVAL;
	if (err)
		return err;
	keys.enckeylen -= alg->salt_len;
	memcpy(salt, keys.enckey + keys.enckeylen, alg->salt_len);
	key->alg = alg->id;
	err = alg->prepare_cipher(key, keys.enckey, keys.enckeylen);
	if (err)
		return err;
	return alg->prepare_auth(key, keys.authkey, keys.authkeylen);
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

	for (i = 0; i < WC_ALGS; i++) {
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

	for (i = 0; i < WC_ALGS; i++)
		crypto_unregister_aead(&wc_algs[i].aead);
}
