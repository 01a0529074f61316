// SPDX-License-Identifier: GPL-2.0-only
/*
 * Up: completions are taken off the ring, checked, and finished in order.
 *
 * The helper is not believed: what it wrote is read once, and checked against
 * what &struct wc_flight says. The first thing that an honest helper could not
 * have written breaks the channel.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/limits.h>
#include <linux/moduleparam.h>
#include <linux/scatterlist.h>
#include <crypto/algapi.h>
#include <crypto/scatterwalk.h>

#include "budget.h"
#include "channel.h"
#include "clock.h"
#include "compat.h"
#include "complete.h"
#include "cpu.h"
#include "inline.h"
#include "prefetch.h"
#include "range.h"
#include "route.h"
#include "stats.h"
#include "trace.h"

static unsigned int wc_reap_batch = 4;
wc_param_range(reap_batch, wc_reap_batch, 1, U16_MAX, 0644);
MODULE_PARM_DESC(reap_batch, "look for completions every so many submissions, at least (default 4)");

static unsigned int wc_poll_us;
wc_param_range(poll_us, wc_poll_us, 0, USEC_PER_SEC, 0644);
MODULE_PARM_DESC(poll_us, "keep looking for completions so long after the last one while some are due, in us (default 0: wait for the bell)");

static bool wc_wipe_slots;
module_param_named(wipe_slots, wc_wipe_slots, bool, 0644);
MODULE_PARM_DESC(wipe_slots, "wipe a packet's slot when it comes back, not only when the helper detaches (default N)");

/* A helper that gets the ICVs of so many authentic packets wrong, none right between, and
 * fewer that are forged, is broken.
 */
#define WC_WRONG_ICVS		16

/* Slots of completions are asked for so many ahead. */
#define WC_AHEAD		2

/* With more in flight the packet, too, has left this CPU's caches meanwhile. */
#define WC_DEEP			1024

/* The clock is looked at after so many completions, or requests redone. */
#define WC_CHUNK		16

static void wc_copy_out(struct scatterlist *sg, unsigned int skip,
			const u8 *from, unsigned int len)
{
	if (likely(sg->length >= skip + len))
		memcpy(sg_virt(sg) + skip, from, len);
	else
		scatterwalk_map_and_copy((void *)from, sg, skip, len, 1);
}

/* Not from the slot, which the helper can write to at any time. */
static noinline void wc_copy_aad(struct aead_request *req)
{
	u8 aad[WAVECRYPT_HEADROOM];

	if (likely(req->src->length >= req->assoclen)) {
		wc_copy_out(req->dst, 0, sg_virt(req->src), req->assoclen);
		return;
	}
	scatterwalk_map_and_copy(aad, req->src, 0, req->assoclen, 0);
	wc_copy_out(req->dst, 0, aad, req->assoclen);
}

/* With nothing to check, the generic does not look at it when it decrypts, either. */
static bool wc_copies_aad(const struct wc_alg *alg, const struct wc_req *rq,
			  const struct aead_request *req)
{
	return unlikely(req->src != req->dst) &&
	       alg->copies_aad & BIT(rq->op) &&
	       (rq->op == WAVECRYPT_OP_ENCRYPT || rq->authsize);
}

static void wc_complete_encrypted(struct wc_req *rq, const struct wc_tfm *tfm,
				  const u8 *data)
{
	struct aead_request *req = wc_req_aead(rq);

	if (wc_copies_aad(tfm->alg, rq, req))
		wc_copy_aad(req);
	wc_copy_out(req->dst, req->assoclen, data, rq->len + rq->authsize);
	wc_stats_offloaded(tfm, rq->op, rq->len);
	wc_order_done(rq->order, &rq->node, 0);
}

static noinline bool wc_icv_differs_apart(struct scatterlist *sg, unsigned int skip,
					  const u8 *icv, unsigned int len)
{
	union wc_icv theirs;

	scatterwalk_map_and_copy(&theirs, sg, skip, len, 0);
	return crypto_memneq(&theirs, icv, len);
}

/* Of the slot's, which the helper can write to at any time, each byte is read once. */
static bool wc_icv_differs(struct scatterlist *sg, unsigned int skip,
			   const u8 *icv, unsigned int len)
{
	if (likely(sg->length >= skip + len))
		return crypto_memneq(sg_virt(sg) + skip, icv, len);
	return wc_icv_differs_apart(sg, skip, icv, len);
}

/* False if the ICV is not the packet's. The plaintext stays where it is. */
static bool wc_complete_decrypted(struct wc_req *rq, const struct wc_tfm *tfm,
				  const u8 *data)
{
	struct aead_request *req = wc_req_aead(rq);

	if (wc_icv_differs(req->src, req->assoclen + rq->len, data + rq->len,
			   rq->authsize))
		return false;
	if (wc_copies_aad(tfm->alg, rq, req))
		wc_copy_aad(req);
	wc_copy_out(req->dst, req->assoclen, data, rq->len);
	wc_stats_offloaded(tfm, rq->op, rq->len);
	wc_order_done(rq->order, &rq->node, 0);
	return true;
}

/* The slot is the module's again. */
static void wc_complete_return(struct wc_queue *q, u32 index)
{
	struct wc_flight *flight = &q->flight[index];
	struct wavecrypt_class *class = &q->class[flight->class];

	flight->lent = false;
	q->lent--;
	if (unlikely(READ_ONCE(wc_wipe_slots)))
		memzero_explicit(q->slots + flight->data - WAVECRYPT_HEADROOM,
				 WAVECRYPT_HEADROOM + q->desc[index].len +
				 WAVECRYPT_TAILROOM);
	wavecrypt_class_return(class, index);
}

/* Whatever the helper says about a request from now on, it is too late. */
static struct wc_req *wc_complete_take(struct wc_queue *q, u32 index)
{
	struct wc_req *rq = q->flight[index].rq;

	q->flight[index].rq = NULL;
	rq->queue = NULL;
	WRITE_ONCE(q->inflight, q->inflight - 1);
	return rq;
}

/* Do in the kernel what the helper has not done. */
static void wc_complete_redo(struct wc_req *rq, const struct wc_tfm *tfm)
{
	wc_stats_redone(tfm, rq->op);
	trace_wavecrypt_redo(rq, false);
	wc_inline_in_order(rq);
}

/* The helper says that the packet is a forgery. If the kernel does not agree, nothing is
 * lost. It is the helper that is broken if it is so each time. For once, the packet may
 * have been another when the helper had it: it may be in memory of a user's who writes
 * to it meanwhile, and sends it by AF_PACKET's ring, or gives it to AF_ALG. Who tries that
 * has many more called forged than make it.
 */
static void wc_complete_recheck(struct wc_queue *q, struct wc_req *rq,
				const struct wc_tfm *tfm)
{
	int err;

	wc_stats_rechecked(tfm, rq->op);
	trace_wavecrypt_redo(rq, true);
	err = wc_inline_in_order(rq);
	if (err == -EBADMSG)
		q->wrong_icvs -= !!q->wrong_icvs;
	else if (!err && ++q->wrong_icvs == WC_WRONG_ICVS)
		wc_channel_break(q->ch,
				 "queue %u: it got the ICVs of %u authentic packets wrong",
				 q->id, WC_WRONG_ICVS);
}

static void wc_complete_one(struct wc_queue *q, u32 index, bool ok)
{
	struct wc_route *route = wc_route_mine();
	struct wc_route_class *class = NULL;
	struct wc_flight *flight = &q->flight[index];
	const u8 *data = q->slots + flight->data;
	const struct wc_tfm *tfm;
	struct wc_req *rq;
	u64 start = 0;

	if (!flight->rq) {
		/* A late answer: the request was redone. */
		wc_complete_return(q, index);
		return;
	}

	rq = wc_complete_take(q, index);
	tfm = wc_req_tfm(rq);
	if (ok && wc_route_returned(route)) {
		class = wc_route_class(route, tfm->alg->nr, rq->op, rq->len);
		start = wc_clock();
		wc_stats_offload_took(wc_stall_ago(flight->since));
	}
	if (!ok)
		wc_complete_redo(rq, tfm);
	else if (rq->op == WAVECRYPT_OP_ENCRYPT)
		wc_complete_encrypted(rq, tfm, data);
	else if (!wc_complete_decrypted(rq, tfm, data))
		wc_complete_recheck(q, rq, tfm);
	else if (unlikely(q->wrong_icvs))
		q->wrong_icvs = 0;
	wc_complete_return(q, index);
	if (class)
		wc_route_learn(&class->complete_ns, start);
}

static void wc_complete_prefetch_dst(struct wc_req *rq)
{
	const struct aead_request *req = wc_req_aead(rq);
	struct scatterlist *sg = req->dst;

	if (sg->length >= req->assoclen + rq->len)
		wc_prefetchw_lines(sg_virt(sg) + req->assoclen, rq->len);
}

/* The helper's CPU has the lines of its slot and descriptor. They are going to
 * be read here, and written to with one of the next submissions.
 */
static void wc_complete_prefetch(const struct wc_queue *q, u32 pos)
{
	u32 index = READ_ONCE(q->cq_ring[pos & (q->entries - 1)].index);
	const struct wc_flight *flight = &q->flight[index & (q->entries - 1)];
	struct wc_req *rq = flight->rq;

	if (!rq)
		return;
	wc_prefetchw_lines(q->slots + flight->data, rq->len + rq->authsize);
	wc_prefetchw(&q->desc[index & (q->entries - 1)]);
	if (q->lent > WC_DEEP)
		wc_complete_prefetch_dst(rq);
}

/* Take what is on the ring, as far as it keeps to the rules, and as much as may be
 * at a time. True if there was more.
 */
static bool wc_complete_reap(struct wc_queue *q, struct wc_budget *budget)
{
	/* Pairs with the helper's store-release: entries and slots, too. */
	u32 tail = smp_load_acquire(&q->cq->tail);
	u32 nr = tail - q->head, ahead, n = 0;

	if (!nr)
		return false;
	if (nr > q->lent) {
		wc_channel_break(q->ch, "queue %u: %u completions for %u requests",
				 q->id, nr, q->lent);
		return false;
	}
	q->pass_on = READ_ONCE(q->cq->pass_on);
	wc_stats_batch();
	trace_wavecrypt_reap(q, nr);
	wc_stall_learn(q, nr);

	for (ahead = q->head; ahead != tail && ahead - q->head < WC_AHEAD; ahead++)
		wc_complete_prefetch(q, ahead);
	while (q->head != tail) {
		const u32 pos = q->head & (q->entries - 1);
		union {
			u64 raw;
			struct wavecrypt_cqe cqe;
		} entry;
		struct wc_flight *flight;
		u32 index;

		if (ahead != tail)
			wc_complete_prefetch(q, ahead++);
		/* Once, whole: it may change under us. */
		entry.raw = READ_ONCE(*(u64 *)&q->cq_ring[pos]);
		/* Whatever the processor guesses, within bounds */
		index = entry.cqe.index & (q->entries - 1);
		flight = &q->flight[index];
		if (entry.cqe.index >= q->entries || !flight->lent ||
		    entry.cqe.gen != flight->gen ||
		    entry.cqe.status > WAVECRYPT_STATUS_RETRY) {
			wc_channel_break(q->ch, "queue %u: index %u, generation %u, status %u",
					 q->id, entry.cqe.index, entry.cqe.gen,
					 entry.cqe.status);
			return false;
		}
		q->head++;
		wc_complete_one(q, index,
				entry.cqe.status == WAVECRYPT_STATUS_OK);
		/* Seen to have lied: nothing that it says counts any more. */
		if (unlikely(wc_channel_broken(q->ch)))
			return false;
		if (++n % WC_CHUNK == 0 && wc_budget_spent(budget))
			break;
	}
	/* For the helper to see that we look by ourselves. Until it does it takes its last
	 * bell for unheard, and does not ring for what it has published since.
	 */
	WRITE_ONCE(q->sq->reaped, q->head);
	return q->head != tail;
}

/* Whether the helper has published more since then */
static bool wc_complete_came(const struct wc_queue *q)
{
	return !wc_channel_broken(q->ch) && q->head != READ_ONCE(q->cq->tail);
}

/* Do in the kernel what an order has in flight on a queue, the oldest first. True
 * if there is more.
 */
static bool wc_complete_redo_order(struct wc_queue *q, struct wc_order *order,
				   struct wc_budget *budget)
{
	struct wc_node *node;
	u32 n = 0;

	for (node = order->head; node; node = node->next) {
		struct wc_req *rq = container_of(node, struct wc_req, node);

		if (rq->queue != q)
			continue;
		if (n && n % WC_CHUNK == 0 && wc_budget_spent(budget))
			return true;
		n++;
		wc_complete_take(q, rq->slot);
		wc_complete_redo(rq, wc_req_tfm(rq));
	}
	return false;
}

/* The same for everything that is in flight. Slots stay quarantined. */
static bool wc_complete_redo_all(struct wc_queue *q, struct wc_budget *budget)
{
	u32 index;

	for (index = 0; q->inflight && index < q->entries; index++) {
		const struct wc_req *rq = q->flight[index].rq;

		if (!rq)
			continue;
		if (wc_complete_redo_order(q, rq->order, budget) ||
		    (q->inflight && wc_budget_spent(budget)))
			return true;
	}
	return false;
}

/**
 * wc_complete_make_room - there may be one more request pending
 * @order: the order that is to get it
 *
 * If it has as many as it may have, the oldest is done here, so that who submits
 * too much pays for that. It completes when the new one has its place: a callback
 * that submits would come before it.
 *
 * A callback's submissions may be more by one turn of the order that it is part of.
 * So may all when fewer may be pending than before: each does some, until it is so.
 *
 * One that is with an asynchronous fallback cannot be told to hurry, and to be
 * overtaken is worse than that too many are pending for as long as that takes.
 *
 * Context: BH disabled, and wc_cpu_up().
 * Return: false if there are so many by now that order has to give way.
 */
bool wc_complete_make_room(struct wc_order *order)
{
	s32 excess = min(wc_order_excess(order), WC_CHUNK);
	struct wc_node *node = order->head;

	for (; unlikely(excess > 0) && node; excess--, node = node->next) {
		struct wc_req *rq = container_of(node, struct wc_req, node);

		wc_order_hasten(node);
		if (node->done)
			continue;
		if (rq->queue) {
			wc_complete_take(rq->queue, rq->slot);
			wc_stats_pressed();
			wc_complete_redo(rq, wc_req_tfm(rq));
		}
		if (!node->done)
			return wc_order_length(order) < WC_ORDER_MOST;
	}
	return true;
}

/**
 * wc_complete_meanwhile - take back what has come back by now
 * @q: this CPU's queue
 *
 * Nothing completes here. What is the submitter's order's may when the new request has its
 * place (wc_order_advance()): it goes on from where it would if it had been done in the
 * call. The tasklet has the others.
 *
 * Context: BH disabled, and wc_cpu_up().
 */
void wc_complete_meanwhile(struct wc_queue *q)
{
	struct wc_budget budget = { };

	q->stall.now = wc_stall_clock();
	if (!wc_channel_broken(q->ch))
		wc_complete_reap(q, &budget);
	/* For what is taken off the ring nobody rings any more. */
	wc_kick_here(&q->kick);
}

/**
 * wc_complete_soon - look for completions when softirqs may run
 * @q: this CPU's queue, as wc_complete_due() wants it
 *
 * Nobody need ring then. The helper reads the line anyhow, for what is submitted.
 *
 * Context: BH disabled, and wc_cpu_up().
 */
void wc_complete_soon(struct wc_queue *q)
{
	q->looking = true;
	WRITE_ONCE(q->sq->looks, ++q->looks);
	wc_kick_here(&q->kick);
}

/* What comes from now on somebody has to ring for. */
static void wc_complete_looked(struct wc_queue *q)
{
	if (!q->looking)
		return;
	q->looking = false;
	WRITE_ONCE(q->sq->looked, q->looks);
}

/* True if there was more to do than may be at a time, for which the tasklet comes back. */
static bool wc_complete_run(struct wc_queue *q)
{
	struct wc_budget budget = { };
	bool more = false;

	/* First: a request's callback may submit another. */
	if (READ_ONCE(q->closing))
		q->closed = true;
	q->fresh = 0;

	if (!wc_channel_broken(q->ch))
		more = wc_complete_reap(q, &budget);
	if (q->closed || q->stalled)
		more |= wc_complete_redo_all(q, &budget);
	wc_order_run(q->cpu);

	if (q->closed && !q->inflight)
		wc_queue_closed(q);
	else if (more || wc_complete_came(q))
		wc_kick_here(&q->kick);
	else
		wc_complete_looked(q);
	return more;
}

/* Come back soon if more is due, instead of waiting for the bell. */
static void wc_complete_poll(struct wc_queue *q, bool progress)
{
	u64 now, poll_ns = READ_ONCE(wc_poll_us) * (u64)NSEC_PER_USEC;

	if (!poll_ns || q->closed || !q->inflight)
		return;
	now = wc_clock();
	if (progress)
		q->poll_until = now + poll_ns;
	if (now < q->poll_until)
		wc_kick_here(&q->kick);
}

/**
 * wc_complete_tasklet - somebody rang, enough was submitted, or time passed
 * @tasklet: the queue's
 *
 * Context: softirq, where &struct wc_queue says.
 */
void wc_complete_tasklet(struct tasklet_struct *tasklet)
{
	struct wc_queue *q = from_tasklet(q, tasklet, kick.tasklet);
	bool fresh, more;
	u32 head;

	/* For good: there is nothing to protect. */
	if (completion_done(&q->drained))
		return;
	if (!wc_cpu_enter(q->cpu)) {
		wc_kick(&q->kick, q->cpu);
		return;
	}
	fresh = q->fresh;
	head = q->head;
	q->stall.now = wc_stall_clock();
	more = wc_complete_run(q);
	/* Set again by the timer if it expires after this. */
	if (READ_ONCE(q->stall.tick) || (q->stalled && !q->lent)) {
		WRITE_ONCE(q->stall.tick, false);
		/* Not for want of our own time: what had come back by then may lie
		 * there. That more comes since says nothing of what is overdue.
		 */
		if (!more && wc_stall_overdue(q)) {
			wc_stall_begin(q);
			/* Which takes back what is in flight. */
			wc_kick_here(&q->kick);
		}
		wc_stall_check(q);
	}
	wc_complete_poll(q, fresh || q->head != head);
	wc_cpu_leave(q->cpu);
}

/**
 * wc_complete_due - whether a submission is to see to it that completions are looked for
 * @q: this CPU's queue
 *
 * Return: if so, wc_complete_soon() is due. Not if they are looked for anyhow.
 */
bool wc_complete_due(const struct wc_queue *q)
{
	if (q->looking)
		return false;
	return q->fresh >= READ_ONCE(wc_reap_batch) ||
	       (!q->inflight && READ_ONCE(wc_poll_us));
}
