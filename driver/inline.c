// SPDX-License-Identifier: GPL-2.0-only
/*
 * Doing a request in the kernel, with the fallback.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include "compat.h"
#include "inline.h"
#include "stats.h"
#include "trace.h"

/* What crypto/simd.c wraps on 6.1 and 6.12: it hands every request on to this,
 * or to cryptd. Templates are not wrapped, only what they are made of.
 */
static struct crypto_aead *wc_inline_wrapped(struct crypto_aead *wrapper)
{
	const char *driver = crypto_tfm_alg_driver_name(&wrapper->base);
	char name[CRYPTO_MAX_ALG_NAME];
	struct crypto_aead *wrapped;

	if (strchr(driver, '(') ||
	    snprintf(name, sizeof(name), "__%s", driver) >= sizeof(name))
		return NULL;
	wrapped = crypto_alloc_aead(name, CRYPTO_ALG_INTERNAL,
				    CRYPTO_ALG_INTERNAL | CRYPTO_ALG_ASYNC);
	return IS_ERR(wrapped) ? NULL : wrapped;
}

/* Where requests may be put off: the best that never does. What it is made of
 * looks at the context itself.
 */
static struct crypto_aead *wc_inline_patient(const char *name)
{
	struct crypto_aead *patient;

	patient = crypto_alloc_aead(name, 0, CRYPTO_ALG_NEED_FALLBACK |
					     CRYPTO_ALG_ALLOCATES_MEMORY |
					     CRYPTO_ALG_ASYNC);
	if (!IS_ERR(patient))
		return patient;
	pr_warn_once("no implementation of %s that never waits: %ld\n", name,
		     PTR_ERR(patient));
	return NULL;
}

/**
 * wc_inline_open - find the kernel's own best implementation for a transform
 * @tfm: the transform, whose algorithm is known
 *
 * Return: 0, or what the crypto API says.
 */
int wc_inline_open(struct wc_tfm *tfm)
{
	const char *name = tfm->alg->aead.base.cra_name;

	/* Not CRYPTO_ALG_ASYNC in the mask: that would exclude exactly the
	 * fast ones, which 6.1 and 6.12 wrap.
	 */
	tfm->fallback = crypto_alloc_aead(name, 0, CRYPTO_ALG_NEED_FALLBACK |
						   CRYPTO_ALG_ALLOCATES_MEMORY);
	if (IS_ERR(tfm->fallback)) {
		pr_err_ratelimited("no fallback for %s: %ld\n", name,
				   PTR_ERR(tfm->fallback));
		return PTR_ERR(tfm->fallback);
	}
	tfm->direct = tfm->fallback;
	tfm->patient = NULL;
	if (crypto_aead_alg(tfm->fallback)->base.cra_flags & CRYPTO_ALG_ASYNC) {
		tfm->direct = wc_inline_wrapped(tfm->fallback);
		tfm->patient = wc_inline_patient(name);
	}
	/* It puts off everything. */
	tfm->defers = strstarts(crypto_tfm_alg_driver_name(&tfm->fallback->base),
				"pcrypt(");
	return 0;
}

static bool wc_inline_has_wrapped(const struct wc_tfm *tfm)
{
	return tfm->direct && tfm->direct != tfm->fallback;
}

/** wc_inline_close - give it back */
void wc_inline_close(struct wc_tfm *tfm)
{
	if (wc_inline_has_wrapped(tfm))
		crypto_free_aead(tfm->direct);
	if (tfm->patient)
		crypto_free_aead(tfm->patient);
	crypto_free_aead(tfm->fallback);
}

/** wc_inline_reqsize - room for a request's context, whoever does it here */
unsigned int wc_inline_reqsize(const struct wc_tfm *tfm)
{
	return max(crypto_aead_reqsize(tfm->fallback),
		   tfm->patient ? crypto_aead_reqsize(tfm->patient) : 0);
}

static int wc_inline_setkey_of(struct crypto_aead *aead, u32 flags,
			       const u8 *raw, unsigned int len)
{
	crypto_aead_clear_flags(aead, CRYPTO_TFM_REQ_MASK);
	crypto_aead_set_flags(aead, flags & CRYPTO_TFM_REQ_MASK);
	return crypto_aead_setkey(aead, raw, len);
}

/**
 * wc_inline_setkey - the fallback's opinion of a key, which it keeps
 * @tfm: the transform
 * @flags: of its own handle
 * @raw: the key
 * @len: its length in bytes
 */
int wc_inline_setkey(struct wc_tfm *tfm, u32 flags, const u8 *raw,
		     unsigned int len)
{
	int err = wc_inline_setkey_of(tfm->fallback, flags, raw, len);

	if (!err && wc_inline_has_wrapped(tfm))
		err = wc_inline_setkey_of(tfm->direct, flags, raw, len);
	if (!err && tfm->patient)
		err = wc_inline_setkey_of(tfm->patient, flags, raw, len);
	return err;
}

/** wc_inline_setauthsize - the same of an ICV length */
int wc_inline_setauthsize(struct wc_tfm *tfm, unsigned int authsize)
{
	int err = crypto_aead_setauthsize(tfm->fallback, authsize);

	if (!err && wc_inline_has_wrapped(tfm))
		err = crypto_aead_setauthsize(tfm->direct, authsize);
	if (!err && tfm->patient)
		err = crypto_aead_setauthsize(tfm->patient, authsize);
	return err;
}

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
	unsigned int alg = wc_req_tfm(rq)->alg->nr;
	enum wavecrypt_op op = rq->op;
	int err;

	err = wc_inline_crypt(rq, base->flags, base->complete, base->data);
	wc_stats_outcome(alg, op, err);
	if (err != -EINPROGRESS && err != -EBUSY)
		trace_wavecrypt_complete(rq, err);
	return err;
}

/**
 * wc_inline_would_wait - whether the fallback could defer a request right now
 * @tfm: the transform
 */
bool wc_inline_would_wait(const struct wc_tfm *tfm)
{
	if (!(crypto_aead_alg(tfm->fallback)->base.cra_flags & CRYPTO_ALG_ASYNC))
		return false;
	return READ_ONCE(tfm->defers) || !crypto_simd_usable();
}

/**
 * wc_inline_may_wait - whether the fallback could defer a request right now
 * @tfm: the transform
 *
 * On 6.1 and 6.12 the AES-NI implementations hand a request to cryptd when
 * the vector registers are not ours to use, and those that follow until cryptd
 * is done with it, which is a while after it has completed (crypto/simd.c). Such
 * a request has to take its place in the order before, not after. So a transform
 * that this happened to once uses the order from then on.
 */
bool wc_inline_may_wait(struct wc_tfm *tfm)
{
	bool would = wc_inline_would_wait(tfm);

	if (would)
		WRITE_ONCE(tfm->defers, true);
	return would;
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
	wc_stats_outcome(wc_req_tfm(rq)->alg->nr, rq->op, err);
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
	unsigned int alg = wc_req_tfm(rq)->alg->nr;
	enum wavecrypt_op op = rq->op;
	int err;

	/* For those that follow; the transform may be gone afterwards. */
	wc_inline_may_wait(wc_req_tfm(rq));
	err = wc_inline_crypt(rq, flags, wc_inline_done, rq);

	if (err == -EINPROGRESS || err == -EBUSY)
		return -EINPROGRESS;
	wc_stats_outcome(alg, op, err);
	wc_order_done(&rq->node, err);
	return err;
}
