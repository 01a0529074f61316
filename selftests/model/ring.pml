/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The life of requests between the module and its helper: submission, answer,
 * stall, redo, late answer, quarantine, break, detach, replacement.
 *
 * One CPU submits requests of one transform, numbered in the order in which
 * they have to complete. It has a queue in each of two channels; the second
 * replaces the first. What the CPU does with BH disabled is one step: a
 * submission (driver/submit.c, aead.c), a run of a queue's tasklet or a tick of
 * its timer (complete.c). The helpers do their part between any two of those.
 *
 * A helper does what it was given in its own time, forgets some of it, or dies.
 * Some lie once, in a way that the module can tell: they answer what they were not
 * given, or no longer.
 *
 * Shown: a request completes once, in its turn, with its own result; not a tick
 * later than it has to; no helper is broken that did not lie; and in the end all
 * requests have completed.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DNO_GENERATION: an answer counts for whatever is in its slot now */
/* broken -DNO_QUARANTINE: a slot is used again when its request was redone */
/* broken -DNO_REDO_AT_CLOSE: a channel closes without a look at what is left */
/* broken -DCLOSE_LATE: a queue takes requests until it is closed */
/* broken -DNO_DEADLINE: nobody minds that a helper does not answer */
/* broken -DDEADLINE_OF_ALL: any answer renews the deadline of every request */
/* broken -DNO_ORDER: a request completes when its result is there */

#ifndef REQS
#define REQS	4
#endif
#define SLOTS	2
#ifndef CHANS
#define CHANS	2
#endif
#define PATIENCE 1	/* ticks */
#define NONE	255

#define S(c, i)	((c) * SLOTS + (i))

/* a slot, as &struct wc_flight has it */
byte rq[CHANS * SLOTS] = NONE;
byte gen[CHANS * SLOTS];
bool lent[CHANS * SLOTS];
byte age[CHANS * SLOTS];
/* what lies in it: NONE until the helper has put a request's result there */
byte result[CHANS * SLOTS] = NONE;

/* a queue, as &struct wc_queue has it */
bool closed[CHANS];
bool closing[CHANS];
bool stalled[CHANS];
bool broken[CHANS];
bool progress[CHANS];
byte current = 0;

/* what the helpers see, and what they answer */
typedef offer { byte gen; byte rq; bool fresh };
offer offered[CHANS * SLOTS];
chan answers[CHANS] = [SLOTS + 1] of { byte, byte };
bool lied[CHANS];

/* the order */
byte submitted = 0;
byte completed = 0;
bool known[REQS];
byte times[REQS];

inline complete(r)
{
	times[r]++;
	assert(times[r] == 1);
	assert(r == completed)
}

inline finish(r)
{
#ifdef NO_ORDER
	complete(r);
	completed++;
#endif
	known[r] = true
}

/* A slot to be had in the present queue, or NONE */
inline find_slot(i)
{
	i = NONE;
	if
	:: current == NONE || closed[current] || stalled[current] -> skip
	:: else ->
		i = 0;
		do
		:: i == SLOTS -> i = NONE; break
		:: i < SLOTS && lent[S(current, i)] -> i++
		:: i < SLOTS && !lent[S(current, i)] -> break
		od
	fi
}

inline submit()
{
	find_slot(slot);
	if
	:: slot == NONE ->
		/* inline, to complete in its turn */
		finish(submitted)
	:: slot != NONE ->
		rq[S(current, slot)] = submitted;
		gen[S(current, slot)]++;
		lent[S(current, slot)] = true;
		age[S(current, slot)] = 0;
		result[S(current, slot)] = NONE;
		offered[S(current, slot)].gen = gen[S(current, slot)];
		offered[S(current, slot)].rq = submitted;
		offered[S(current, slot)].fresh = true
	fi;
	slot = 0;
	submitted++
}

/* Everything whose turn it is. A callback may submit, before the next. */
inline drain()
{
#ifdef NO_ORDER
	skip
#else
	do
	:: completed < submitted && known[completed] ->
		complete(completed);
		if
		:: submitted < REQS -> submit()
		:: true
		fi;
		completed++
	:: else -> break
	od
#endif
}

inline redo_all(c)
{
	i = 0;
	do
	:: i == SLOTS -> break
	:: i < SLOTS && rq[S(c, i)] == NONE -> i++
	:: i < SLOTS && rq[S(c, i)] != NONE ->
		finish(rq[S(c, i)]);
		rq[S(c, i)] = NONE;
#ifdef NO_QUARANTINE
		lent[S(c, i)] = false;
#endif
		i++
	od;
	i = 0
}

inline break_channel(c)
{
	assert(lied[c]);
	broken[c] = true;
	closing[c] = true
}

inline reap(c)
{
	do
	:: !broken[c] && len(answers[c]) > 0 ->
		answers[c]?i, g;
		if
#ifdef NO_GENERATION
		:: !lent[S(c, i)] ->
			break_channel(c)
		:: lent[S(c, i)] ->
#else
		:: !lent[S(c, i)] || g != gen[S(c, i)] ->
			break_channel(c)
		:: lent[S(c, i)] && g == gen[S(c, i)] ->
#endif
			progress[c] = true;
			if
			:: rq[S(c, i)] == NONE -> skip	/* late */
			:: else ->
				assert(result[S(c, i)] == rq[S(c, i)]);
				finish(rq[S(c, i)]);
				rq[S(c, i)] = NONE
			fi;
			lent[S(c, i)] = false
		fi
	:: else -> break
	od;
	i = 0; g = 0
}

#define in_flight(c)	(rq[S(c, 0)] != NONE || rq[S(c, 1)] != NONE)
#define due(c)		((len(answers[c]) > 0 || closing[c]) && !closed[c])
#define any_lent(c)	(lent[S(c, 0)] || lent[S(c, 1)])
#define oldest(c)	((rq[S(c, 0)] != NONE && age[S(c, 0)] >= PATIENCE) || \
			 (rq[S(c, 1)] != NONE && age[S(c, 1)] >= PATIENCE))

inline tasklet(c)
{
	reap(c);
	if
	:: closing[c] ->
#ifndef CLOSE_LATE
		closed[c] = true;
#endif
#ifndef NO_REDO_AT_CLOSE
		redo_all(c)
#endif
	:: !closing[c] -> skip
	fi;
	drain();
	if
	:: stalled[c] && !any_lent(c) -> stalled[c] = false
	:: else -> skip
	fi;
	if
	:: closing[c] -> closed[c] = true
	:: !closing[c] -> skip
	fi
}

inline tick(c)
{
	i = 0;
	do
	:: i == SLOTS -> break
	:: i < SLOTS ->
		if
		:: rq[S(c, i)] != NONE -> age[S(c, i)]++
		:: else -> skip
		fi;
		i++
	od;
	i = 0;
	if
#ifdef DEADLINE_OF_ALL
	:: oldest(c) && !progress[c] ->
#else
	:: oldest(c) ->
#endif
		stalled[c] = true;
		redo_all(c);
		drain()
	:: else -> skip
	fi;
	progress[c] = false;
	assert(rq[S(c, 0)] == NONE || age[S(c, 0)] <= PATIENCE);
	assert(rq[S(c, 1)] == NONE || age[S(c, 1)] <= PATIENCE)
}

active proctype cpu()
{
	byte i, g, slot, c;

	do
	:: atomic { submitted < REQS -> submit(); drain() }
	/* Somebody rang, or it looks without being asked. */
	:: atomic { due(0) -> tasklet(0) }
#if CHANS > 1
	:: atomic { due(1) -> tasklet(1) }
#endif
	/* The timer's own tasklet looks at the ring first. */
#ifndef NO_DEADLINE
	:: atomic { in_flight(0) && !closed[0] -> tasklet(0); tick(0) }
#if CHANS > 1
	:: atomic { in_flight(1) && !closed[1] -> tasklet(1); tick(1) }
#endif
#endif
	:: atomic { completed == REQS -> break }
	od
}

/* A helper, until it dies */
proctype helper(byte c)
{
	byte i, r, g;
	bool liar;

	if
	:: liar = true
	:: liar = false
	fi;

end:	do
	:: atomic {
		offered[S(c, 0)].fresh || offered[S(c, 1)].fresh ->
		if
		:: offered[S(c, 0)].fresh -> i = 0
		:: offered[S(c, 1)].fresh -> i = 1
		fi;
		r = offered[S(c, i)].rq;
		g = offered[S(c, i)].gen;
		offered[S(c, i)].fresh = false
	   }
	   /* It takes its time; the request may be redone meanwhile. */
	   atomic {
		nfull(answers[c]) ->
		result[S(c, i)] = r;
		answers[c]!i, g;
		i = 0; r = 0; g = 0
	   }
	/* It forgets one. */
	:: offered[S(c, 0)].fresh -> offered[S(c, 0)].fresh = false
	:: offered[S(c, 1)].fresh -> offered[S(c, 1)].fresh = false
	/* It answers what it was not given, or no longer. */
	:: atomic {
		liar && !lied[c] && nfull(answers[c]) ->
		lied[c] = true;
		if
		:: i = 0
		:: i = 1
		fi;
		if
		:: gen[S(c, i)] > 1 -> g = gen[S(c, i)] - 1
		:: !lent[S(c, i)] -> g = gen[S(c, i)]
		:: g = NONE
		fi;
		answers[c]!i, g;
		i = 0; g = 0
	   }
	od
}

/* The first helper may be detached, or a second one come before it is. */
active proctype control()
{
	run helper(0);
	if
#if CHANS > 1
	:: current = 1;
	   run helper(1);
	   closing[0] = true
#endif
	:: closing[0] = true
	:: true
	fi
}
