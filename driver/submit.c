// SPDX-License-Identifier: GPL-2.0-only
/*
 * Down: a request goes into a slot and onto the submission ring.
 *
 * What costs here is stores: 1.4 KB of them, to lines that the helper's CPU
 * owned last. They drain in the background unless something waits for them,
 * as every locked instruction and full barrier does. So there is none: the place
 * in the order is this CPU's own business, the ring is published by a plain
 * release, and whether the helper may sleep is read without a barrier, because
 * who goes to sleep makes up for it (wc_queue_arm()).
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/scatterlist.h>
#include <crypto/scatterwalk.h>

#include "complete.h"
#include "home.h"
#include "key.h"
#include "prefetch.h"
#include "queue.h"
#include "route.h"
#include "stall.h"
#include "stats.h"
#include "trace.h"

/* Bytes of an SPI, and of half an extended sequence number */
#define WC_WORD		4

/* A helper is behind at the latest from this part of what requests may take on average:
 * long enough for it to have work until it is given more. One that wants all there is has a
 * device, which takes its time.
 */
#define WC_SUBMIT_BEHIND	4
#define WC_SUBMIT_BEHIND_ALL	2

/* Of a word it is one instruction. */
static __always_inline void wc_copy_in(u8 *to, struct scatterlist *sg,
				       unsigned int skip, unsigned int len)
{
	if (likely(sg->length >= skip + len))
		memcpy(to, sg_virt(sg) + skip, len);
	else
		scatterwalk_map_and_copy(to, sg, skip, len, 0);
}

/* What of the AAD is authenticated before the payload */
static unsigned int wc_submit_aad_len(const struct wc_alg *alg,
				      const struct aead_request *req)
{
	return req->assoclen - alg->iv_in_aad - (alg->seq_hi ? WC_WORD : 0);
}

static void wc_submit_data(const struct wc_alg *alg, const struct wc_req *rq,
			   const struct aead_request *req, u8 *data)
{
	unsigned int aad_len = wc_submit_aad_len(alg, req);

	if (unlikely(alg->seq_hi)) {
		/* SPI | high half | low half ...: all but the second word. The first is
		 * put over it, so that the rest is one copy, and as aligned as any.
		 */
		wc_copy_in(data - aad_len, req->src, WC_WORD, aad_len + rq->len);
		wc_copy_in(data - aad_len, req->src, 0, WC_WORD);
		return;
	}
	if (!alg->iv_in_aad) {
		wc_copy_in(data - aad_len, req->src, 0, aad_len + rq->len);
		return;
	}
	wc_copy_in(data - aad_len, req->src, 0, aad_len);
	wc_copy_in(data, req->src, req->assoclen, rq->len);
}

static void wc_submit_desc(const struct wc_queue *q, const struct wc_tfm *tfm,
			   const struct wc_key *key, u32 place,
			   const struct wc_req *rq,
			   const struct aead_request *req, u32 index)
{
	const struct wc_flight *flight = &q->flight[index];
	struct wavecrypt_desc *desc = &q->desc[index];

	/* Its data is where it always is: wc_queue_alloc(). */
	desc->gen = flight->gen;
	desc->len = rq->len;
	desc->key = place;
	desc->key_gen = key->entry.gen;
	desc->aad_len = wc_submit_aad_len(tfm->alg, req);
	desc->auth_len = tfm->alg->icv_len ? desc->aad_len + rq->len : 0;
	if (unlikely(tfm->alg->seq_hi)) {
		desc->auth_len += WC_WORD;
		wc_copy_in((u8 *)&desc->seq_hi, req->src, WC_WORD, WC_WORD);
	}
	desc->alg = tfm->alg->id;
	desc->op = rq->op;
	desc->key_len = key->entry.key_len;
	tfm->alg->iv(desc->iv, tfm->salt, req->iv);
}

/* The helper is for IPsec, whose requests may neither sleep nor wait in a backlog. Others'
 * may: those of AF_ALG, by which anybody can have as many transforms as they like, and
 * those of disks (dm-crypt), which the helper is not to see. In mode "offload"
 * whatever can be is offloaded.
 */
static bool wc_submit_is_for_helper(const struct aead_request *req)
{
	const u32 others = CRYPTO_TFM_REQ_MAY_SLEEP | CRYPTO_TFM_REQ_MAY_BACKLOG;

	return !(req->base.flags & others) ||
	       READ_ONCE(wc_mode) == WC_MODE_OFFLOAD;
}

/* Whether the helper is so far behind that more would only wait there, and this CPU
 * for it in the end. Then it does some itself meanwhile, and both are busy. That is
 * so if it has more than it wants, or if what it has had for longest is from a while ago.
 *
 * What it says of itself decides nothing else: it may be a lie.
 */
static bool wc_submit_behind(struct wc_queue *q)
{
	u32 mask = q->entries - 1, answered, wanted, since;
	unsigned int part = WC_SUBMIT_BEHIND;

	q->stall.now = wc_stall_clock();
	if (READ_ONCE(wc_mode) != WC_MODE_AUTO)
		return false;
	answered = READ_ONCE(q->cq->tail);
	if (answered == q->tail)
		return false;
	/* What it wants is more than it has answered, unless it does not say. */
	wanted = READ_ONCE(q->cq->wanted) - answered;
	if (wc_route_shares() && wanted < q->tail - answered)
		return true;
	/* All there is; more than twice that is nobody's who says. */
	if (wanted - q->entries <= q->entries)
		part = WC_SUBMIT_BEHIND_ALL;
	/* They come back as they went, about. */
	since = q->flight[q->sq_ring[answered & mask] & mask].since;
	return q->stall.now - since > WC_STALL_NS(wc_route_latency_ns() / part);
}

/**
 * wc_queue_submit - hand a request to the helper
 * @tfm: its transform
 * @rq: the request, one that wc_can_offload()
 *
 * Context: BH disabled.
 * Return: whether that was possible. If so, it has its place in the order, and
 * completes on this CPU when BH is enabled again, or later; or while so many others
 * are submitted that it would be much later.
 */
bool wc_queue_submit(struct wc_tfm *tfm, struct wc_req *rq)
{
	struct aead_request *req = wc_req_aead(rq);
	struct wc_order *order = this_cpu_ptr(tfm->order);
	struct wc_queue *q = wc_queue_mine();
	struct wc_flight *flight;
	struct wavecrypt_class *class;
	struct wc_key *key;
	u32 index, place;
	bool many;

	if (!q || q->closed || q->stalled ||
	    !wc_queue_does(q, tfm->alg->id) || !wc_submit_is_for_helper(req))
		return false;
	many = wc_complete_late(q);
	if (unlikely(many))
		wc_complete_meanwhile(q);
	if (q->tail % WC_STALL_EVERY == 0 && wc_submit_behind(q))
		return false;
	/* Pairs with rcu_assign_pointer() in wc_key_set(). */
	key = rcu_dereference_check(tfm->key, rcu_read_lock_bh_held());
	class = wavecrypt_class_find(q->class, WAVECRYPT_SLOTS_CLASSES, rq->len);
	if (!key)
		return false;
	place = wc_key_place(key);
	if (unlikely(place == WC_KEY_NOWHERE) && wc_key_take_place(key))
		place = wc_key_place(key);
	if (place == WC_KEY_NOWHERE || !class) {
		wc_stats_full();
		return false;
	}

	if (!q->stall.on)
		wc_stall_watch(q);
	else if (!q->inflight)
		q->stall.now = wc_stall_clock();
	if (q->lent >= q->stall.credit)
		return false;
	/* Last, for what was done to make room completes after this one has its place. */
	if (!wc_complete_make_room(order))
		return false;

	rq->order = order;
	if (unlikely(!wc_home_here(tfm, order)))
		wc_home_move(tfm, order, &rq->node);
	wc_order_push(order, &rq->node);
	if (wc_complete_due(q))
		wc_complete_soon(q);

	index = wavecrypt_class_take(class);
	flight = &q->flight[index];
	flight->gen++;
	flight->since = q->stall.now;
	flight->rq = rq;
	rq->queue = q;
	rq->slot = index;
	flight->lent = true;
	q->lent++;
	WRITE_ONCE(q->inflight, q->inflight + 1);

	wc_submit_data(tfm->alg, rq, req, q->slots + flight->data);
	wc_submit_desc(q, tfm, key, place, rq, req, index);
	if (q->pass_on)
		wc_pass_on_lines(q->slots + flight->data, rq->len);
	trace_wavecrypt_submit(q, rq, index);
	q->sq_ring[q->tail & (q->entries - 1)] = index;
	/* Slot, descriptor and index before the tail that offers them. Pairs
	 * with the helper's load-acquire.
	 */
	smp_store_release(&q->sq->tail, ++q->tail);

	/* The next one is likely to be of this length. Its slot came back long
	 * ago, and has left the nearest cache.
	 */
	if (class->nr)
		wc_prefetchw_lines(q->slots +
				   q->flight[wavecrypt_class_next(class)].data,
				   rq->len);

	/* No barrier: see wc_queue_arm(). */
	if (unlikely(READ_ONCE(q->armed)))
		wc_queue_alarm(q);
	if (unlikely(many || wc_order_excess(order) > 0))
		wc_order_advance(order);
	return true;
}
