/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A flow that moves from CPU to CPU (driver/home.c; driver/order.c: who waits for
 * another CPU).
 *
 * One flow submits to one transform, now from the one CPU, now from the other. A
 * request is done in the call, or by the kernel but in its turn, or by the helper
 * when it likes. With BH disabled nothing of the same CPU comes in between, but all
 * of the other one does. Nobody's time is up, and no bound is reached: then a flow may
 * overtake itself.
 *
 * Shown: requests complete once each, in the order of submission, none before the
 * callback of the one before has returned, wherever that is; whoever waits is looked
 * at again, and nobody waits for ever, also where the one waits for the other and that
 * for the first; when the last one has completed nobody looks at an order again.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DNO_WAIT: what moved waits for nothing */
/* broken -DIN_CALL: what may complete in the call does, wherever the home is */
/* broken -DSTAY_HOME: the home stays where it was */
/* broken -DCOUNT_FIRST: a request counts as completed before its callback has returned */
/* broken -DNO_TIMER: nobody looks again at who waits */
/* broken -DLOOK_AFTER: and at the other's order again, when its own request has gone */

#ifndef REQS
#define REQS	5
#endif
#define CPUS	2
#define NOBODY	255

mtype = { HELPER, DONE };

byte home = NOBODY;
bool bh[CPUS];			/* disabled, or in a softirq */

/* the orders, each of one CPU */
byte submitted[CPUS];
byte completed[CPUS];
bool waiting[CPUS];		/* in that list, with its timer */
byte away[CPUS];		/* how many the helper has */

typedef order_t { byte number[REQS]; mtype state[REQS]; byte after[REQS]; byte upto[REQS] };
order_t order[CPUS];

byte next;			/* the next request of the flow */
byte last;			/* the next to complete */
byte returned;
bool freed;

#define pending(c)	(submitted[c] - completed[c])

inline complete(n)
{
	assert(!freed);
	assert(n == last && returned == n);
	last++
}

inline has_returned()
{
	returned++;
	if
	:: returned == REQS -> freed = true
	:: else -> skip
	fi
}

/* One step, but for what it reads of the other CPU and tells it */
active proctype flow()
{
	byte here, old, upto;
	bool wait;

	do
	:: next < REQS ->
		if
		:: here = 0
		:: here = 1
		fi;
		atomic { !bh[here] -> bh[here] = true }
		wait = false;
		old = home;
		if
		:: old != here && old != NOBODY ->
#ifndef NO_WAIT
			upto = submitted[old];
			wait = upto > completed[old];
#endif
#ifndef STAY_HOME
			home = here
#endif
		:: old == NOBODY -> home = here
		:: else -> skip
		fi;
#ifdef IN_CALL
		wait = false;
#endif
		if
		:: atomic { pending(here) == 0 && !wait ->
			complete(next);
			next++ }
			atomic { has_returned() }
		:: atomic {
			order[here].number[submitted[here]] = next;
			order[here].after[submitted[here]] = (wait -> old : NOBODY);
			order[here].upto[submitted[here]] = upto;
			if
			:: pending(here) > 0 || wait ->
				order[here].state[submitted[here]] = DONE
			:: order[here].state[submitted[here]] = HELPER;
				away[here] = away[here] + 1
			fi;
			submitted[here] = submitted[here] + 1;
			next++ }
		fi;
		bh[here] = false
	:: next == REQS -> break
	od
}

#define head		completed[c]
#define is_there	(completed[c] < submitted[c])

active [CPUS] proctype softirq()
{
	byte c = _pid - 1, i, j, k;

end:	do
	/* an answer */
	:: atomic { !bh[c] && away[c] > 0 ->
		i = head;
		do
		:: order[c].state[i] == HELPER ->
			order[c].state[i] = DONE;
			break
		:: else -> i++
		od;
		away[c] = away[c] - 1
	   }
	/* a turn */
	:: atomic { !bh[c] && !waiting[c] && is_there && order[c].state[head] == DONE ->
		bh[c] = true;
		i = head;
		j = order[c].after[i] }
		assert(!freed);
		if
		:: j != NOBODY && completed[j] < order[c].upto[i] ->
			waiting[c] = true
		:: else ->
			k = order[c].number[i];
			complete(k);
#ifdef COUNT_FIRST
			completed[c] = completed[c] + 1;
#endif
			atomic {
				has_returned()
#ifndef COUNT_FIRST
				; completed[c] = completed[c] + 1
#endif
			}
#ifdef LOOK_AFTER
			assert(j == NOBODY || !freed)
#endif
		fi;
		bh[c] = false
#ifndef NO_TIMER
	:: atomic { !bh[c] && waiting[c] ->
		/* the other one has moved on, or this would go on for ever */
		completed[order[c].after[head]] >= order[c].upto[head] ->
		waiting[c] = false }
#endif
	:: atomic { returned == REQS && !bh[c] -> break }
	od
}

/* In the end all have come back. */
active proctype watch()
{
	returned == REQS
}
