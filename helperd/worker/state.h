/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a worker's files have in common.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_WORKER_STATE_H
#define WAVECRYPT_WORKER_STATE_H

#include <pthread.h>

#include "channel/bell.h"
#include "channel/queue.h"
#include "sched/arrival.h"
#include "sched/offload.h"
#include "worker/aside.h"
#include "worker/crew.h"
#include "worker/worker.h"

/** WORKER_SIGNAL - wakes a sleeping worker: its ioctl() fails with EINTR */
#define WORKER_SIGNAL	SIGUSR1

/**
 * struct worker_window - what a worker did lately
 * @start: since when, in ticks
 * @busy_ticks: what &worker_stats.busy_ticks was then
 * @packets: packets that the lanes did
 * @chunks: in so many chunks
 * @heads: what &queue.head of each of its queues was, by place
 */
struct worker_window {
	uint64_t start;
	uint64_t busy_ticks;
	uint32_t packets;
	uint32_t chunks;
	uint32_t *heads;
};

/** WORKER_TELL_NS - between two messages of the lead's about stalls */
#define WORKER_TELL_NS	(60 * NSEC_PER_SEC)

/**
 * struct worker_stalls - what the lead says of the channel's
 * @tell_at: not before, in ticks; 0 at first
 * @untold: how many there were since it last did
 * @told: it did of the latest, and says when that is over
 */
struct worker_stalls {
	uint64_t tell_at;
	uint64_t untold;
	bool told;
};

/**
 * struct worker - a worker
 * @config: how it works
 * @lanes: its own instance of the lanes
 * @offload: the device beside them, or NULL
 * @arrival: puts its chunks back in order
 * @crew: with whom it shares queues
 * @own_crew: with nobody
 * @seat: which member it is
 * @queues: the crew's queues, by place
 * @bells: their bells
 * @mine: places of those that it has
 * @nr: how many
 * @window: what it did lately
 * @window_ticks: how long this one is
 * @passes_on: its processor can pass lines on, and that is of use
 * @spare: it had time to spare lately, for passing on results
 * @busy: it had none for anything
 * @calm: windows in a row that had little
 * @uneven: windows in a row in which somebody had fewer busy queues
 * @gave_to: who has not taken yet what it was given, or %CREW_NOBODY
 * @retires_to: who gets all of its queues, or %CREW_NOBODY
 * @retired_at: when that began, last
 * @retire_at: when that may be tried next
 * @doubled: how often the wait before that was doubled
 * @seen: argument array for sleeping
 * @waiting: submissions that there were when it last looked
 * @first: queue to look at first, for fairness: an index into @mine
 * @turned: when it last went round, in ticks
 * @idle_since: when it last had something to do, in ticks
 * @spin: how long to poll then, in ticks
 * @key_epoch: last one seen
 * @state: last channel state seen
 * @stalls: what was said of that
 * @aside: where packets come from
 * @bins: packets that were taken, sorted
 * @chunk: what the lanes work on
 * @thread: the thread
 * @stop: asked to end
 * @end: why it ended
 * @pad: what is above is changed by others now and then
 * @stats: counters
 */
struct worker {
	struct worker_config config;
	struct backend *lanes;
	struct offload *offload;
	struct arrival arrival;
	struct crew *crew;
	bool own_crew;
	uint32_t seat;
	struct queue *queues;
	struct bell *bells;
	uint32_t *mine;
	uint32_t nr;
	struct worker_window window;
	uint64_t window_ticks;
	bool passes_on;
	bool spare;
	bool busy;
	uint32_t calm;
	uint32_t uneven;
	uint32_t gave_to;
	uint32_t retires_to;
	uint64_t retired_at;
	uint64_t retire_at;
	unsigned int doubled;
	struct wavecrypt_seen *seen;
	uint32_t waiting;
	uint32_t first;
	uint64_t turned;
	uint64_t idle_since;
	uint64_t spin;
	uint32_t key_epoch;
	uint32_t state;
	struct worker_stalls stalls;
	struct aside aside;
	struct bins bins;
	struct chunk *chunk;
	pthread_t thread;
	bool stop;
	enum worker_end end;
	uint8_t pad[WAVECRYPT_LINE];
	struct worker_stats stats;
};

/** WORKER_HELD - most packets that wait in a worker's bins */
#define WORKER_HELD	512u

/** count - add to one of the worker's counters */
static inline void count(uint64_t *counter, uint64_t n)
{
	/* Others only read it, so that this needs no locked instruction. */
	__atomic_store_n(counter, *counter + n, __ATOMIC_RELAXED);
}

/**
 * struct worker_done - packets of a chunk that were done
 * @packets: how many
 * @bytes: their payload
 */
struct worker_done {
	uint32_t packets;
	uint64_t bytes;
};

/** worker_range - in which of @nr ranges is @n, that end at powers of two from @first on? */
unsigned int worker_range(uint64_t n, unsigned int first, unsigned int nr);

/** worker_count_bins - count the packets of a chunk by kind and length */
void worker_count_bins(struct worker *w, const struct chunk *c);

/**
 * worker_take - move submissions from the queues to the bins
 * @w: the worker
 * @more: set if there are more than were taken, and room for them
 *
 * Return: how many were taken, or -1 if a ring makes no sense.
 */
int worker_take(struct worker *w, bool *more);

/**
 * worker_complete - note what became of the packets of a chunk, for worker_publish()
 *
 * Return: those that are done; the others are given back undone.
 */
struct worker_done worker_complete(struct worker *w, const struct chunk *c);

/** worker_lanes - do one chunk on the lanes. false: it had better wait */
bool worker_lanes(struct worker *w, struct bins *b, bool more);

/**
 * worker_drive - take what the device has finished, and give it more
 * @w: the worker
 * @now: time in ticks
 *
 * More first: it waits while results are sorted.
 *
 * Return: false: neither.
 */
bool worker_drive(struct worker *w, uint64_t now);

/**
 * worker_leave - have the device give back what it still has
 *
 * The channel may be unmapped next, which is no place for it to write to.
 */
void worker_leave(struct worker *w);

/** worker_publish - let the module see what was completed on every queue */
void worker_publish(struct worker *w, uint64_t now);

/**
 * worker_ring - ring where it is time to
 *
 * worker_take() has just looked what was submitted. With nothing else to do, what
 * was reaped is looked at even before it is time.
 */
void worker_ring(struct worker *w, bool idle, uint64_t now);

/** worker_ring_all - when it ends: everything that was published must be seen */
void worker_ring_all(struct worker *w);

/** worker_follow_begin - on its thread: other members may give it queues from now on */
void worker_follow_begin(struct worker *w, uint64_t now);

/** worker_follow - take what it was given, and see whether it has too much or too little */
void worker_follow(struct worker *w, uint64_t now);

/** worker_follow_end - it takes nothing more */
void worker_follow_end(struct worker *w);

/** worker_rest - nothing to do on this turn: poll on for a while, then sleep */
enum worker_end worker_rest(struct worker *w, uint64_t now);

/** worker_doze - nothing to do before the device is done: sleep if that takes a while */
enum worker_end worker_doze(struct worker *w, uint64_t now);

/** worker_main - the thread */
void *worker_main(void *arg);

#endif
