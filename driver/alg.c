// SPDX-License-Identifier: GPL-2.0-only
/*
 * The algorithms. One is put together from a cipher, an authenticator and a form,
 * which are here; which there are says algs.h.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/module.h>
#include <linux/string.h>
#include <crypto/aes.h>
#include <crypto/authenc.h>
#include <crypto/chacha.h>
#include <crypto/ctr.h>
#include <crypto/gcm.h>

#include "aead.h"
#include "compat.h"
#include "hmac.h"

static char *wc_wanted;
module_param_named(algs, wc_wanted, charp, 0444);
MODULE_PARM_DESC(algs, "algorithms to offer, as cbc-sha256,cbc-sha256-esn,gcm (default: all)");

static bool wc_unauthenticated;
module_param_named(unauthenticated, wc_unauthenticated, bool, 0644);
MODULE_PARM_DESC(unauthenticated, "let keys set from now on be offloaded even without an ICV, when the helper alone decides what comes out (default N)");

/* Bytes of the nonce that a packet brings (RFC 7634, 2) */
#define WC_CHACHA20_IV_SIZE	8

/* Ciphers: the block, the IV, the key and what of it is the nonce's. */

/* Round keys both ways, as FIPS-197 defines them: bytes, most significant
 * first, which on this machine is how the library's words lie in memory.
 */
static int wc_prepare_aes(struct wavecrypt_key *key, const u8 *raw,
			  unsigned int raw_len, bool both_ways)
{
	/* Short keys leave some of it as it is, and the helper sees all. */
	struct crypto_aes_ctx aes = { };
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

/* The same, but that ChaCha20 counts from 0 (RFC 7634, 2). */
static void wc_iv_chacha20(u8 iv[16], const u8 salt[4], const u8 *req_iv)
{
	wc_iv_counter(iv, salt, req_iv);
	iv[15] = 0;
}

static void wc_iv_none(u8 iv[16], const u8 salt[4], const u8 *req_iv)
{
}

static int wc_prepare_chacha20(struct wavecrypt_key *key, const u8 *raw,
			       unsigned int raw_len)
{
	if (raw_len != CHACHA_KEY_SIZE)
		return -EINVAL;
	key->key_len = raw_len;
	memcpy(key->enc, raw, raw_len);
	return 0;
}

static int wc_prepare_no_cipher(struct wavecrypt_key *key, const u8 *raw,
				unsigned int raw_len)
{
	return raw_len ? -EINVAL : 0;
}

#define WC_CIPHER_CBC						\
	.block = AES_BLOCK_SIZE,				\
	.prepare_cipher = wc_prepare_aes_both,			\
	.iv = wc_iv_block,					\
	.aead.ivsize = AES_BLOCK_SIZE,				\
	.aead.base.cra_blocksize = AES_BLOCK_SIZE

#define WC_CIPHER_CTR						\
	.block = 1,						\
	.salt_len = WC_SALT_LEN,				\
	.prepare_cipher = wc_prepare_aes_enc,			\
	.iv = wc_iv_counter,					\
	.aead.ivsize = CTR_RFC3686_IV_SIZE,			\
	.aead.chunksize = AES_BLOCK_SIZE,			\
	.aead.base.cra_blocksize = 1

#define WC_CIPHER_PLAIN						\
	.block = 1,						\
	.prepare_cipher = wc_prepare_no_cipher,			\
	.iv = wc_iv_none,					\
	.aead.base.cra_blocksize = 1

#define WC_CIPHER_CHACHA20					\
	.block = 1,						\
	.salt_len = WC_SALT_LEN,				\
	.prepare_cipher = wc_prepare_chacha20,			\
	.iv = wc_iv_chacha20,					\
	.aead.ivsize = WC_CHACHA20_IV_SIZE,			\
	.aead.chunksize = CHACHA_BLOCK_SIZE,			\
	.aead.base.cra_blocksize = 1

#define WC_CIPHER_GCM						\
	.block = 1,						\
	.salt_len = WC_SALT_LEN,				\
	.prepare_cipher = wc_prepare_aes_enc,			\
	.iv = wc_iv_counter,					\
	.aead.ivsize = GCM_RFC4106_IV_SIZE,			\
	.aead.base.cra_blocksize = 1

/* Authenticators: the ICV and the key */

static int wc_prepare_hmac(const struct wc_alg *alg, struct wavecrypt_key *key,
			   const u8 *raw, unsigned int raw_len)
{
	return wc_hmac_prepare(alg->hash, key->inner, key->outer, raw, raw_len);
}

/* H = AES(key, 0): the field is still zero */
static int wc_prepare_ghash(const struct wc_alg *alg, struct wavecrypt_key *key,
			    const u8 *raw, unsigned int raw_len)
{
	return wc_aes_encrypt_block(raw, raw_len, key->hash_key);
}

/* Its key is a packet's own. */
static int wc_prepare_poly1305(const struct wc_alg *alg,
			       struct wavecrypt_key *key, const u8 *raw,
			       unsigned int raw_len)
{
	return 0;
}

/* With nothing to compare, whatever a helper returns would be taken for the packet. */
static int wc_prepare_no_auth(const struct wc_alg *alg,
			      struct wavecrypt_key *key, const u8 *raw,
			      unsigned int raw_len)
{
	return READ_ONCE(wc_unauthenticated) ? 0 : -EOPNOTSUPP;
}

#define WC_AUTH_NONE						\
	.prepare_auth = wc_prepare_no_auth

#define WC_AUTH_HMAC(HASH, name)				\
	.hash = &wc_##name,					\
	.prepare_auth = wc_prepare_hmac

#define WC_AUTH_GHASH						\
	.prepare_auth = wc_prepare_ghash

#define WC_AUTH_POLY1305					\
	.prepare_auth = wc_prepare_poly1305

/* Forms: how setkey's argument is made up, and the AAD */

static bool wc_aad_fits_slot(unsigned int assoclen)
{
	return assoclen <= WAVECRYPT_HEADROOM;
}

static bool wc_aad_fits_rfc4106(unsigned int assoclen)
{
	return !crypto_ipsec_check_assoclen(assoclen);
}

/* SPI and both halves of the sequence number, and perhaps the IV. A shorter one is
 * an error, which the fallback says (CVE-2026-23060).
 */
static bool wc_aad_fits_esn(unsigned int assoclen)
{
	return assoclen >= 8 && wc_aad_fits_slot(assoclen);
}

static bool wc_aad_fits_rfc7539esp(unsigned int assoclen)
{
	return assoclen >= WC_CHACHA20_IV_SIZE && wc_aad_fits_slot(assoclen);
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
	.copies_aad = WC_ENCRYPT,				\
	.aad_fits = wc_aad_fits_slot

#define WC_FORM_AUTHENCESN					\
	.split_key = crypto_authenc_extractkeys,		\
	.seq_hi = true,						\
	.copies_aad = WC_ENCRYPT | WC_DECRYPT,			\
	.aad_fits = wc_aad_fits_esn

#define WC_FORM_RFC4106						\
	.split_key = wc_split_rfc4106,				\
	.iv_in_aad = GCM_RFC4106_IV_SIZE,			\
	.aad_fits = wc_aad_fits_rfc4106

#define WC_FORM_RFC7539ESP					\
	.split_key = wc_split_rfc4106,				\
	.iv_in_aad = WC_CHACHA20_IV_SIZE,			\
	.copies_aad = WC_CHACHA20_COPIES_AAD ?			\
		      WC_ENCRYPT | WC_DECRYPT : 0,		\
	.aad_fits = wc_aad_fits_rfc7539esp

#define WC_ALG(number, alg_id, name, cra, directory, cipher, auth, form)	\
	[WC_ALG_##number] = {					\
		.nr = WC_ALG_##number,				\
		.id = WAVECRYPT_ALG_##alg_id,			\
		.label = name,					\
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
	return alg->prepare_auth(alg, key, keys.authkey, keys.authkeylen);
}

/* The next name of the list, if it is that of an algorithm; NULL if it is not */
static struct wc_alg *wc_algs_find(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < WC_ALGS; i++)
		if (strlen(wc_algs[i].label) == len &&
		    !strncmp(wc_algs[i].label, name, len))
			return &wc_algs[i];
	return NULL;
}

/* Mark what is to be offered: the names in "algs", or all. */
static int wc_algs_choose(void)
{
	const char *name = wc_wanted;
	struct wc_alg *alg;
	unsigned int i;
	size_t len;

	for (i = 0; i < WC_ALGS; i++)
		wc_algs[i].wanted = !name || !*name;
	while (name && *name) {
		len = strcspn(name, ",");
		alg = wc_algs_find(name, len);
		if (!alg) {
			pr_err("algs: there is no '%.*s'\n", (int)len, name);
			return -EINVAL;
		}
		alg->wanted = true;
		name += len;
		name += *name == ',';
	}
	return 0;
}

/* Without an implementation of the kernel's own, ours would have no fallback.
 * crypto_has_alg() says no while one is still being tested.
 */
static bool wc_algs_has_own(const struct wc_alg *alg)
{
	struct crypto_aead *own;

	own = crypto_alloc_aead(alg->aead.base.cra_name, 0,
				CRYPTO_ALG_NEED_FALLBACK |
				CRYPTO_ALG_ALLOCATES_MEMORY);
	if (IS_ERR(own))
		return PTR_ERR(own) != -ENOENT;
	crypto_free_aead(own);
	return true;
}

/* From 6.13 on the kernel does not wait for self-tests when an algorithm is registered, and
 * gives others out meanwhile: an SA made right after the module was loaded would not be
 * ours. Who makes a transform of that very driver waits for its test.
 */
static void wc_algs_await_tests(void)
{
	struct crypto_aead *tfm;
	unsigned int i;

	for (i = 0; i < WC_ALGS; i++) {
		if (!wc_algs[i].registered)
			continue;
		tfm = crypto_alloc_aead(wc_algs[i].aead.base.cra_driver_name, 0, 0);
		if (!IS_ERR(tfm))
			crypto_free_aead(tfm);
	}
}

/**
 * wc_algs_register - offer algorithms to the kernel
 * @priority: cra_priority for all of them
 *
 * Those that are wanted, and that the kernel has itself. One that cannot be registered
 * is left to the kernel, if there are others: they may have transforms by now, with
 * which the module cannot go any more.
 *
 * This waits for the self-tests. From here on new transforms are ours.
 */
int wc_algs_register(int priority)
{
	int err = wc_algs_choose(), failed = 0;
	bool any = false;
	unsigned int i;

	if (err)
		return err;
	for (i = 0; i < WC_ALGS; i++) {
		if (!wc_algs[i].wanted || !wc_algs_has_own(&wc_algs[i]))
			continue;
		wc_algs[i].aead.base.cra_priority = priority;
		err = crypto_register_aead(&wc_algs[i].aead);
		wc_algs[i].registered = !err;
		any |= !err;
		if (!err)
			continue;
		failed = err;
		pr_err("%s: registering failed: %d\n",
		       wc_algs[i].aead.base.cra_driver_name, err);
	}
	if (failed && !any)
		/* From a module, -EEXIST tells modprobe that it is there already. */
		return failed == -EEXIST ? -EBUSY : failed;
	if (!any)
		pr_warn("of the algorithms that are wanted, this kernel has none\n");
	wc_algs_await_tests();
	return 0;
}

/** wc_algs_unregister - take them back. No transform uses them any more. */
void wc_algs_unregister(void)
{
	unsigned int i;

	for (i = 0; i < WC_ALGS; i++) {
		if (wc_algs[i].registered)
			crypto_unregister_aead(&wc_algs[i].aead);
		wc_algs[i].registered = false;
	}
	wc_hmac_exit();
}
