// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the crypto API calls.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include "aead.h"
#include "inline.h"
#include "key.h"
#include "queue.h"
#include "route.h"
#include "stats.h"

/**
 * wc_aead_setkey - take a key
 * @aead: the transform
 * @raw: the key, in the form that the algorithm wants it
 * @len: its length in bytes
 *
 * The fallback judges it, so that errors are exactly the kernel's own.
 *
 * Context: process or BH.
 * Return: what the fallback's setkey returns.
 */
int wc_aead_setkey(struct crypto_aead *aead, const u8 *raw, unsigned int len)
{
	struct wc_tfm *tfm = crypto_aead_ctx(aead);
	struct wavecrypt_key key = { };
	int err;

	crypto_aead_clear_flags(tfm->fallback, CRYPTO_TFM_REQ_MASK);
	crypto_aead_set_flags(tfm->fallback, crypto_aead_get_flags(aead) &
					     CRYPTO_TFM_REQ_MASK);
	err = crypto_aead_setkey(tfm->fallback, raw, len);
	if (err)
		return err;

	key.alg = tfm->alg->id;
	if (tfm->alg->prepare(&key, tfm->salt, raw, len))
		key.alg = WAVECRYPT_ALG_NONE;
	wc_key_set(tfm, &key);
	memzero_explicit(&key, sizeof(key));
	return 0;
}

/** wc_aead_setauthsize - take an ICV length, which the fallback judges */
int wc_aead_setauthsize(struct crypto_aead *aead, unsigned int authsize)
{
	struct wc_tfm *tfm = crypto_aead_ctx(aead);

	return crypto_aead_setauthsize(tfm->fallback, authsize);
}

/* Anything out of the ordinary is the fallback's, errors above all. */
static bool wc_can_offload(const struct wc_tfm *tfm,
			   const struct aead_request *req,
			   const struct wc_req *rq)
{
	return rcu_access_pointer(tfm->key) && rq->len && rq->len % tfm->alg->block == 0 &&
	       tfm->alg->aad_fits(req->assoclen);
}

static int wc_aead_crypt(struct aead_request *req, enum wavecrypt_op op)
{
	struct crypto_aead *aead = crypto_aead_reqtfm(req);
	struct wc_tfm *tfm = crypto_aead_ctx(aead);
	struct wc_req *rq = aead_request_ctx(req);
	struct wc_order *order = tfm->order;
	struct wc_route_class *class = NULL;
	u64 start = 0;
	int err;

	rq->order = order;
	rq->op = op;
	rq->authsize = crypto_aead_authsize(aead);
	rq->len = req->cryptlen;
	if (op == WAVECRYPT_OP_DECRYPT)
		rq->len -= rq->authsize;

	local_bh_disable();
	if (wc_route_sampled()) {
		class = wc_route_class(tfm->alg->id, op, rq->len);
		start = wc_clock();
	}
	if (wc_can_offload(tfm, req, rq) && wc_route_offload(tfm, rq) &&
	    wc_queue_submit(tfm, rq)) {
		if (class)
			wc_route_learn(&class->submit_ns, start);
		local_bh_enable();
		return -EINPROGRESS;
	}

	wc_stats_inline(tfm->alg->id, op, rq->len);
	if (wc_order_idle(order) && !wc_inline_may_wait(tfm)) {
		local_bh_enable();
		err = wc_inline_now(rq);
		if (class)
			wc_route_learn(&class->inline_ns, start);
		return err;
	}

	/* Something is in flight before it. Do it now, finish it in its turn:
	 * ESP takes a refusal for the end of the packet.
	 */
	wc_order_push(order, &rq->node);
	rcu_read_lock();
	wc_inline_in_order(rq);
	if (class)
		wc_route_learn(&class->inline_ns, start);
	wc_order_drain(order);
	rcu_read_unlock();
	local_bh_enable();
	return -EINPROGRESS;
}

/** wc_aead_encrypt - encrypt, as &aead_alg.encrypt defines it */
int wc_aead_encrypt(struct aead_request *req)
{
	return wc_aead_crypt(req, WAVECRYPT_OP_ENCRYPT);
}

/** wc_aead_decrypt - decrypt, as &aead_alg.decrypt defines it */
int wc_aead_decrypt(struct aead_request *req)
{
	return wc_aead_crypt(req, WAVECRYPT_OP_DECRYPT);
}

/** wc_aead_init - a transform is born */
int wc_aead_init(struct crypto_aead *aead)
{
	struct wc_tfm *tfm = crypto_aead_ctx(aead);
	struct crypto_aead *fallback;

	tfm->alg = container_of(crypto_aead_alg(aead), struct wc_alg, aead);
	RCU_INIT_POINTER(tfm->key, NULL);
	tfm->order = wc_order_alloc();
	if (!tfm->order)
		return -ENOMEM;

	/* Not CRYPTO_ALG_ASYNC in the mask: that would exclude exactly the
	 * fast ones, which 6.1 and 6.12 wrap in crypto/simd.c.
	 */
	fallback = crypto_alloc_aead(tfm->alg->aead.base.cra_name, 0,
				     CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(fallback)) {
		pr_err("no fallback for %s: %ld\n",
		       tfm->alg->aead.base.cra_name, PTR_ERR(fallback));
		wc_order_free(tfm->order);
		return PTR_ERR(fallback);
	}
	tfm->fallback = fallback;
	crypto_aead_set_reqsize(aead, sizeof(struct wc_req) +
				      crypto_aead_reqsize(fallback));
	return 0;
}

/** wc_aead_exit - a transform goes; no request of it is pending */
void wc_aead_exit(struct crypto_aead *aead)
{
	struct wc_tfm *tfm = crypto_aead_ctx(aead);

	wc_key_drop(tfm);
	memzero_explicit(tfm->salt, sizeof(tfm->salt));
	crypto_free_aead(tfm->fallback);
	wc_order_free(tfm->order);
}
