// SPDX-License-Identifier: GPL-2.0-only
/*
 * HMAC's two block states.
 *
 * Where the library with these hashes is a module of its own, or has no blocks,
 * the crypto API's hashes have both: they export what they have hashed so far, and
 * that begins with the state, in every kernel. One transform of each serves all
 * keys. It is not there before somebody has an SA that needs it.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <crypto/hash.h>
#include <crypto/sha1.h>
#include <crypto/sha2.h>

#include "hmac.h"
#include "uapi/wavecrypt.h"

/**
 * struct wc_hash - one of them
 * @name: in the crypto API
 * @block: bytes of a block
 * @state: bytes of its state
 * @tfm: does it, once there has been a transform that needs it
 */
struct wc_hash {
	const char *name;
	unsigned int block;
	unsigned int state;
	struct crypto_shash *tfm;
};

#define WC_HASH(HASH, hash, bytes)					\
	struct wc_hash wc_##hash = {					\
		.name = #hash,						\
		.block = HASH##_BLOCK_SIZE,				\
		.state = bytes,						\
	};

WC_EACH_HASH(WC_HASH)

#define WC_HASH_FITS(HASH, hash, bytes)					\
	static_assert(HASH##_BLOCK_SIZE <= SHA512_BLOCK_SIZE &&		\
		      (bytes) <= sizeof_field(struct wavecrypt_key, inner));

WC_EACH_HASH(WC_HASH_FITS)

/* What follows the state in an export: the count of bytes, and no more than a
 * block that is not full.
 */
#define WC_EXPORT_MAX	256

/**
 * wc_hmac_open - a transform is going to have keys
 * @hash: what its HMAC is made of, or NULL
 *
 * If there is no such hash, none of its keys can be offloaded.
 *
 * Context: process, may sleep.
 */
void wc_hmac_open(struct wc_hash *hash)
{
	struct crypto_shash *tfm;

	/* Whoever finds it uses it: pairs with the cmpxchg(). */
	if (!hash || smp_load_acquire(&hash->tfm))
		return;
	tfm = crypto_alloc_shash(hash->name, 0, CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(tfm)) {
		pr_warn_once("no %s: %ld\n", hash->name, PTR_ERR(tfm));
		return;
	}
	if (crypto_shash_statesize(tfm) < hash->state ||
	    crypto_shash_statesize(tfm) > WC_EXPORT_MAX ||
	    cmpxchg(&hash->tfm, NULL, tfm))
		crypto_free_shash(tfm);
}

static int wc_hmac_state(const struct wc_hash *hash, u8 *state, const u8 *raw,
			 unsigned int raw_len, u8 pad)
{
	u8 block[SHA512_BLOCK_SIZE], export[WC_EXPORT_MAX] __aligned(8);
	SHASH_DESC_ON_STACK(desc, hash->tfm);
	unsigned int i;
	int err;

	memset(block, pad, sizeof(block));
	for (i = 0; i < raw_len; i++)
		block[i] ^= raw[i];
	desc->tfm = hash->tfm;
	err = crypto_shash_init(desc) ?:
	      crypto_shash_update(desc, block, hash->block) ?:
	      crypto_shash_export(desc, export);
	if (!err)
		memcpy(state, export, hash->state);
	shash_desc_zero(desc);
	memzero_explicit(block, sizeof(block));
	memzero_explicit(export, sizeof(export));
	return err;
}

/**
 * wc_hmac_prepare - HMAC's states after the key's inner and outer block
 * @hash: what it is made of; wc_hmac_open() has been called
 * @inner: the one, in the hash's own words
 * @outer: the other
 * @raw: the key
 * @raw_len: its length in bytes. One that is longer than a block, which HMAC
 *	would have to hash first, stays with the kernel: IPsec has none.
 *
 * Return: 0, or an error: this key cannot be offloaded.
 */
int wc_hmac_prepare(const struct wc_hash *hash, u8 inner[64], u8 outer[64],
		    const u8 *raw, unsigned int raw_len)
{
	/* Pairs with the cmpxchg() in wc_hmac_open(). */
	if (!smp_load_acquire(&hash->tfm) || raw_len > hash->block)
		return -EOPNOTSUPP;
	return wc_hmac_state(hash, inner, raw, raw_len, 0x36) ?:
	       wc_hmac_state(hash, outer, raw, raw_len, 0x5c);
}

static void wc_hmac_close(struct wc_hash *hash)
{
	if (hash->tfm)
		crypto_free_shash(hash->tfm);
	hash->tfm = NULL;
}

#define WC_HASH_CLOSE(HASH, hash, state)	wc_hmac_close(&wc_##hash);

/** wc_hmac_exit - there are no transforms any more */
void wc_hmac_exit(void)
{
	WC_EACH_HASH(WC_HASH_CLOSE)
}
