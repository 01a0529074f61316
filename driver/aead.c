// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the crypto API calls.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/slab.h>

#include "aead.h"
#include "complete.h"
#include "cpu.h"
#include "hazard.h"
#include "hmac.h"
#include "home.h"
#include "inline.h"
#include "key.h"
#include "queue.h"
#include "route.h"
#include "stall.h"
#include "stats.h"
#include "tally.h"
#include "trace.h"

/**
 * wc_aead_setkey - take a key
 * @aead: the transform
 * @raw: the key, in the form that the algorithm wants it
 * @len: its length in bytes
 *
 * The fallback judges it, so that errors are exactly the kernel's own.
 *
 * A transform whose key was refused has none: not the one before either, whose
 * place others can use.
 *
 * Requests that are in flight are done with the key that they were submitted
 * with: this waits for them, and for those that are submitted meanwhile, which
 * may get either key, or half of each, as from any implementation.
 *
 * Context: process; may sleep, if a request is in flight, or if the fallback puts
 * them off.
 * Return: what the fallback's setkey returns.
 */
int wc_aead_setkey(struct crypto_aead *aead, const u8 *raw, unsigned int len)
{
	struct wc_tfm *tfm = crypto_aead_ctx(aead);
	struct wc_key *key;
	int err;

	wc_orders_wait(tfm->orders);
	err = wc_inline_setkey(tfm, crypto_aead_get_flags(aead), raw, len);
	if (err)
		memzero_explicit(tfm->salt, sizeof(tfm->salt));
	key = err ? NULL : wc_key_alloc();
	if (key && wc_alg_prepare(tfm->alg, &key->entry, tfm->salt, raw, len)) {
		kfree_sensitive(key);
		key = NULL;
	}
	wc_key_set(tfm, key);
	return err;
}

/** wc_aead_setauthsize - take an ICV length, which the fallback judges */
int wc_aead_setauthsize(struct crypto_aead *aead, unsigned int authsize)
{
	return wc_inline_setauthsize(crypto_aead_ctx(aead), authsize);
}

/* Anything out of the ordinary is the fallback's, errors above all. */
static bool wc_can_offload(const struct wc_tfm *tfm,
			   const struct aead_request *req, unsigned int len)
{
	return rcu_access_pointer(tfm->key) && len && len <= WAVECRYPT_MAX_LEN &&
	       len % tfm->alg->block == 0 && tfm->alg->aad_fits(req->assoclen);
}

static struct wc_req *wc_aead_prepare(struct aead_request *req,
				      const struct wc_tfm *tfm,
				      enum wavecrypt_op op, unsigned int len)
{
	struct wc_req *rq = aead_request_ctx(req);

	rq->node.after = NULL;
	rq->queue = NULL;
	rq->op = op;
	rq->since = 0;
	rq->authsize = crypto_aead_authsize(crypto_aead_reqtfm(req));
	rq->len = len;
	return rq;
}

static bool wc_aead_key_has_place(const struct wc_tfm *tfm)
{
	const struct wc_key *key =
		rcu_dereference_check(tfm->key, rcu_read_lock_bh_held());

	return key && wc_key_place(key) != WC_KEY_NOWHERE;
}

/* If this is not 0, the request has been offloaded, and that is to be returned. */
static noinline int wc_aead_offload(struct aead_request *req,
				    struct wc_tfm *tfm,
				    enum wavecrypt_op op, unsigned int len,
				    struct wc_route_class *class, u64 start)
{
	struct wc_req *rq = wc_aead_prepare(req, tfm, op, len);

	/* The first of an SA's pays for its key's place: that says nothing of the others, and
	 * where many SAs are new offloading would look as if it never paid.
	 */
	if (start && !wc_aead_key_has_place(tfm))
		start = 0;
	if (start)
		rq->since = WC_STALL_NS(start);
	if (!wc_queue_submit(tfm, rq))
		return 0;
	if (start) {
		wc_route_learn(&class->submit_ns, start);
		class->samples += class->samples < U8_MAX;
	}
	return -EINPROGRESS;
}

/* Inline, but not as it is: the fallback might defer it, or something is in
 * flight before it, here or where it moved from. Then do it now, but finish it in
 * its turn: ESP takes a refusal for the end of the packet.
 */
static noinline int wc_aead_inline(struct aead_request *req,
				   struct wc_tfm *tfm, enum wavecrypt_op op,
				   unsigned int len)
{
	struct wc_req *rq = wc_aead_prepare(req, tfm, op, len);
	struct wc_order *order;
	int err = -EINPROGRESS;
	bool up;

	local_bh_disable();
	order = this_cpu_ptr(tfm->order);
	rq->order = order;
	up = wc_cpu_up();
	/* Whoever was preempted meanwhile may come when all that was in order has been
	 * waited for. Until then a hold keeps order.
	 */
	if (!up || wc_hazard_hold(op) == WC_HOLD_CALL ||
	    !wc_complete_make_room(order)) {
		/* Room may have been made, here or in vain before. */
		if (up)
			wc_order_advance(order);
		local_bh_enable();
		return wc_inline_apart(rq);
	}
	if (!wc_home_here(tfm, order))
		wc_home_move(tfm, order, &rq->node);
	if (wc_order_idle(order) && !rq->node.after) {
		if (wc_inline_takes_time(tfm, req)) {
			local_bh_enable();
			return wc_inline_apart(rq);
		}
		err = wc_inline_alone(rq);
	} else {
		wc_order_push(order, &rq->node);
		wc_inline_in_order(rq);
		wc_order_advance(order);
	}
	local_bh_enable();
	return err;
}

/* Here and now, as far as the fallback does, for the kernel could not stand anything
 * else. What is pending from before is let finish first, while that is possible
 * (hazard.c).
 */
static noinline int wc_aead_in_call(struct aead_request *req,
				    struct wc_tfm *tfm, enum wavecrypt_op op,
				    unsigned int len, bool drain)
{
	if (drain)
		return wc_aead_inline(req, tfm, op, len);
	if (wc_inline_may_lend(tfm))
		return wc_inline_direct(tfm, req, op);
	return wc_inline_apart(wc_aead_prepare(req, tfm, op, len));
}

/* What a request took that was done within the call. Whoever may be preempted in
 * it can be on another CPU now.
 */
static noinline void wc_aead_learn(const struct wc_tfm *tfm,
				   enum wavecrypt_op op, unsigned int len,
				   u64 start)
{
	struct wc_route_class *class;

	local_bh_disable();
	class = wc_route_class(wc_route_mine(), tfm->alg->nr, op, len);
	wc_stats_inline_took(wc_route_learn(&class->inline_ns, start));
	local_bh_enable();
}

/* Whether a request is done in the call by the kernel's driver, and nothing else is to
 * be said of it. It is counted then.
 */
static __always_inline bool wc_aead_plain(const struct wc_tfm *tfm,
					  struct wc_route *route,
					  enum wavecrypt_op op,
					  unsigned int len)
{
	struct wc_order *order = this_cpu_ptr(tfm->order);

	if (wc_route_minds(route) || !wc_inline_may_lend(tfm) ||
	    unlikely(!READ_ONCE(tfm->named) || wc_hazard_hold(op) ||
		     trace_wavecrypt_route_enabled() ||
		     !wc_order_idle(order) || !wc_home_here(tfm, order)))
		return false;
	wc_route_pass(route);
	wc_stats_inline(tfm, order, op, len);
	return true;
}

/* The way of every request, and of most a short one: next to what AES-GCM takes
 * for a small packet every step shows.
 */
static __always_inline int wc_aead_crypt(struct aead_request *req,
					 enum wavecrypt_op op)
{
	struct crypto_aead *aead = crypto_aead_reqtfm(req);
	struct wc_tfm *tfm = crypto_aead_ctx(aead);
	bool masked = in_softirq(), offload, idle;
	unsigned int len = req->cryptlen;
	struct wc_route_class *class;
	struct wc_route *route;
	struct wc_order *order;
	enum wc_hold hold;
	int err = 0;
	u64 start;

	if (op == WAVECRYPT_OP_DECRYPT)
		len -= crypto_aead_authsize(aead);

	if (!masked)
		local_bh_disable();
	route = wc_route_mine();
	if (wc_aead_plain(tfm, route, op, len)) {
		if (!masked)
			local_bh_enable();
		return wc_inline_direct(tfm, req, op);
	}
	if (unlikely(!READ_ONCE(tfm->named)))
		wc_tally_learn(tfm, req);
	class = wc_route_class(route, tfm->alg->nr, op, len);
	start = wc_route_account(route, class);
	hold = wc_order_deep() ? WC_HOLD_CALL : wc_hazard_hold(op);
	offload = !hold && wc_route_offload(route, class) &&
		  wc_can_offload(tfm, req, len);
	if (trace_wavecrypt_route_enabled())
		trace_wavecrypt_route(wc_aead_prepare(req, tfm, op, len),
				      offload);
	if (offload)
		err = wc_aead_offload(req, tfm, op, len, class, start);
	if (err) {
		/* It may have completed, and its transform be gone. */
		if (!masked)
			local_bh_enable();
		return err;
	}
	/* What was tried in vain is not what it costs. */
	if (unlikely(start) && offload)
		start = wc_clock() ?: 1;
	order = this_cpu_ptr(tfm->order);
	wc_stats_inline(tfm, order, op, len);
	idle = wc_order_idle(order) && wc_home_here(tfm, order);
	if (!masked)
		local_bh_enable();

	if (likely(idle && wc_inline_may_lend(tfm)))
		err = wc_inline_direct(tfm, req, op);
	else if (unlikely(hold))
		err = wc_aead_in_call(req, tfm, op, len,
				      hold == WC_HOLD_DRAIN && !idle);
	else
		err = wc_aead_inline(req, tfm, op, len);
	/* Of one that is pending the transform may be gone. */
	if (unlikely(start) && err != -EINPROGRESS && err != -EBUSY)
		wc_aead_learn(tfm, op, len, start);
	return err;
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
	int err;

	tfm->alg = container_of(crypto_aead_alg(aead), struct wc_alg, aead);
	tfm->stats = wc_stats->alg[tfm->alg->nr];
	tfm->home = WC_HOME_NONE;
	RCU_INIT_POINTER(tfm->key, NULL);
	tfm->orders = wc_orders_alloc();
	if (!tfm->orders)
		return -ENOMEM;
	tfm->order = tfm->orders->order;

	err = wc_inline_open(tfm);
	if (err)
		goto err_inline;
	wc_hmac_open(tfm->alg->hash);
	crypto_aead_set_reqsize(aead, sizeof(struct wc_req) +
				      wc_inline_reqsize(tfm));
	err = wc_tally_add(tfm);
	if (err)
		goto err_tally;
	return 0;

err_tally:
	wc_inline_close(tfm);
err_inline:
	wc_orders_free(tfm->orders);
	return err;
}

/** wc_aead_exit - a transform goes; no request of it is pending */
void wc_aead_exit(struct crypto_aead *aead)
{
	struct wc_tfm *tfm = crypto_aead_ctx(aead);

	wc_tally_remove(tfm);
	wc_key_set(tfm, NULL);
	memzero_explicit(tfm->salt, sizeof(tfm->salt));
	wc_inline_close(tfm);
	wc_orders_free(tfm->orders);
}
