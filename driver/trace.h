/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints: a packet's life, for perf, bpftrace and trace-cmd. Turned off
 * they are jumps that are not taken.
 *
 * @req names a request from its route to its completion, and another after.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM wavecrypt

#if !defined(_WC_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _WC_TRACE_H

#include <linux/tracepoint.h>

#include "queue.h"

/* Whoever reads events knows values, not names. */
#define WC_TRACE_ENUM(number, ...)	TRACE_DEFINE_ENUM(WC_ALG_##number);
WC_EACH_ALG(WC_TRACE_ENUM)
TRACE_DEFINE_ENUM(WAVECRYPT_OP_ENCRYPT);
TRACE_DEFINE_ENUM(WAVECRYPT_OP_DECRYPT);

#define WC_TRACE_NAME(number, id, label, ...)	{ WC_ALG_##number, label },
#define wc_show_alg(alg)						\
	__print_symbolic(alg, WC_EACH_ALG(WC_TRACE_NAME) { WC_ALGS, "none" })

#define wc_show_op(op)							\
	__print_symbolic(op, { WAVECRYPT_OP_ENCRYPT, "encrypt" },	\
			     { WAVECRYPT_OP_DECRYPT, "decrypt" })

/* A request was taken, and how it is to be done was decided. If that is to
 * offload it and wavecrypt_submit does not follow, no slot was free, or no place for
 * its key.
 */
TRACE_EVENT(wavecrypt_route,
	TP_PROTO(struct wc_req *rq, bool offload),
	TP_ARGS(rq, offload),
	TP_STRUCT__entry(
		__field(const void *, req)
		__field(u32, spi)
		__field(u32, len)
		__field(u8, alg)
		__field(u8, op)
		__field(bool, offload)
	),
	TP_fast_assign(
		__entry->req = rq;
		__entry->spi = wc_req_tfm(rq)->spi;
		__entry->len = rq->len;
		__entry->alg = wc_req_tfm(rq)->alg->nr;
		__entry->op = rq->op;
		__entry->offload = offload;
	),
	TP_printk("req=%p spi=0x%08x %s %s len=%u %s",
		  __entry->req, __entry->spi, wc_show_alg(__entry->alg),
		  wc_show_op(__entry->op), __entry->len,
		  __entry->offload ? "offload" : "inline")
);

/* It is in a slot, and the helper may begin. */
TRACE_EVENT(wavecrypt_submit,
	TP_PROTO(struct wc_queue *q, struct wc_req *rq, u32 index),
	TP_ARGS(q, rq, index),
	TP_STRUCT__entry(
		__field(const void *, req)
		__field(u32, queue)
		__field(u32, index)
		__field(u32, inflight)
	),
	TP_fast_assign(
		__entry->req = rq;
		__entry->queue = q->id;
		__entry->index = index;
		__entry->inflight = q->inflight;
	),
	TP_printk("req=%p queue=%u index=%u inflight=%u", __entry->req,
		  __entry->queue, __entry->index, __entry->inflight)
);

/* The helper's answers were found on a completion ring, a batch of them. */
TRACE_EVENT(wavecrypt_reap,
	TP_PROTO(struct wc_queue *q, u32 nr),
	TP_ARGS(q, nr),
	TP_STRUCT__entry(
		__field(u32, queue)
		__field(u32, nr)
		__field(u32, inflight)
	),
	TP_fast_assign(
		__entry->queue = q->id;
		__entry->nr = nr;
		__entry->inflight = q->inflight;
	),
	TP_printk("queue=%u nr=%u inflight=%u", __entry->queue, __entry->nr,
		  __entry->inflight)
);

/* The helper has not done it, or not well: the kernel does. */
TRACE_EVENT(wavecrypt_redo,
	TP_PROTO(struct wc_req *rq, bool recheck),
	TP_ARGS(rq, recheck),
	TP_STRUCT__entry(
		__field(const void *, req)
		__field(u32, spi)
		__field(bool, recheck)
	),
	TP_fast_assign(
		__entry->req = rq;
		__entry->spi = wc_req_tfm(rq)->spi;
		__entry->recheck = recheck;
	),
	TP_printk("req=%p spi=0x%08x%s", __entry->req, __entry->spi,
		  __entry->recheck ? " ICV rechecked" : "")
);

/* It ends, in its turn. */
TRACE_EVENT(wavecrypt_complete,
	TP_PROTO(struct wc_req *rq, int err),
	TP_ARGS(rq, err),
	TP_STRUCT__entry(
		__field(const void *, req)
		__field(u32, spi)
		__field(int, err)
	),
	TP_fast_assign(
		__entry->req = rq;
		__entry->spi = wc_req_tfm(rq)->spi;
		__entry->err = err;
	),
	TP_printk("req=%p spi=0x%08x err=%d", __entry->req, __entry->spi,
		  __entry->err)
);

/* The helper has kept a request of this queue for too long. */
TRACE_EVENT(wavecrypt_stall,
	TP_PROTO(struct wc_queue *q),
	TP_ARGS(q),
	TP_STRUCT__entry(
		__field(u32, queue)
		__field(u32, inflight)
		__field(u32, lent)
	),
	TP_fast_assign(
		__entry->queue = q->id;
		__entry->inflight = q->inflight;
		__entry->lent = q->lent;
	),
	TP_printk("queue=%u inflight=%u lent=%u", __entry->queue,
		  __entry->inflight, __entry->lent)
);

#endif /* _WC_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
