/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_INLINE_H
#define _WC_INLINE_H

#include <crypto/internal/simd.h>
#include <asm/simd.h>

#include "aead.h"
#include "stats.h"
#include "trace.h"

int wc_inline_open(struct wc_tfm *tfm);
unsigned int wc_inline_reqsize(const struct wc_tfm *tfm);
void wc_inline_close(struct wc_tfm *tfm);
int wc_inline_setkey(struct wc_tfm *tfm, u32 flags, const u8 *raw,
		     unsigned int len);
int wc_inline_setauthsize(struct wc_tfm *tfm, unsigned int authsize);
int wc_inline_alone(struct wc_req *rq);
int wc_inline_apart(struct wc_req *rq);
int wc_inline_in_order(struct wc_req *rq);

/**
 * wc_inline_may_lend - whether wc_inline_direct() can do a request here
 * @tfm: its transform
 */
static inline bool wc_inline_may_lend(const struct wc_tfm *tfm)
{
	return tfm->direct &&
	       (tfm->direct == tfm->fallback || crypto_simd_usable());
}

/**
 * wc_inline_takes_time - whether a request may take its time, and softirqs need not wait
 * @tfm: its transform
 * @req: the request
 *
 * With nothing before it in its order, it is for wc_inline_apart() then.
 */
static inline bool wc_inline_takes_time(const struct wc_tfm *tfm,
					const struct aead_request *req)
{
	return (req->base.flags & CRYPTO_TFM_REQ_MAY_SLEEP) && tfm->second &&
	       !READ_ONCE(tfm->defers);
}

/**
 * wc_inline_direct - do a request here, for its caller, the shortest way
 * @tfm: the transform; wc_inline_may_lend() has said yes
 * @req: the request
 * @op: its direction
 *
 * It is lent to another transform with the same key as it is, its context
 * included, and is back on return.
 *
 * Return: the outcome.
 */
static inline int wc_inline_direct(const struct wc_tfm *tfm,
				   struct aead_request *req,
				   enum wavecrypt_op op)
{
	const struct aead_alg *alg = crypto_aead_alg(tfm->direct);
	struct crypto_tfm *mine = req->base.tfm;
	int err;

	/* What crypto_aead_encrypt() and _decrypt() check was checked: keys
	 * and ICV lengths are the same.
	 */
	aead_request_set_tfm(req, tfm->direct);
	err = op == WAVECRYPT_OP_ENCRYPT ? alg->encrypt(req) :
					   alg->decrypt(req);
	req->base.tfm = mine;
	wc_stats_outcome(tfm, op, err);
	trace_wavecrypt_complete(aead_request_ctx(req), err);
	return err;
}

#endif /* _WC_INLINE_H */
