/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_AEAD_H
#define _WC_AEAD_H

#include <linux/bits.h>
#include <crypto/internal/aead.h>

#include "algs.h"
#include "order.h"
#include "uapi/wavecrypt.h"

struct wc_alg_stats;
struct wc_key;
struct wc_queue;

struct crypto_authenc_keys;
struct wc_hash;

/** WC_SALT_LEN - bytes of a nonce that come with the key (RFC 4106, 3686, 7634) */
#define WC_SALT_LEN	4

/** WC_ENCRYPT, WC_DECRYPT - a set of directions */
#define WC_ENCRYPT	BIT(WAVECRYPT_OP_ENCRYPT)
#define WC_DECRYPT	BIT(WAVECRYPT_OP_DECRYPT)

/**
 * struct wc_alg - one algorithm that can be offloaded
 * @aead: what the crypto API is told. The callbacks are the same for all.
 * @nr: which it is, in what is kept of each
 * @id: &enum wavecrypt_alg
 * @icv_len: bytes of ICV that the helper writes
 * @block: the payload is a multiple of this many bytes
 * @salt_len: bytes at the end of the cipher's key that are the nonce's
 * @iv_in_aad: bytes at the end of the AAD that are the IV, not authenticated
 * @seq_hi: the AAD has the high half of the sequence number as its second word,
 *	which is authenticated behind the payload (RFC 4303, 2.2.1)
 * @copies_aad: directions in which a request out of place copies the AAD, as the
 *	generic does
 * @wanted: whoever loaded the module wants it to be offered
 * @registered: it is
 * @label: what the parameter "algs" calls it
 * @dir: name of its directory in sysfs, without the direction
 * @aad_fits: whether this AAD length is one that the algorithm accepts
 * @split_key: find the cipher's and the authenticator's key in what setkey is given
 * @prepare_cipher: expand the one
 * @hash: what HMAC is made of, or NULL: see hmac.c
 * @prepare_auth: expand the other. An error of these three means that this key
 *	cannot be offloaded, and nothing worse.
 * @iv: fill in &wavecrypt_desc.iv
 */
struct wc_alg {
	struct aead_alg aead;
	u8 nr;
	u8 id;
	u8 icv_len;
	u8 block;
	u8 salt_len;
	u8 iv_in_aad;
	bool seq_hi;
	u8 copies_aad;
	bool wanted;
	bool registered;
	const char *label;
	const char *dir;
	bool (*aad_fits)(unsigned int assoclen);
	int (*split_key)(struct crypto_authenc_keys *keys, const u8 *raw,
			 unsigned int raw_len);
	int (*prepare_cipher)(struct wavecrypt_key *key, const u8 *raw,
			      unsigned int raw_len);
	struct wc_hash *hash;
	int (*prepare_auth)(const struct wc_alg *alg, struct wavecrypt_key *key,
			    const u8 *raw, unsigned int raw_len);
	void (*iv)(u8 iv[16], const u8 salt[WC_SALT_LEN], const u8 *req_iv);
};

/**
 * struct wc_tfm - what a transform keeps
 * @alg: its algorithm
 * @fallback: the kernel's own best implementation of it
 * @direct: what does every request within the call, given vector registers: the
 *	fallback, or the implementation inside of it, or NULL
 * @second: where the fallback may not: that implementation, or else the fallback once
 *	more; asked only where it does a request within the call; or NULL
 * @patient: does every request within the call, whatever the context, where the
 *	fallback may not; or NULL
 * @defers: the fallback puts off requests for which nothing is in its way, either
 * @home: the CPU that submits; or WC_HOME_NONE, WC_HOME_SHARED (home.h)
 * @order: completes a CPU's requests in the order of their submission
 * @orders: the same, to be freed
 * @key: entry in the key table, or NULL if its key cannot be offloaded
 * @salt: the part of the nonce that comes with the key (RFC 4106, 4)
 * @spi: ESP's, from the first request
 * @named: there was one, and @spi is set
 * @stats: what all of its algorithm have done, by direction
 * @id: its number among all, the oldest the lowest
 */
struct wc_tfm {
	const struct wc_alg *alg;
	struct crypto_aead *fallback;
	struct crypto_aead *direct;
	struct crypto_aead *second;
	struct crypto_aead *patient;
	bool defers;
	u32 home;
	struct wc_order __percpu *order;
	struct wc_orders *orders;
	struct wc_key __rcu *key;
	u8 salt[WC_SALT_LEN];
	u32 spi;
	bool named;
	struct wc_alg_stats __percpu *stats;
	u32 id;
};

/**
 * struct wc_req - what a request keeps from submission to completion
 * @node: its place in its order
 * @order: that order
 * @queue: the queue that it is in flight on, or NULL
 * @slot: its index there
 * @op: &enum wavecrypt_op
 * @since: if it was offloaded and stands for many, when that was, in units of
 *	wc_stall_clock(); or 0
 * @authsize: bytes of ICV, as it was at submission
 * @len: bytes of payload, without ICV
 * @fallback: the same request as the fallback sees it; its context follows
 */
struct wc_req {
	struct wc_node node;
	struct wc_order *order;
	struct wc_queue *queue;
	u16 slot;
	u8 op;
	u32 since;
	unsigned int authsize;
	unsigned int len;
	struct aead_request fallback;
};

static inline struct aead_request *wc_req_aead(struct wc_req *rq)
{
	return container_of((void *)rq, struct aead_request, __ctx);
}

static inline struct wc_tfm *wc_req_tfm(struct wc_req *rq)
{
	return crypto_aead_ctx(crypto_aead_reqtfm(wc_req_aead(rq)));
}

int wc_aead_setkey(struct crypto_aead *aead, const u8 *raw, unsigned int len);
int wc_aead_setauthsize(struct crypto_aead *aead, unsigned int authsize);
int wc_aead_encrypt(struct aead_request *req);
int wc_aead_decrypt(struct aead_request *req);
int wc_aead_init(struct crypto_aead *aead);
void wc_aead_exit(struct crypto_aead *aead);

/* alg.c */
unsigned int wc_alg_id(enum wc_alg_nr nr);
void wc_alg_offered(u64 algs[WAVECRYPT_ALG_WORDS]);
const char *wc_alg_dir(enum wc_alg_nr nr);
int wc_alg_prepare(const struct wc_alg *alg, struct wavecrypt_key *key,
		   u8 salt[WC_SALT_LEN], const u8 *raw, unsigned int raw_len);
int wc_algs_register(int priority);
void wc_algs_unregister(void);

#endif /* _WC_AEAD_H */
