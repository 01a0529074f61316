/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_INLINE_H
#define _WC_INLINE_H

#include "aead.h"
#include "stats.h"
#include "trace.h"

int wc_inline_now(struct wc_req *rq);
bool wc_inline_may_wait(struct wc_tfm *tfm);
int wc_inline_in_order(struct wc_req *rq);

/**
 * wc_inline_direct - lend a request to the fallback
 * @tfm: the transform, one that is &wc_tfm.direct; its order is idle
 * @req: the request
 * @op: its direction
 *
 * The request goes as it is, its context included, and is back on return.
 *
 * Return: what the fallback returns.
 */
static inline int wc_inline_direct(const struct wc_tfm *tfm,
				   struct aead_request *req,
				   enum wavecrypt_op op)
{
	const struct aead_alg *fallback = crypto_aead_alg(tfm->fallback);
	struct crypto_tfm *mine = req->base.tfm;
	int err;

	/* What crypto_aead_encrypt() and _decrypt() check was checked: keys
	 * and ICV lengths are the same.
	 */
	aead_request_set_tfm(req, tfm->fallback);
	err = op == WAVECRYPT_OP_ENCRYPT ? fallback->encrypt(req) :
					   fallback->decrypt(req);
	req->base.tfm = mine;
	wc_stats_outcome(tfm->alg->id, op, err);
	trace_wavecrypt_complete(aead_request_ctx(req), err);
	return err;
}

#endif /* _WC_INLINE_H */
