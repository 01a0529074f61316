/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_AEAD_H
#define _WC_AEAD_H

#include <crypto/internal/aead.h>

#include "order.h"
#include "uapi/wavecrypt.h"

struct wc_key;
struct wc_tally;

/**
 * struct wc_alg - one algorithm that can be offloaded
 * @aead: what the crypto API is told. The callbacks are the same for all.
 * @id: &enum wavecrypt_alg
 * @dir: name of its directory in sysfs, without the direction
 * @icv_len: bytes of ICV that the helper writes
 * @block: the payload is a multiple of this many bytes
 * @iv_in_aad: bytes at the end of the AAD that are the IV, not authenticated
 * @copies_aad: encrypting out of place copies the AAD, as the generic does
 * @aad_fits: whether this AAD length is one that the algorithm accepts
 * @prepare: split and expand a raw key that the fallback has accepted; what
 *	goes with it but is not part of the table is stored in @salt. An error
 *	means that this key cannot be offloaded, and nothing worse.
 * @iv: fill in &wavecrypt_desc.iv
 */
struct wc_alg {
	struct aead_alg aead;
	u8 id;
	const char *dir;
	u8 icv_len;
	u8 block;
	u8 iv_in_aad;
	bool copies_aad;
	bool (*aad_fits)(unsigned int assoclen);
	int (*prepare)(struct wavecrypt_key *key, u8 salt[4],
		       const u8 *raw, unsigned int raw_len);
	void (*iv)(u8 iv[16], const u8 salt[4], const u8 *req_iv);
};

/**
 * struct wc_tfm - what a transform keeps
 * @alg: its algorithm
 * @fallback: the kernel's own best implementation of it
 * @direct: what does every request within the call, given vector registers: the
 *	fallback, or the implementation inside of it, or NULL
 * @defers: the fallback may have put a request off, and may put off others
 * @order: completes its requests in the order of their submission
 * @key: entry in the key table, or NULL if its key cannot be offloaded
 * @salt: the part of the nonce that comes with the key (RFC 4106, 4)
 * @spi: ESP's, from the first request
 * @named: there was one, and @spi is set
 * @tally: what it has done
 * @link: in the list of all
 */
struct wc_tfm {
	const struct wc_alg *alg;
	struct crypto_aead *fallback;
	struct crypto_aead *direct;
	bool defers;
	struct wc_order *order;
	struct wc_key __rcu *key;
	u8 salt[4];
	u32 spi;
	bool named;
	struct wc_tally __percpu *tally;
	struct list_head link;
};

/**
 * struct wc_req - what a request keeps from submission to completion
 * @node: its place in its transform's order
 * @order: that order
 * @op: &enum wavecrypt_op
 * @authsize: bytes of ICV, as it was at submission
 * @len: bytes of payload, without ICV
 * @fallback: the same request as the fallback sees it; its context follows
 */
struct wc_req {
	struct wc_node node;
	struct wc_order *order;
	enum wavecrypt_op op;
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
extern struct wc_alg wc_algs[];
const char *wc_alg_dir(unsigned int id);
int wc_algs_register(int priority);
void wc_algs_unregister(void);

#endif /* _WC_AEAD_H */
