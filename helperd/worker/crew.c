// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "worker/crew.h"
#include "worker/state.h"

/* In &crew_member.mail: it is not there yet, or no more. */
#define CREW_CLOSED	UINT32_MAX

/* In lines of its own */
static void *zeroed(size_t size)
{
	const size_t line = 2 * WAVECRYPT_LINE;
	void *p;

	size = (size + line - 1) / line * line;
	p = aligned_alloc(line, size);
	return p ? memset(p, 0, size) : NULL;
}

struct crew *crew_alloc(const uint32_t *ids, uint32_t nr_queues, uint32_t nr)
{
	struct crew *crew = calloc(1, sizeof(*crew));

	if (!crew)
		return NULL;
	crew->nr_queues = nr_queues;
	crew->nr = nr;
	crew->queues = zeroed(nr_queues * sizeof(*crew->queues));
	crew->bells = zeroed(nr_queues * sizeof(*crew->bells));
	crew->owners = calloc(nr_queues, sizeof(*crew->owners));
	crew->members = zeroed(nr * sizeof(*crew->members));
	if (!crew->queues || !crew->bells || !crew->owners || !crew->members) {
		crew_free(crew);
		return NULL;
	}
	for (uint32_t i = 0; i < nr_queues; i++)
		crew->queues[i].id = ids[i];
	for (uint32_t i = 0; i < nr; i++)
		crew->members[i].mail = CREW_CLOSED;
	return crew;
}

void crew_free(struct crew *crew)
{
	if (!crew)
		return;
	for (uint32_t i = 0; crew->queues && i < crew->nr_queues; i++)
		queue_exit(&crew->queues[i]);
	free(crew->queues);
	free(crew->bells);
	free(crew->owners);
	free(crew->members);
	free(crew);
}

uint32_t crew_place(const struct crew *crew, uint32_t id)
{
	uint32_t place = 0;

	while (crew->queues[place].id != id)
		place++;
	return place;
}

void crew_join(struct crew *crew, uint32_t seat)
{
	struct crew_member *me = &crew->members[seat];

	me->thread = gettid();
	__atomic_store_n(&me->mail, 0, __ATOMIC_RELEASE);
}

bool crew_take(struct crew *crew, uint32_t seat, uint32_t *place)
{
	struct crew_member *me = &crew->members[seat];
	/* Pairs with crew_give(): the queue as it was left. */
	uint32_t mail = __atomic_load_n(&me->mail, __ATOMIC_ACQUIRE);

	if (!mail || mail == CREW_CLOSED)
		return false;
	*place = mail - 1;
	__atomic_store_n(&crew->owners[*place], seat, __ATOMIC_RELAXED);
	__atomic_store_n(&me->mail, 0, __ATOMIC_RELEASE);
	return true;
}

bool crew_leave(struct crew *crew, uint32_t seat)
{
	uint32_t none = 0;

	return __atomic_compare_exchange_n(&crew->members[seat].mail, &none,
					   CREW_CLOSED, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

bool crew_give(struct crew *crew, uint32_t to, uint32_t place)
{
	uint32_t none = 0;

	return __atomic_compare_exchange_n(&crew->members[to].mail, &none,
					   place + 1, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

/* By number: a thread that has ended meanwhile is not found. */
static void wake(const struct crew_member *m)
{
	if (__atomic_load_n(&m->asleep, __ATOMIC_SEQ_CST))
		tgkill(getpid(), m->thread, WORKER_SIGNAL);
}

void crew_stir(struct crew *crew)
{
	for (uint32_t i = 0; i < crew->nr; i++) {
		const struct crew_member *m = &crew->members[i];

		/* Its thread's number was there before it was open. */
		if (__atomic_load_n(&m->mail, __ATOMIC_ACQUIRE) != CREW_CLOSED &&
		    !__atomic_load_n(&m->holds, __ATOMIC_RELAXED))
			wake(m);
	}
}

bool crew_remind(struct crew *crew, uint32_t to)
{
	struct crew_member *m = &crew->members[to];
	/* Its thread's number was there before. */
	uint32_t mail = __atomic_load_n(&m->mail, __ATOMIC_ACQUIRE);

	if (!mail || mail == CREW_CLOSED)
		return true;
	wake(m);
	return false;
}
