/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_QUEUE_H
#define _WC_QUEUE_H

#include <linux/completion.h>

#include "aead.h"
#include "kick.h"
#include "pages.h"
#include "stall.h"
#include "uapi/slots.h"

struct wc_channel;

/**
 * struct wc_flight - what the module knows of one index
 * @rq: the request in flight, or NULL
 * @gen: generation under which the helper got it last
 * @since: when that was, as &wc_stall.now had it
 * @data: offset of the payload in this queue's slots
 * @class: its size class
 * @lent: the helper may still write to the slot. Without @rq it is
 *	quarantined: the request was redone, the slot waits for its return.
 */
struct wc_flight {
	struct wc_req *rq;
	u32 gen;
	u32 since;
	u32 data;
	u8 class;
	bool lent;
};

/**
 * struct wc_queue - one CPU's way to the helper and back
 *
 * Everything but what is marked otherwise belongs to that CPU, with BH
 * disabled: submissions and the tasklet run there and nowhere else (while the
 * CPU is offline, or nearly, the tasklet runs on others, one that is the CPU's at a
 * time, and there are no submissions: cpu.c). So there is no lock.
 *
 * @ch: the channel
 * @cpu: the CPU
 * @id: its number in the channel, which places it in the regions
 * @entries: size of the rings, a power of two, and number of slots
 * @sq: shared head of the submission ring
 * @sq_ring: its indices
 * @desc: descriptors, by index
 * @slots: slots, as &wc_flight.data places them
 * @algs: the algorithms that the helper does, a set of &enum wavecrypt_alg
 * @tail: private copy of &wavecrypt_sq.tail
 * @fresh: requests that were offered since the tasklet ran
 * @looks: private copy of &wavecrypt_sq.looks
 * @inflight: requests that the helper has to answer
 * @lent: slots that the helper may write to: @inflight and the quarantined
 * @looking: the tasklet is scheduled, or runs, and the helper can see that
 * @closed: takes no requests: detached, broken or not yet attached
 * @stalled: takes no requests until the helper has returned every slot
 * @pass_on: &wavecrypt_cq.pass_on, as last seen
 * @wrong_icvs: authentic packets in a row whose ICVs the helper got wrong, less those that
 *	are forged, as it says
 * @class: free slots
 * @flight: by index
 * @armed: the next submission looks whether anybody sleeps. Written by this CPU
 *	alone, but not only with BH disabled: see wc_queue_arm().
 * @sleeper: the task that waits for a submission, or NULL. Set by itself,
 *	cleared by whoever wakes it, from any CPU.
 * @cq: shared head of the completion ring
 * @cq_ring: its entries
 * @head: how many completions were taken
 * @kick: takes completions, or closes the queue; from any CPU
 * @stall: notices that the helper does not come back
 * @poll_until: keep looking for completions until then, in wc_clock() ns
 * @closing: close the queue at the next tasklet run; set from any CPU
 * @drained: the queue is closed, every request of it is done
 * @sq_pages: memory of this queue's part of SUBMIT
 * @cq_pages: memory of its part of COMPLETE
 * @slot_pages: memory of its part of SLOTS
 */
struct wc_queue {
	struct wc_channel *ch;
	unsigned int cpu;
	u32 id;
	u32 entries;

	struct wavecrypt_sq *sq;
	u32 *sq_ring;
	struct wavecrypt_desc *desc;
	u8 *slots;
	u64 algs[WAVECRYPT_ALG_WORDS];
	u32 tail;
	u32 fresh;
	u32 looks;
	u32 inflight;
	u32 lent;
	bool looking;
	bool closed;
	bool stalled;
	bool pass_on;
	u8 wrong_icvs;
	struct wavecrypt_class class[WAVECRYPT_SLOTS_CLASSES];
	struct wc_flight *flight;
	bool armed;
	struct task_struct *sleeper;

	struct wavecrypt_cq *cq;
	struct wavecrypt_cqe *cq_ring;
	u32 head;
	struct wc_kick kick;
	struct wc_stall stall;
	u64 poll_until;

	bool closing;
	struct completion drained;
	struct wc_pages sq_pages;
	struct wc_pages cq_pages;
	struct wc_pages slot_pages;
};

/** wc_queue_does - whether the helper does an algorithm, &enum wavecrypt_alg */
static inline bool wc_queue_does(const struct wc_queue *q, unsigned int id)
{
	return q->algs[id / 64] & BIT_ULL(id % 64);
}

/**
 * struct wc_queue_layout - where things are in one queue's memory, in bytes
 * @slots: which packets its slots are for
 * @desc_first: descriptors, from the start of its part of SUBMIT
 * @sq_size: its part of SUBMIT, whole pages
 * @cq_size: its part of COMPLETE, whole pages
 * @slots_size: its part of SLOTS, whole pages
 */
struct wc_queue_layout {
	enum wavecrypt_slots slots;
	size_t desc_first;
	size_t sq_size;
	size_t cq_size;
	size_t slots_size;
};

void wc_queue_layout(struct wc_queue_layout *layout, u32 entries,
		     enum wavecrypt_slots slots);
struct wc_queue *wc_queue_alloc(struct wc_channel *ch, u32 id,
				unsigned int cpu, u32 entries);
void wc_queue_hush(struct wc_queue *q);
void wc_queue_free(struct wc_queue *q);
struct wc_queue *wc_queue_mine(void);
void wc_queue_open(struct wc_queue *q);
void wc_queue_close(struct wc_queue *q);
void wc_queue_online(unsigned int cpu);
void wc_queue_closed(struct wc_queue *q);
void wc_queue_wake(struct wc_queue *q);
void wc_queue_arm(struct wc_queue *q);
void wc_queue_alarm(struct wc_queue *q);
bool wc_queue_submit(struct wc_tfm *tfm, struct wc_req *rq);
u32 wc_queue_depth(unsigned int cpu);
u32 wc_queue_stall_ms(unsigned int cpu);

#endif /* _WC_QUEUE_H */
