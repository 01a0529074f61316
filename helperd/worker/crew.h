/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A crew: workers that hand queues over to each other.
 *
 * A queue is one worker's at any time: who has it may give it to another when nothing
 * of it is taken that is not answered, and has nothing more to do with it. There are
 * no locks: each member has room for one queue that was given to it, and looks there
 * on every turn.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_WORKER_CREW_H
#define WAVECRYPT_WORKER_CREW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "channel/bell.h"
#include "channel/queue.h"

/** CREW_LOAD_ALL - a worker that is never idle */
#define CREW_LOAD_ALL	1024u

/** CREW_NOBODY - no member */
#define CREW_NOBODY	UINT32_MAX

/**
 * struct crew_member - a worker, as the others see it
 * @mail: 0; the place of a queue that is given to it, plus 1; or CREW_CLOSED
 * @load: how busy it was lately, of %CREW_LOAD_ALL
 * @holds: how many queues it has
 * @busy: how many of them had much to do lately
 * @asleep: it sleeps, or is about to
 * @since: since when, in ticks
 * @thread: its thread's number
 */
struct crew_member {
	uint32_t mail;
	uint32_t load;
	uint32_t holds;
	uint32_t busy;
	bool asleep;
	uint64_t since;
	pid_t thread;
} __attribute__((aligned(2 * WAVECRYPT_LINE)));

/**
 * struct crew - its queues and members
 * @nr_queues: how many queues
 * @nr: how many members
 * @queues: the helper's end of each; its index is the queue's place
 * @bells: their bells
 * @owners: who has which; read by anybody
 * @members: the members
 */
struct crew {
	uint32_t nr_queues;
	uint32_t nr;
	struct queue *queues;
	struct bell *bells;
	uint32_t *owners;
	struct crew_member *members;
};

/**
 * crew_alloc - a crew of nobody yet
 * @ids: numbers of its queues
 * @nr_queues: how many
 * @nr: how many members there will be
 *
 * Return: NULL: no memory.
 */
struct crew *crew_alloc(const uint32_t *ids, uint32_t nr_queues, uint32_t nr);

/** crew_free - when all of its members have gone; NULL is ignored */
void crew_free(struct crew *crew);

/** crew_place - place of the queue with this number; there is one */
uint32_t crew_place(const struct crew *crew, uint32_t id);

/** crew_join - from now on, the calling thread takes what is given to @seat */
void crew_join(struct crew *crew, uint32_t seat);

/**
 * crew_take - what was given to a member
 * @crew: the crew
 * @seat: the member, who asks
 * @place: set to the queue's place
 *
 * Return: false: nothing.
 */
bool crew_take(struct crew *crew, uint32_t seat, uint32_t *place);

/**
 * crew_leave - take nothing more
 *
 * Return: false if something was given first, which is to be taken before.
 */
bool crew_leave(struct crew *crew, uint32_t seat);

/**
 * crew_give - give a queue away
 * @crew: the crew
 * @to: to this member
 * @place: the queue, which the caller has
 *
 * What the caller did with it is seen by who takes it.
 *
 * Return: false: @to has not taken what it was given before, or takes nothing.
 */
bool crew_give(struct crew *crew, uint32_t to, uint32_t place);

/**
 * crew_remind - see that a member takes what it was given
 * @crew: the crew
 * @to: the member
 *
 * It may have been about to sleep, and have missed one reminder; so who gave keeps
 * asking, and does not sleep until then.
 *
 * Return: whether it has.
 */
bool crew_remind(struct crew *crew, uint32_t to);

/** crew_stir - wake those that sleep and have no queue: the module wakes the others */
void crew_stir(struct crew *crew);

#endif
