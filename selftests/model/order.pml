/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Completion in the order of submission (driver/order.c): a queue with many
 * producers, drained by one at a time.
 *
 * Two CPUs submit to one transform. Each pushes its requests, finishes those
 * that it pushed in any order, and drains; or, where nothing is pending, does one
 * in the call. The queue is modelled store by store. All that matters between
 * CPUs is a locked instruction, so that a store buffer would add nothing.
 *
 * Shown: requests leave once each, in the order of their pushes; one that is
 * done in the call completes after all that its CPU submitted before; a request
 * is not touched after it has left; and in the end all have left.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DNO_KICKS: who drains does not look again for what was done meanwhile */
/* broken -DNO_STUB: the last request is taken while it is the tail */
/* broken -DNO_TAIL_CHECK: the stub is put behind it without looking for others */
/* broken -DPENDING_FIRST: a request is no longer pending when its callback runs */
/* broken -DPUT_OFF: what is done in the call is put off, and has no place in the order */
/* broken -DDRAIN_ANYWHERE: whoever has something done drains, without the lock */

#ifndef REQS
#define REQS	2	/* of each CPU */
#endif
#define CPUS	2
#define NODES	(CPUS * REQS)
#define STUB	NODES
#define NIL	255

byte next[NODES + 1] = NIL;
bool done[NODES];
byte head = STUB;
byte tail = STUB;
byte pending;
byte kicks;

/* what is to be shown */
byte turn[NODES];
byte pushes;
byte completed;
bool gone[NODES + 1];
byte finished;
/* of each CPU: requests that it pushed, that completed, and where it is */
byte pushed[CPUS];
byte returned[CPUS];

#define OWNER(n)	((n) / REQS)

inline link(node)
{
	next[node] = NIL;
	atomic {
		prev = tail;
		tail = node;
		if
		:: node != STUB -> turn[node] = pushes; pushes++
		:: else -> skip
		fi
	}
	assert(!gone[prev]);
	next[prev] = node
}

inline push(node)
{
	pending++;
	link(node)
}

inline callback(node)
{
	atomic {
		assert(turn[node] == completed);
		completed++;
		assert(!gone[node]);
		gone[node] = true;
		returned[OWNER(node)]++
	}
}

/* The oldest request if it is done: in h, or NIL */
inline pop()
{
	h = head;
	assert(!gone[h]);
	n = next[h];
	if
	:: h == STUB && n == NIL -> h = NIL
	:: h == STUB && n != NIL ->
		head = n;
		h = n;
		assert(!gone[h]);
		n = next[h]
	:: h != STUB -> skip
	fi;
	if
	:: h != NIL && !done[h] -> h = NIL
	:: else -> skip
	fi;
	if
	:: h != NIL && n == NIL ->
#ifdef NO_STUB
		n = STUB
#else
		if
#ifndef NO_TAIL_CHECK
		:: tail != h -> h = NIL
		:: else ->
#else
		:: true ->
#endif
			link(STUB);
			n = next[h];
			if
			:: n == NIL -> h = NIL
			:: else -> skip
			fi
		fi
#endif
	:: else -> skip
	fi;
	if
	:: h != NIL -> head = n
	:: else -> skip
	fi
}

inline drain()
{
	atomic { old = kicks; kicks++ }
#ifdef DRAIN_ANYWHERE
	old = 0;
#endif
	if
	:: old != 0 -> skip
	:: else ->
		do
		:: k = kicks;
		   do
		   :: pop();
		      if
		      :: h == NIL -> break
		      :: else -> skip
		      fi;
#ifdef PENDING_FIRST
		      pending--;
		      callback(h)
#else
		      callback(h);
		      pending--
#endif
		   od;
		   atomic {
			if
#ifdef NO_KICKS
			:: true -> kicks = 0; break
#else
			:: kicks == k -> kicks = 0; break
			:: else -> skip
#endif
			fi
		   }
		od
	fi
}

proctype submitter(byte cpu)
{
	byte i, h, n, k, old, prev;
	bool dirty;
#ifdef PUT_OFF
	byte before;
	bool late;
#endif

	do
	/* one that goes into the order */
	:: i < REQS ->
		push(cpu * REQS + i);
		pushed[cpu]++;
		i++
	/* one that is done in the call, and so completes there */
	:: atomic { pending == 0 -> assert(returned[cpu] == pushed[cpu]) }
#ifdef PUT_OFF
	:: atomic { pending == 0 && !late -> late = true; before = pushed[cpu] }
	:: atomic { late -> late = false; assert(returned[cpu] <= before) }
#endif
	/* the result of one that was pushed is there */
	:: atomic { i > 0 && !done[cpu * REQS] -> done[cpu * REQS] = true; dirty = true }
	:: atomic { i > 1 && !done[cpu * REQS + 1] -> done[cpu * REQS + 1] = true; dirty = true }
	:: atomic { dirty -> dirty = false }
	   drain()
	:: atomic { i == REQS && !dirty && done[cpu * REQS] &&
		    done[cpu * REQS + REQS - 1] -> break }
	od;
	finished++
}

init
{
	atomic { run submitter(0); run submitter(1) }
	/* Nobody is left to do it if not now. */
	finished == CPUS && completed == NODES && pending == 0
}
