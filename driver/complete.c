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

#include <linux/moduleparam.h>
#include <linux/scatterlist.h>
#include <crypto/algapi.h>
#include <crypto/scatterwalk.h>

#include "channel.h"
#include "clock.h"
#include "compat.h"
#include "complete.h"
#include "inline.h"
#include "prefetch.h"
#include "route.h"
#include "stats.h"
#include "trace.h"

static unsigned int wc_reap_batch = 32;
module_param_named(reap_batch, wc_reap_batch, uint, 0644);
MODULE_PARM_DESC(reap_batch, "look for completions every so many submissions, at least (default 32)");

static unsigned int wc_poll_us;
module_param_named(poll_us, wc_poll_us, uint, 0644);
MODULE_PARM_DESC(poll_us, "keep looking for completions so long after the last one while some are due, in us (default 0: wait for the bell)");

static bool wc_wipe_slots;
module_param_named(wipe_slots, wc_wipe_slots, bool, 0644);
MODULE_PARM_DESC(wipe_slots, "wipe a packet's slot when it comes back, not only when the helper detaches (default N)");

/* Slots of completions are asked for so many ahead. */
#define WC_AHEAD		2

/* The transforms of one batch are few; their orders are drained once each. */
#define WC_DIRTY	8

struct wc_batch {
	struct wc_order *dirty[WC_DIRTY];
	unsigned int nr;
};

static void wc_batch_drain(struct wc_batch *batch)
{
	while (batch->nr)
		wc_order_drain(batch->dirty[--batch->nr]);
}

static void wc_batch_add(struct wc_batch *batch, struct wc_order *order)
{
	unsigned int i;

	for (i = 0; i < batch->nr; i++)
		if (batch->dirty[i] == order)
			return;
	if (batch->nr == WC_DIRTY)
		wc_batch_drain(batch);
	batch->dirty[batch->nr++] = order;
}

static void wc_copy_out(struct scatterlist *sg, unsigned int skip,
			const u8 *from, unsigned int len)
{
	if (likely(sg->length >= skip + len))
		memcpy(sg_virt(sg) + skip, from, len);
	else
		scatterwalk_map_and_copy((void *)from, sg, skip, len, 1);
}

/* Not from the slot, which the helper can write to at any time. */
static void wc_copy_aad(struct aead_request *req)
{
	u8 aad[WAVECRYPT_HEADROOM];

	scatterwalk_map_and_copy(aad, req->src, 0, req->assoclen, 0);
	scatterwalk_map_and_copy(aad, req->dst, 0, req->assoclen, 1);
}

static void wc_complete_encrypted(struct wc_req *rq, const struct wc_tfm *tfm,
				  const u8 *data)
{
	struct aead_request *req = wc_req_aead(rq);

	if (tfm->alg->copies_aad && req->src != req->dst)
		wc_copy_aad(req);
	wc_copy_out(req->dst, req->assoclen, data, rq->len + rq->authsize);
	wc_stats_offloaded(tfm, rq->op, rq->len);
	wc_order_done(&rq->node, 0);
}

/* False if the ICV is not the packet's. The plaintext stays where it is. */
static bool wc_complete_decrypted(struct wc_req *rq, const struct wc_tfm *tfm,
				  const u8 *data)
{
	struct aead_request *req = wc_req_aead(rq);
	union wc_icv theirs, ours;

	scatterwalk_map_and_copy(&theirs, req->src, req->assoclen + rq->len,
				 rq->authsize, 0);
	memcpy(&ours, data + rq->len, rq->authsize);
	if (crypto_memneq(&ours, &theirs, rq->authsize))
		return false;
	wc_copy_out(req->dst, req->assoclen, data, rq->len);
	wc_stats_offloaded(tfm, rq->op, rq->len);
	wc_order_done(&rq->node, 0);
	return true;
}

/* The slot is the module's again. */
static void wc_complete_return(struct wc_queue *q, u32 index)
{
	struct wc_flight *flight = &q->flight[index];
	struct wc_class *class = &q->class[flight->class];

	flight->lent = false;
	q->lent--;
	if (unlikely(READ_ONCE(wc_wipe_slots)))
		memzero_explicit(q->slots + flight->data - WAVECRYPT_HEADROOM,
				 WAVECRYPT_HEADROOM + q->desc[index].len +
				 WAVECRYPT_TAILROOM);
	class->free[class->nr++] = index;
}

/* Do in the kernel what the helper has not done. */
static void wc_complete_redo(struct wc_req *rq, const struct wc_tfm *tfm)
{
	wc_stats_redone(tfm, rq->op);
	trace_wavecrypt_redo(rq, false);
	wc_inline_in_order(rq);
}

/* The helper says that the packet is a forgery. If the kernel does not agree,
 * the helper is broken, and nothing is lost.
 */
static void wc_complete_recheck(struct wc_queue *q, struct wc_req *rq,
				const struct wc_tfm *tfm)
{
	wc_stats_rechecked(tfm, rq->op);
	trace_wavecrypt_redo(rq, true);
	if (!wc_inline_in_order(rq))
		wc_channel_break(q->ch, "queue %u: it got the ICV of an authentic packet wrong",
				 q->id);
}

static void wc_complete_one(struct wc_queue *q, u32 index, bool ok,
			    struct wc_batch *batch)
{
	struct wc_route *route = wc_route_mine();
	struct wc_route_class *class = NULL;
	struct wc_flight *flight = &q->flight[index];
	const u8 *data = q->slots + flight->data;
	struct wc_req *rq = flight->rq;
	const struct wc_tfm *tfm;
	u64 start = 0;

	if (!rq) {
		/* A late answer: the request was redone. */
		wc_complete_return(q, index);
		return;
	}

	tfm = wc_req_tfm(rq);
	if (ok && wc_route_returned(route)) {
		class = wc_route_class(route, tfm->alg->nr, rq->op, rq->len);
		start = wc_clock();
	}
	wc_batch_add(batch, rq->order);
	flight->rq = NULL;
	WRITE_ONCE(q->inflight, q->inflight - 1);

	/* Once it is done another CPU may complete it, and rq and tfm go. */
	if (!ok)
		wc_complete_redo(rq, tfm);
	else if (rq->op == WAVECRYPT_OP_ENCRYPT)
		wc_complete_encrypted(rq, tfm, data);
	else if (!wc_complete_decrypted(rq, tfm, data))
		wc_complete_recheck(q, rq, tfm);
	wc_complete_return(q, index);
	if (class)
		wc_route_learn(&class->complete_ns, start);
}

/* The helper's CPU has the lines of its slot and descriptor. They are going to
 * be read here, and written to with one of the next submissions.
 */
static void wc_complete_prefetch(const struct wc_queue *q, u32 pos)
{
	u32 index = READ_ONCE(q->cq_ring[pos & (q->entries - 1)].index);
	const struct wc_flight *flight = &q->flight[index & (q->entries - 1)];
	const struct wc_req *rq = flight->rq;

	if (!rq)
		return;
	wc_prefetchw_lines(q->slots + flight->data, rq->len + rq->authsize);
	wc_prefetchw(&q->desc[index & (q->entries - 1)]);
}

/* Take what is on the ring, as far as it keeps to the rules. */
static void wc_complete_reap(struct wc_queue *q, struct wc_batch *batch)
{
	/* Pairs with the helper's store-release: entries and slots, too. */
	u32 tail = smp_load_acquire(&q->cq->tail);
	u32 nr = tail - q->head, ahead;

	if (!nr)
		return;
	if (nr > q->lent) {
		wc_channel_break(q->ch, "queue %u: %u completions for %u requests",
				 q->id, nr, q->lent);
		return;
	}
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

		if (ahead != tail)
			wc_complete_prefetch(q, ahead++);
		/* Once, whole: it may change under us. */
		entry.raw = READ_ONCE(*(u64 *)&q->cq_ring[pos]);
		flight = &q->flight[entry.cqe.index & (q->entries - 1)];
		if (entry.cqe.index >= q->entries || !flight->lent ||
		    entry.cqe.gen != flight->gen ||
		    entry.cqe.status > WAVECRYPT_STATUS_RETRY) {
			wc_channel_break(q->ch, "queue %u: index %u, generation %u, status %u",
					 q->id, entry.cqe.index, entry.cqe.gen,
					 entry.cqe.status);
			return;
		}
		q->head++;
		wc_complete_one(q, entry.cqe.index,
				entry.cqe.status == WAVECRYPT_STATUS_OK, batch);
		/* Seen to have lied: nothing that it says counts any more. */
		if (unlikely(wc_channel_broken(q->ch)))
			return;
	}
	/* For the helper to see that we look by ourselves. */
	WRITE_ONCE(q->sq->reaped, q->head);
}

/* Do everything that is in flight in the kernel. Slots stay quarantined. */
static void wc_complete_redo_all(struct wc_queue *q, struct wc_batch *batch)
{
	u32 index;

	for (index = 0; q->inflight && index < q->entries; index++) {
		struct wc_req *rq = q->flight[index].rq;

		if (!rq)
			continue;
		q->flight[index].rq = NULL;
		WRITE_ONCE(q->inflight, q->inflight - 1);
		wc_batch_add(batch, rq->order);
		wc_complete_redo(rq, wc_req_tfm(rq));
	}
}

static void wc_complete_run(struct wc_queue *q)
{
	bool closing = READ_ONCE(q->closing);
	struct wc_batch batch = { };

	if (q->closed)
		return;
	/* First: a request's callback may submit another. */
	q->closed = closing;
	q->fresh = 0;

	/* The orders outlive transforms whose last request completes here. */
	rcu_read_lock();
	if (!wc_channel_broken(q->ch))
		wc_complete_reap(q, &batch);
	if (closing)
		wc_complete_redo_all(q, &batch);
	wc_batch_drain(&batch);
	rcu_read_unlock();

	if (closing)
		wc_queue_closed(q);
}

/* The helper is given up for a while. */
static void wc_complete_stall(struct wc_queue *q)
{
	struct wc_batch batch = { };

	wc_stall_begin(q);
	rcu_read_lock();
	wc_complete_redo_all(q, &batch);
	wc_batch_drain(&batch);
	rcu_read_unlock();
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
		tasklet_schedule(&q->tasklet);
}

/**
 * wc_complete_tasklet - somebody rang, enough was submitted, or time passed
 * @tasklet: the queue's
 *
 * Context: softirq, where &struct wc_queue says.
 */
void wc_complete_tasklet(struct tasklet_struct *tasklet)
{
	struct wc_queue *q = from_tasklet(q, tasklet, tasklet);
	bool fresh = q->fresh;
	u32 head = q->head;

	q->stall.now = wc_stall_clock();
	wc_complete_run(q);
	/* Set again by the timer if it expires after this. */
	if (READ_ONCE(q->stall.tick) || (q->stalled && !q->lent)) {
		WRITE_ONCE(q->stall.tick, false);
		if (wc_stall_overdue(q))
			wc_complete_stall(q);
		wc_stall_check(q);
	}
	wc_complete_poll(q, fresh || q->head != head);
}

/** wc_complete_due - whether to look for completions with this submission */
bool wc_complete_due(const struct wc_queue *q)
{
	return q->fresh >= READ_ONCE(wc_reap_batch) ||
	       (!q->inflight && READ_ONCE(wc_poll_us));
}
