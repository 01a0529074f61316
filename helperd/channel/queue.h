/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The helper's end of one queue: two rings, each with one producer and one
 * consumer, and their barriers.
 *
 *   module: desc[], ring[], then sq.tail (release)
 *   helper: sq.tail (acquire), then ring[], desc[], slot      queue_refill()
 *   helper: slot, cqe[], then cq.tail (release)               queue_publish()
 *   module: cq.tail (acquire), then cqe[], slot
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CHANNEL_QUEUE_H
#define WAVECRYPT_CHANNEL_QUEUE_H

#include "channel/channel.h"
#include "channel/packet.h"
#include "lib/prefetch.h"

/**
 * struct queue - one queue, owned by one worker thread at a time
 * @sq: head of the module's side
 * @ring: its ring of indices
 * @desc: its descriptors
 * @cq: head of our side
 * @cqe: our ring of completions
 * @mask: entries - 1
 * @id: the queue's number
 * @head: submissions that we took
 * @tail: submissions that there are, as last read
 * @done: completions that we wrote
 * @published: completions that the module was told of
 * @slots: offset of the queue's first slot in SLOTS
 * @slots_end: offset behind its last
 * @packets: one for each index, in flight while &packet.busy
 *
 * Has its own lines: its neighbour may be another worker's.
 */
struct queue {
	const struct wavecrypt_sq *sq;
	const uint32_t *ring;
	const struct wavecrypt_desc *desc;
	struct wavecrypt_cq *cq;
	struct wavecrypt_cqe *cqe;
	uint32_t mask;
	uint32_t id;
	uint32_t head;
	uint32_t tail;
	uint32_t done;
	uint32_t published;
	uint64_t slots;
	uint64_t slots_end;
	struct packet *packets;
} __attribute__((aligned(2 * WAVECRYPT_LINE)));

/**
 * queue_init - begin with a queue of a channel that was just attached, or go on
 * with one that another worker of this process had until it stopped
 * @q: the queue
 * @ch: channel
 * @id: its number
 * @place: its place in the crew
 *
 * Return: false without memory.
 */
bool queue_init(struct queue *q, const struct channel *ch, uint32_t id,
		uint32_t place);

/** queue_exit - undo queue_init() */
void queue_exit(struct queue *q);

/**
 * queue_refill - look for new submissions
 *
 * Return: how many wait to be taken. More than the ring holds is the other
 * end's error; the caller checks.
 *
 * The acquire pairs with the module's release of @tail: what it wrote to ring,
 * descriptor and slot before is seen after.
 */
static inline uint32_t queue_refill(struct queue *q)
{
	q->tail = __atomic_load_n(&q->sq->tail, __ATOMIC_ACQUIRE);
	return q->tail - q->head;
}

/**
 * queue_prefetch - have a descriptor come, and what it is copied to
 * @q: the queue
 * @ahead: so many submissions after the next
 *
 * Each is a line in the submitting CPU's cache, and waiting for them one after
 * the other costs more than all else that is done with a packet here.
 */
static inline void queue_prefetch(const struct queue *q, uint32_t ahead)
{
	uint32_t index;

	if (ahead >= q->tail - q->head)
		return;
	index = q->ring[(q->head + ahead) & q->mask] & q->mask;
	prefetch(&q->desc[index]);
	prefetch_write(&q->packets[index]);
}

/** queue_next - index of the next submission; there must be one */
static inline uint32_t queue_next(struct queue *q)
{
	/* Only ever written before the release of the tail that covers it. */
	return q->ring[q->head++ & q->mask];
}

/** QUEUE_PER_LINE - completions in a line */
#define QUEUE_PER_LINE	(WAVECRYPT_LINE / sizeof(struct wavecrypt_cqe))

/** QUEUE_CLAIMED - completions whose lines are on their way here */
#define QUEUE_CLAIMED	(8 * QUEUE_PER_LINE)

/**
 * queue_claim - have the first lines come that completions will be written to
 * @q: the queue
 * @n: how many completions at most
 *
 * They are in the cache of the CPU that reaps. Stores become visible in order,
 * so that each line would be waited for before the next is asked for.
 */
static inline void queue_claim(const struct queue *q, uint32_t n)
{
	uint32_t held = q->head - q->done;

	if (n > held)
		n = held;
	if (n > QUEUE_CLAIMED)
		n = QUEUE_CLAIMED;
	for (uint32_t i = 0; i < n; i += QUEUE_PER_LINE)
		prefetch_write(&q->cqe[(q->done + i) & q->mask]);
}

/**
 * queue_complete - note one completion; the module does not see it yet
 *
 * Claims one more line at the beginning of each.
 */
static inline void queue_complete(struct queue *q, const struct packet *p)
{
	if (q->done % QUEUE_PER_LINE == 0 &&
	    q->head - q->done > QUEUE_CLAIMED)
		prefetch_write(&q->cqe[(q->done + QUEUE_CLAIMED) & q->mask]);
	q->cqe[q->done++ & q->mask] = (struct wavecrypt_cqe) {
		.gen = p->gen,
		.index = p->index,
		.status = p->status,
	};
}

/**
 * queue_publish - let the module see every completion noted so far
 * @q: the queue
 * @pass_on: ask it to pass on what it puts into slots
 *
 * The release pairs with the module's acquire of the tail: entries and slots
 * are there before it.
 */
static inline void queue_publish(struct queue *q, bool pass_on)
{
	__atomic_store_n(&q->cq->pass_on, pass_on, __ATOMIC_RELAXED);
	__atomic_store_n(&q->cq->tail, q->done, __ATOMIC_RELEASE);
	q->published = q->done;
}

/**
 * queue_want - say how many submissions may wait to be taken
 * @q: the queue
 * @nr: so many
 *
 * Relaxed: it only has the module do others itself meanwhile.
 */
static inline void queue_want(struct queue *q, uint32_t nr)
{
	__atomic_store_n(&q->cq->wanted, q->head + nr, __ATOMIC_RELAXED);
}

/** queue_looks - whether the module says that it is going to look for completions */
static inline bool queue_looks(const struct queue *q)
{
	return __atomic_load_n(&q->sq->looks, __ATOMIC_RELAXED) !=
	       __atomic_load_n(&q->sq->looked, __ATOMIC_RELAXED);
}

/**
 * queue_reaped - completions that the module has taken
 *
 * Relaxed: it only decides whether to ring the bell. The entry that a new
 * completion overwrites is free because its request was submitted again, and
 * that is ordered by queue_refill().
 */
static inline uint32_t queue_reaped(const struct queue *q)
{
	return __atomic_load_n(&q->sq->reaped, __ATOMIC_RELAXED);
}

#endif
