// SPDX-License-Identifier: GPL-2.0-only
/*
 * Doing a request in the kernel, with the fallback.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/scatterlist.h>
#include <linux/slab.h>

#include "compat.h"
#include "hazard.h"
#include "inline.h"
#include "stats.h"
#include "trace.h"

/* So many requests of an order may be with an asynchronous fallback, and no more are put
 * off there while this part of what may be pending is: what cannot be told to hurry
 * holds up all that follows.
 */
#define WC_INLINE_DEFERRED	128
#define WC_INLINE_PART		2

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

/* What consists of something wrapped, once more. It puts requests off where vector
 * registers are not ours to use, and those that follow until cryptd is done. Who asks it
 * only elsewhere has every one done within the call.
 */
static struct crypto_aead *wc_inline_twin(struct crypto_aead *fallback)
{
	struct crypto_aead *twin;

	twin = crypto_alloc_aead(crypto_tfm_alg_driver_name(&fallback->base),
				 0, 0);
	return IS_ERR(twin) ? NULL : twin;
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
	tfm->second = NULL;
	tfm->patient = NULL;
	tfm->defers = false;
	if (!(crypto_aead_alg(tfm->fallback)->base.cra_flags & CRYPTO_ALG_ASYNC))
		return 0;
	tfm->direct = wc_inline_wrapped(tfm->fallback);
	tfm->second = tfm->direct ?: wc_inline_twin(tfm->fallback);
	/* What cannot be tried is taken to. */
	tfm->defers = !tfm->second;
	tfm->patient = wc_inline_patient(name);
	return 0;
}

/** wc_inline_close - give it back */
void wc_inline_close(struct wc_tfm *tfm)
{
	if (tfm->second)
		crypto_free_aead(tfm->second);
	if (tfm->patient)
		crypto_free_aead(tfm->patient);
	crypto_free_aead(tfm->fallback);
}

/** wc_inline_reqsize - room for a request's context, whoever does it here */
unsigned int wc_inline_reqsize(const struct wc_tfm *tfm)
{
	unsigned int size = crypto_aead_reqsize(tfm->fallback);

	if (tfm->second)
		size = max(size, crypto_aead_reqsize(tfm->second));
	if (tfm->patient)
		size = max(size, crypto_aead_reqsize(tfm->patient));
	return size;
}

static int wc_inline_setkey_of(struct crypto_aead *aead, u32 flags,
			       const u8 *raw, unsigned int len)
{
	crypto_aead_clear_flags(aead, CRYPTO_TFM_REQ_MASK);
	crypto_aead_set_flags(aead, flags & CRYPTO_TFM_REQ_MASK);
	return crypto_aead_setkey(aead, raw, len);
}

/* AAD that every algorithm takes */
#define WC_PROBE_AAD	16

/**
 * struct wc_inline_probe - a request that nobody wants, but that any algorithm does
 * @sg: where @data is
 * @iv: all zeroes
 * @data: AAD, a block, and room for an ICV
 * @req: the request; its context follows
 */
struct wc_inline_probe {
	struct scatterlist sg;
	u8 iv[AES_BLOCK_SIZE];
	u8 data[WC_PROBE_AAD + AES_BLOCK_SIZE + WAVECRYPT_TAILROOM];
	struct aead_request req;
};

/* Whether an implementation puts off even a request for which nothing is in its way. That
 * it is asynchronous says that it may, and no more: so are all that consist of something
 * that crypto/simd.c wraps, which does not, or of cryptd or pcrypt, which do.
 */
static bool wc_inline_puts_off(struct crypto_aead *aead)
{
	struct wc_inline_probe *probe;
	DECLARE_CRYPTO_WAIT(wait);
	bool deferred;
	int err;

	if (!crypto_simd_usable())
		return true;
	/* Nobody says that setkey may sleep; it does if it has to wait. */
	probe = kzalloc(sizeof(*probe) + crypto_aead_reqsize(aead), GFP_ATOMIC);
	if (!probe)
		return true;
	sg_init_one(&probe->sg, probe->data, sizeof(probe->data));
	aead_request_set_tfm(&probe->req, aead);
	aead_request_set_callback(&probe->req, CRYPTO_TFM_REQ_MAY_BACKLOG,
				  crypto_req_done, &wait);
	aead_request_set_ad(&probe->req, WC_PROBE_AAD);
	aead_request_set_crypt(&probe->req, &probe->sg, &probe->sg,
			       AES_BLOCK_SIZE, probe->iv);
	err = crypto_aead_encrypt(&probe->req);
	deferred = err == -EINPROGRESS || err == -EBUSY;
	crypto_wait_req(err, &wait);
	/* GCM's hash key, for example */
	kfree_sensitive(probe);
	return deferred;
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

	if (!err && tfm->second)
		err = wc_inline_setkey_of(tfm->second, flags, raw, len);
	if (!err && tfm->patient)
		err = wc_inline_setkey_of(tfm->patient, flags, raw, len);
	if (!err && tfm->second && !tfm->direct)
		WRITE_ONCE(tfm->defers, wc_inline_puts_off(tfm->second));
	return err;
}

/** wc_inline_setauthsize - the same of an ICV length */
int wc_inline_setauthsize(struct wc_tfm *tfm, unsigned int authsize)
{
	int err = crypto_aead_setauthsize(tfm->fallback, authsize);

	if (!err && tfm->second)
		err = crypto_aead_setauthsize(tfm->second, authsize);
	if (!err && tfm->patient)
		err = crypto_aead_setauthsize(tfm->patient, authsize);
	return err;
}

static int wc_inline_crypt(struct wc_req *rq, struct crypto_aead *aead,
			   u32 flags, crypto_completion_t done, void *data)
{
	struct aead_request *req = wc_req_aead(rq);
	struct aead_request *sub = &rq->fallback;

	aead_request_set_tfm(sub, aead);
	aead_request_set_callback(sub, flags, done, data);
	aead_request_set_crypt(sub, req->src, req->dst, req->cryptlen, req->iv);
	aead_request_set_ad(sub, req->assoclen);

	return rq->op == WAVECRYPT_OP_ENCRYPT ? crypto_aead_encrypt(sub) :
						crypto_aead_decrypt(sub);
}

/* The fastest that does a request within the call, here and now; or NULL */
static struct crypto_aead *wc_inline_at_once(const struct wc_tfm *tfm)
{
	if (tfm->second && !READ_ONCE(tfm->defers) && crypto_simd_usable())
		return tfm->second;
	return tfm->patient;
}

/**
 * wc_inline_apart - do a request outside of any order, as if we were not there
 * @rq: the request
 *
 * In the call, if that is possible.
 *
 * Return: what the fallback returns, to be returned as it is. Should that be
 * -EINPROGRESS, the fallback completes the caller's request itself.
 */
int wc_inline_apart(struct wc_req *rq)
{
	struct crypto_async_request *base = &wc_req_aead(rq)->base;
	const struct wc_tfm *tfm = wc_req_tfm(rq);
	struct crypto_aead *aead;
	enum wavecrypt_op op = rq->op;
	int err;

	if (wc_inline_may_lend(tfm))
		aead = tfm->direct;
	else
		aead = wc_inline_at_once(tfm) ?: tfm->fallback;
	err = wc_inline_crypt(rq, aead, base->flags, base->complete, base->data);
	wc_stats_outcome(tfm, op, err);
	if (err != -EINPROGRESS && err != -EBUSY)
		trace_wavecrypt_complete(rq, err);
	return err;
}

static void wc_inline_done(wc_done_arg_t arg, int err)
{
	struct wc_req *rq = wc_done_data(arg);

	/* Out of the backlog and on its way: not the end yet. */
	if (err == -EINPROGRESS)
		return;
	local_bh_disable();
	wc_order_send(rq->order, &rq->node, err);
	local_bh_enable();
}

/* Whether the fallback, which is asynchronous, has enough of what it has put off, or of
 * what it is likely to
 */
static bool wc_inline_full(const struct wc_tfm *tfm, const struct wc_order *order)
{
	if (order->deferred >= WC_INLINE_DEFERRED)
		return true;
	return (READ_ONCE(tfm->defers) || !crypto_simd_usable()) &&
	       wc_order_length(order) > wc_order_most() / WC_INLINE_PART;
}

/*
 * On 6.1 and 6.12 the AES-NI implementations hand a request to cryptd when
 * the vector registers are not ours to use, and those that follow until cryptd
 * is done with it (crypto/simd.c). Others, like pcrypt, put off everything. Which
 * it is does not matter here: what was put off is what says -EINPROGRESS.
 *
 * While the kernel could not stand that, they are done at once: those that follow are
 * not going to wait for them (wc_aead_in_call()).
 *
 * An asynchronous fallback gets so many and no more. It may have a backlog: what it
 * refused it might have begun with, as authenc does if its cipher has room and its hash
 * has not, and to do that again would be to encrypt twice.
 */
static int wc_inline_do(struct wc_req *rq)
{
	const u32 may = CRYPTO_TFM_REQ_MAY_SLEEP | CRYPTO_TFM_REQ_MAY_BACKLOG;
	u32 flags = wc_req_aead(rq)->base.flags & ~may;
	const struct wc_tfm *tfm = wc_req_tfm(rq);
	struct crypto_aead *aead = NULL;
	int err;

	if (wc_inline_may_lend(tfm))
		return wc_inline_crypt(rq, tfm->direct, flags, NULL, NULL);
	if (wc_hazard_hold(rq->op) || wc_inline_full(tfm, rq->order))
		aead = wc_inline_at_once(tfm);
	err = wc_inline_crypt(rq, aead ?: tfm->fallback,
			      flags | CRYPTO_TFM_REQ_MAY_BACKLOG,
			      wc_inline_done, rq);
	if (err != -EINPROGRESS && err != -EBUSY)
		return err;
	/* It may have come back, but it has not been looked at. */
	rq->order->deferred++;
	return -EINPROGRESS;
}

/**
 * wc_inline_alone - do a request in the call, if the fallback does
 * @rq: the request; its order is idle
 *
 * Context: BH disabled, and wc_cpu_up().
 * Return: the outcome, to be returned as it is. If that is -EINPROGRESS, the
 * request has its place in the order, and completes by itself.
 */
int wc_inline_alone(struct wc_req *rq)
{
	int err = wc_inline_do(rq);

	if (err == -EINPROGRESS) {
		/* Not too late: it comes back by way of this CPU's tasklet. */
		wc_order_push(rq->order, &rq->node);
		return err;
	}
	wc_stats_outcome(wc_req_tfm(rq), rq->op, err);
	trace_wavecrypt_complete(rq, err);
	return err;
}

/**
 * wc_inline_in_order - do a request that has its place in the order
 * @rq: the request, pushed
 *
 * It is done on return, or will be when the fallback comes back to it; in the
 * latter case it completes by itself, in the former with the caller's next
 * wc_order_run() or wc_order_advance().
 *
 * Context: as wc_order_done().
 * Return: the outcome, or -EINPROGRESS if it is not known yet.
 */
int wc_inline_in_order(struct wc_req *rq)
{
	int err = wc_inline_do(rq);

	if (err == -EINPROGRESS)
		return err;
	wc_stats_outcome(wc_req_tfm(rq), rq->op, err);
	wc_order_done(rq->order, &rq->node, err);
	return err;
}
