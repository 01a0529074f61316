/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Completion in the order of submission (driver/order.c), and the bound on what is
 * pending (driver/complete.c: wc_complete_make_room()).
 *
 * One CPU submits to one transform. A request is done in the call, or by the kernel
 * but in its turn, or by the helper, whose answers come in any order, or by an
 * asynchronous fallback, which finishes it on another CPU. A request's callback
 * may submit another. With BH disabled nothing of this CPU comes in between. A run
 * may stop at any time, for its budget; and there may be no room for what completes
 * before the next run. Somebody sets a key meanwhile.
 *
 * Shown: requests complete once each, in the order of submission, none inside of
 * another's callback; one that is done in the call comes after all those before; no
 * more are pending than may be, or, behind one that is with the fallback, than may be at
 * most, at which order gives way; a key is set after what was submitted before has
 * completed; when the last one has completed nobody looks at the order again; and
 * in the end all have completed.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DNO_ROOM: who submits one too many does not do the oldest */
/* broken -DROOM_FIRST: the oldest completes before the new one has its place */
/* broken -DROOM_EARLY: it is made before it is known whether the request comes here */
/* broken -DLAZY_INSIDE: nor if that is in a callback */
/* broken -DGIVE_WAY: order gives way to the fallback before there are so many */
/* broken -DCOUNT_FIRST: a request counts as completed before its callback has returned */
/* broken -DSTAY_BUSY: an order stays in the list when its turn is over */
/* broken -DNO_GOING_ON: a run that stops does not schedule the tasklet */
/* broken -DNO_ROOM_LATER: nor does who submits if one that is done waits for room */
/* broken -DNO_RING: it does not have the request's CPU look */

#ifndef REQS
#define REQS	4
#endif
#define MOST	2
#define LIMIT	3
#define TURN	1

mtype = { NOWHERE, HELPER, FALLBACK, DONE };

mtype state[REQS + 1] = NOWHERE;
byte submitted;		/* into the order */
byte completed;
byte head;		/* the oldest that has not left */
byte next;		/* the next request */
byte number[REQS + 1];	/* in the order, by place */

bool busy;		/* in the list */
bool crowded;		/* or in that of those that wait for room */
byte free = 1;		/* room for so many */
bool running;
bool mine;		/* a callback of this order */
bool scheduled;

/* to the CPU, from the fallback's */
byte away;
bool from[REQS];

/* what is to be shown */
byte last;		/* the number of the last that completed, + 1 */
byte returned;
bool skipped[REQS + 1];
bool freed;
bool over;		/* more are pending than may be, behind the fallback */

#define pending		(submitted - completed)

inline mark(i)
{
	state[i] = DONE;
	if
	:: i == head -> busy = true
	:: else -> skip
	fi
}

/* Rather that than too many. Its number is no more waited for. */
inline out_of_turn(n)
{
	assert(pending >= LIMIT);
	assert(!skipped[n]);
	skipped[n] = true;
	returned++
}

/* A callback's may be more by one turn. */
inline count()
{
	over = over && submitted - head > MOST;
	assert(over || submitted - head <= MOST + TURN)
}

inline push(n, how)
{
	assert(!freed);
	number[submitted] = n;
	state[submitted] = how;
	submitted++;
	if
	:: how == DONE -> mark(submitted - 1)
	:: else -> skip
	fi
}

inline complete_head(inside)
{
	assert(!freed);
	assert(!running || !inside);
	do
	:: last < REQS && skipped[last] -> last++
	:: else -> break
	od;
	assert(number[head] == last);
	last++;
	head++;
#ifdef COUNT_FIRST
	completed++;
#endif
}

/* As many as are too many with one more are done here, the oldest first. Behind one that
 * is with the fallback there may be more, up to a limit.
 */
inline make_room()
{
	room = true;
	j = head;
	k = pending + 1;
	do
	:: k > MOST && j < submitted ->
		if
		:: state[j] == HELPER -> mark(j)
		:: state[j] == FALLBACK ->
			over = true;
#ifdef GIVE_WAY
			room = false;
#else
			room = pending < LIMIT;
#endif
			break
		:: state[j] == DONE -> skip
		fi;
		j++;
		k--
	:: else -> break
	od
}

/* A callback submits: nothing completes inside of it. */
inline submit_inside()
{
	assert(pending > 0 || !mine);
	inner = next;
	next++;
	room = true;
#ifndef LAZY_INSIDE
	make_room();
#endif
	if
	:: !room -> out_of_turn(inner)
	:: else ->
		if
		:: push(inner, DONE)
		:: push(inner, HELPER)
		fi
	fi;
	count()
}

/* That of one of this order's requests, in which it may */
inline callback()
{
	mine = true;
	if
	:: true -> skip
	:: next < REQS -> submit_inside()
	fi;
	mine = false;
	returned++;
#ifndef COUNT_FIRST
	completed++;
#endif
	/* The transform goes with its last request. */
	if
	:: next == REQS && returned == REQS -> freed = true
	:: else -> skip
	fi
}

/* The first is done, */
#define due		(head < submitted && state[head] == DONE)
/* and has to wait for room; but not if there are too many. */
#define crowds		(free == 0 && pending <= MOST)

/* An order's turn: one request, or maybe more, but there is no room. */
inline turn()
{
	busy = false;
	crowded = false;
	if
	:: due && !crowds ->
		if
		:: free > 0 -> free--
		:: else -> skip
		fi;
		complete_head(false);
		running = true;
		callback();
		running = false;
		if
		:: due -> busy = true
		:: due && crowds -> crowded = true
		:: else -> skip
		fi
	:: due && crowds -> crowded = true
	:: else -> skip
	fi;
#ifdef STAY_BUSY
	busy = true
#endif
}

/* What is left is the tasklet's. */
inline go_on()
{
	if
#ifndef NO_GOING_ON
	:: busy || crowded -> scheduled = true
#endif
	:: else -> skip
	fi
}

/* A run. There is room again, for one or for all. */
inline complete_some()
{
	if
	:: free = 1
	:: free = REQS
	fi;
	busy = busy || crowded;
	crowded = false;
	do
	:: !busy -> break
	:: busy ->
		assert(!freed);
		turn();
		if
		:: true -> skip
		:: busy -> break
		fi
	od;
	go_on()
}

/* Who submits has its order go on. */
inline advance()
{
	if
	:: (busy || crowded) && !crowds -> turn()
	:: else -> skip
	fi;
#ifdef NO_ROOM_LATER
	if
	:: busy -> scheduled = true
	:: else -> skip
	fi
#else
	go_on()
#endif
}

inline answer(n)
{
	atomic { state[n] == HELPER -> mark(n); complete_some() }
}

/* Each alternative is one section with BH disabled. */
active proctype cpu()
{
	byte i, j, k, n, inner;
	bool room;

	do
	:: atomic { next < REQS ->
		n = next;
		next++;
		room = true;
#ifndef NO_ROOM
		make_room();
#endif
#ifdef ROOM_FIRST
		complete_some();
#endif
		if
		:: !room -> out_of_turn(n)
#ifdef ROOM_EARLY
		:: room ->
			/* on another CPU */
			skipped[n] = true;
			returned++
#endif
		:: room && pending == 0 ->
			/* in the call */
			assert(returned == n);
			last = n + 1;
			returned++
		:: room ->
			if
			:: push(n, DONE)
			:: push(n, HELPER)
			:: push(n, FALLBACK)
			fi;
			if
			:: state[submitted - 1] == DONE || pending > MOST -> advance()
			:: else -> skip
			fi
		fi;
		count()
	   }
	/* answers */
	:: answer(0)
	:: answer(1)
	:: answer(2)
	:: answer(3)
	/* another transform's turn, whose callback submits to this one */
	:: atomic { next < REQS && pending > 0 ->
		running = true;
		submit_inside();
		running = false;
		if
		:: busy -> turn()
		:: else -> skip
		fi;
		go_on()
	   }
	:: atomic { scheduled ->
		scheduled = false;
		/* what others have finished */
		away = 0;
		i = 0;
		do
		:: i < REQS ->
			if
			:: from[i] -> from[i] = false; mark(i)
			:: else -> skip
			fi;
			i++
		:: i == REQS -> break
		od;
		complete_some()
	   }
	:: next == REQS && returned == REQS && !scheduled -> break
	od;
	assert(!busy && !crowded)
}

/* The fallback, on its own CPU */
active proctype fallback()
{
	byte i;

end:	do
	:: i < REQS ->
		if
		:: atomic { state[i] == FALLBACK && !from[i] ->
			from[i] = true;
			away++;
#ifndef NO_RING
			if
			:: away == 1 -> scheduled = true
			:: else -> skip
			fi
#endif
		   }
		:: state[i] == DONE || next == REQS && i >= submitted -> skip
		fi;
		i++
	:: i == REQS -> break
	od
}

/* setkey */
active proctype waiter()
{
	byte seen, n;

	atomic { seen = submitted; n = returned + pending }
	completed >= seen;
	assert(returned >= n)
}
