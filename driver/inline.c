// SPDX-License-Identifier: GPL-2.0-only
/*
 * Doing a request in the kernel, with the fallback.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <crypto/internal/simd.h>
#include <asm/simd.h>

#include "compat.h"
#include "inline.h"
#include "stats.h"
#include "trace.h"

static int wc_inline_crypt(struct wc_req *rq, u32 flags,
			   crypto_completion_t done, void *data)
{
	struct aead_request *req = wc_req_aead(rq);
	struct aead_request *sub = &rq->fallback;

	aead_request_set_tfm(sub, wc_req_tfm(rq)->fallback);
	aead_request_set_callback(sub, flags, done, data);
	aead_request_set_crypt(sub, req->src, req->dst, req->cryptlen, req->iv);
	aead_request_set_ad(sub, req->assoclen);

	return rq->op == WAVECRYPT_OP_ENCRYPT ? crypto_aead_encrypt(sub) :
						crypto_aead_decrypt(sub);
}

/**
 * wc_inline_now - do a request here, for its caller, as if we were not there
 * @rq: the request; its order is idle
 *
 * Return: what the fallback returns, to be returned as it is. Should that be
 * -EINPROGRESS, the fallback completes the caller's request itself.
 */
int wc_inline_now(struct wc_req *rq)
{
	struct crypto_async_request *base = &wc_req_aead(rq)->base;
	unsigned int alg = wc_req_tfm(rq)->alg->id;
	enum wavecrypt_op op = rq->op;
	int err;

	err = wc_inline_crypt(rq, base->flags, base->complete, base->data);
	wc_stats_outcome(alg, op, err);
	if (err != -EINPROGRESS && err != -EBUSY)
		trace_wavecrypt_complete(rq, err);
	return err;
}

/**
 * wc_inline_may_wait - whether the fallback could defer a request right now
 * @tfm: the transform
 *
 * On 6.1 and 6.12 the AES-NI implementations hand a request to cryptd when
 * the vector registers are not ours to use. Such a request has to take its
 * place in the order before, not after.
 */
bool wc_inline_may_wait(struct wc_tfm *tfm)
{
	return (crypto_aead_alg(tfm->fallback)->base.cra_flags &
		CRYPTO_ALG_ASYNC) && !crypto_simd_usable();
}

static void wc_inline_done(wc_done_arg_t arg, int err)
{
	struct wc_req *rq = wc_done_data(arg);
	struct wc_order *order = rq->order;

	/* Out of the backlog and on its way: not the end yet. */
	if (err == -EINPROGRESS)
		return;

	local_bh_disable();
	/* The order may lose its last request, and so its transform, as soon
	 * as this one is done.
	 */
	rcu_read_lock();
	wc_stats_outcome(wc_req_tfm(rq)->alg->id, rq->op, err);
	wc_order_done(&rq->node, err);
	wc_order_drain(order);
	rcu_read_unlock();
	local_bh_enable();
}

/**
 * wc_inline_in_order - do a request that has its place in the order
 * @rq: the request, pushed
 *
 * It is done on return, or will be when the fallback comes back to it; in the
 * latter case it completes by itself, in the former with the caller's next
 * wc_order_drain(). May be in the backlog of an asynchronous fallback, since
 * most of our callers could not stand a refusal.
 *
 * Context: BH disabled.
 * Return: the outcome, or -EINPROGRESS if it is not known yet.
 */
int wc_inline_in_order(struct wc_req *rq)
{
	u32 flags = (wc_req_aead(rq)->base.flags & ~CRYPTO_TFM_REQ_MAY_SLEEP) |
		    CRYPTO_TFM_REQ_MAY_BACKLOG;
	unsigned int alg = wc_req_tfm(rq)->alg->id;
	enum wavecrypt_op op = rq->op;
	int err;

	err = wc_inline_crypt(rq, flags, wc_inline_done, rq);

	if (err == -EINPROGRESS || err == -EBUSY)
		return -EINPROGRESS;
	wc_stats_outcome(alg, op, err);
	wc_order_done(&rq->node, err);
	return err;
}
