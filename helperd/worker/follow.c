// SPDX-License-Identifier: GPL-2.0-only
/*
 * Workers follow load: few of them where few suffice.
 *
 * Lanes are quicker the more packets there are at a time, so one worker that is busy
 * does more than two that are idle half of the time. So who is nearly idle gives its
 * queues to another that has time for them, and sleeps; and who has too much gives a
 * queue to one that has time, and if need be wakes it.
 *
 * Where batches are small, two loads are less in one: by how much is tried. If that
 * comes back, the next such trial waits twice as long.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "lib/clock.h"
#include "worker/state.h"

/* Loads are looked at over so long. */
#define WINDOW_NS	NSEC_PER_MSEC

/* Who has too much looks again so much sooner: what begins at once on many CPUs is with
 * one worker, maybe.
 */
#define HURRY		8u

/* So many windows in a row two workers differ by two busy queues before one goes: what
 * a queue brings in a window varies.
 */
#define UNEVEN		16u

/* So many windows in a row have little before that is a reason to retire: pauses, and
 * their beginning, are none.
 */
#define CALM		16u

/* Of CREW_LOAD_ALL: too much for one; what one is filled up to; and what is next to
 * nothing.
 */
#define TOO_MUCH	922u
#define ENOUGH		717u
#define LITTLE		410u

/* What is left of having had enough, when results are passed on as well */
#define FILLED		820u

/* What two may have that are tried in one, as chunks of so few packets grow. */
#define TRIED		1229u
#define SMALL_CHUNK	8u

/* Between trials that came back: so long, doubled so often. */
#define TRIAL_NS	(20 * NSEC_PER_MSEC)
#define TRIAL_DOUBLED	6

/* Who sleeps between packets has a load; who has slept for a window has none. */
static bool idle(const struct worker *w, uint32_t seat, uint64_t now)
{
	const struct crew_member *m = &w->crew->members[seat];
	uint64_t since = __atomic_load_n(&m->since, __ATOMIC_RELAXED);

	return __atomic_load_n(&m->asleep, __ATOMIC_RELAXED) &&
	       (int64_t)(now - since) > (int64_t)clock_ticks_of(WINDOW_NS);
}

static uint32_t load_of(const struct worker *w, uint32_t seat)
{
	return __atomic_load_n(&w->crew->members[seat].load, __ATOMIC_RELAXED);
}

static void note_holds(const struct worker *w)
{
	__atomic_store_n(&w->crew->members[w->seat].holds, w->nr, __ATOMIC_RELAXED);
}

/* Is all that was taken from a queue answered? */
static bool can_go(const struct queue *q)
{
	return q->head == q->done && q->done == q->published;
}

/* Give the i-th of its queues away. */
static bool give(struct worker *w, uint32_t to, uint32_t i)
{
	uint32_t place = w->mine[i];

	if (w->gave_to != CREW_NOBODY || !can_go(&w->queues[place]) ||
	    !crew_give(w->crew, to, place))
		return false;
	w->mine[i] = w->mine[--w->nr];
	note_holds(w);
	if (w->first >= w->nr)
		w->first = 0;
	w->gave_to = to;
	count(&w->stats.given, 1);
	return true;
}

static uint32_t busy_of(const struct worker *w, uint32_t seat)
{
	return __atomic_load_n(&w->crew->members[seat].busy, __ATOMIC_RELAXED);
}

/*
 * Who has room for @share: the busiest of those that have, or one that is idle. If all
 * have too much, no load says how much too much: then queues that are busy are to be
 * as many with each, and it is who has the fewest, at least two less than the @busy here.
 */
static uint32_t find_room(struct worker *w, uint32_t share, uint32_t busy,
			  uint64_t now)
{
	uint32_t best = CREW_NOBODY, most = 0, sleeper = CREW_NOBODY;
	uint32_t least = busy - 1, poorest = CREW_NOBODY;

	for (uint32_t seat = 0; seat < w->crew->nr; seat++) {
		uint32_t load = load_of(w, seat);

		if (seat == w->seat)
			continue;
		if (idle(w, seat, now)) {
			if (sleeper == CREW_NOBODY)
				sleeper = seat;
		} else if (load + share <= ENOUGH &&
			   (best == CREW_NOBODY || load > most)) {
			best = seat;
			most = load;
		} else if (busy_of(w, seat) < least) {
			poorest = seat;
			least = busy_of(w, seat);
		}
	}
	if (best == CREW_NOBODY)
		best = sleeper;
	w->uneven = poorest == CREW_NOBODY ? 0 : w->uneven + 1;
	if (best != CREW_NOBODY || (least && w->uneven < UNEVEN))
		return best;
	w->uneven = 0;
	return poorest;
}

/* Packets of a queue in this window */
static uint32_t taken_of(const struct worker *w, uint32_t place)
{
	return w->queues[place].head - w->window.heads[place];
}

static uint32_t taken_of_all(const struct worker *w)
{
	uint32_t all = 0;

	for (uint32_t i = 0; i < w->nr; i++)
		all += taken_of(w, w->mine[i]);
	return all;
}

/* What brings less than this has little to do with it. */
static uint32_t much(const struct worker *w)
{
	return w->nr ? taken_of_all(w) / (4 * w->nr) : 0;
}

static uint32_t count_busy(const struct worker *w)
{
	uint32_t busy = 0, least = much(w);

	for (uint32_t i = 0; i < w->nr; i++)
		busy += taken_of(w, w->mine[i]) > least;
	return busy;
}

/* Too much to do: let another have the queue that is nearest to half of it. */
static void shed(struct worker *w, uint32_t load, uint32_t busy, uint64_t now)
{
	uint32_t all = taken_of_all(w), least = much(w), nearest = UINT32_MAX;
	uint32_t best = 0, share = 0, to;

	if (busy < 2)
		return;
	for (uint32_t i = 0; i < w->nr; i++) {
		uint32_t taken = taken_of(w, w->mine[i]);
		uint32_t off = taken > all / 2 ? taken - all / 2 : all / 2 - taken;

		if (taken <= least || off >= nearest)
			continue;
		nearest = off;
		best = i;
		share = (uint64_t)load * taken / all;
	}
	to = find_room(w, share, busy, now);
	/* It will see itself how much that is, but not at once. */
	if (to != CREW_NOBODY && give(w, to, best))
		__atomic_add_fetch(&w->crew->members[to].load, share, __ATOMIC_RELAXED);
	w->window_ticks = clock_ticks_of(WINDOW_NS) / HURRY;
}

/* Little to do: let one that comes before have it, if it has time. */
static void retire(struct worker *w, uint32_t load, uint64_t now)
{
	bool small = w->window.packets < SMALL_CHUNK * w->window.chunks;
	uint32_t most = small ? TRIED : ENOUGH;

	w->calm = load > (small ? ENOUGH : LITTLE) ? 0 : w->calm + 1;
	if (w->calm < CALM ||
	    clock_ahead(w->retire_at, now, clock_ticks_of(TRIAL_NS) << TRIAL_DOUBLED))
		return;
	for (uint32_t seat = 0; seat < w->seat; seat++) {
		if (idle(w, seat, now) || load_of(w, seat) + load > most)
			continue;
		w->retires_to = seat;
		w->retired_at = now;
		return;
	}
}

/* Queues that go, one after the other. */
static void move_out(struct worker *w)
{
	for (uint32_t i = 0; i < w->nr; i++)
		if (give(w, w->retires_to, i))
			break;
	if (!w->nr)
		w->retires_to = CREW_NOBODY;
}

/* Somebody had too much. Was it what we gave away lately? */
static void back_again(struct worker *w, uint64_t now)
{
	uint64_t trial = clock_ticks_of(TRIAL_NS);

	if (now - w->retired_at < trial << w->doubled)
		w->doubled += w->doubled < TRIAL_DOUBLED;
	else
		w->doubled = 0;
	w->retire_at = now + (trial << w->doubled);
}

static void window_begin(struct worker *w, uint64_t now)
{
	w->window.start = now;
	w->window.busy_ticks = w->stats.busy_ticks;
	w->window.packets = 0;
	w->window.chunks = 0;
	for (uint32_t i = 0; i < w->nr; i++)
		w->window.heads[w->mine[i]] = w->queues[w->mine[i]].head;
}

/* It has one more: a window begins, and others need not wait for its end to see that. */
static void receive(struct worker *w, uint32_t place, uint64_t now)
{
	struct crew_member *me = &w->crew->members[w->seat];

	if (!w->nr)
		back_again(w, now);
	w->mine[w->nr++] = place;
	w->retires_to = CREW_NOBODY;
	note_holds(w);
	__atomic_store_n(&me->busy, me->busy + 1, __ATOMIC_RELAXED);
	window_begin(w, now);
}

void worker_follow(struct worker *w, uint64_t now)
{
	struct crew_member *me = &w->crew->members[w->seat];
	uint32_t place, load, busy;
	uint64_t elapsed;

	while (crew_take(w->crew, w->seat, &place))
		receive(w, place, now);
	if (w->gave_to != CREW_NOBODY && crew_remind(w->crew, w->gave_to))
		w->gave_to = CREW_NOBODY;
	if (w->retires_to != CREW_NOBODY)
		move_out(w);
	elapsed = now - w->window.start;
	if (elapsed < w->window_ticks)
		return;
	load = (w->stats.busy_ticks - w->window.busy_ticks) * CREW_LOAD_ALL / elapsed;
	busy = count_busy(w);
	/* Passing lines on takes a fifth more; between the two nobody does. */
	if (load < ENOUGH)
		w->spare = true;
	else if (load >= FILLED)
		w->spare = false;
	w->busy = load >= TOO_MUCH;
	__atomic_store_n(&me->load, load, __ATOMIC_RELAXED);
	__atomic_store_n(&me->busy, busy, __ATOMIC_RELAXED);
	w->window_ticks = clock_ticks_of(WINDOW_NS);
	if (load >= TOO_MUCH) {
		w->calm = 0;
		shed(w, load, busy, now);
	} else if (w->nr) {
		retire(w, load, now);
	}
	window_begin(w, now);
}

void worker_follow_begin(struct worker *w, uint64_t now)
{
	w->gave_to = CREW_NOBODY;
	w->retires_to = CREW_NOBODY;
	w->window_ticks = clock_ticks_of(WINDOW_NS);
	window_begin(w, now);
	note_holds(w);
	crew_join(w->crew, w->seat);
}

void worker_follow_end(struct worker *w)
{
	uint32_t place;

	while (!crew_leave(w->crew, w->seat))
		if (crew_take(w->crew, w->seat, &place))
			w->mine[w->nr++] = place;
}
