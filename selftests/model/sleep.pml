/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The helper falls asleep while a CPU submits (driver/device.c, submit.c), while
 * another removes a key (channel.c), and while a third ends the channel.
 *
 * A submission reads whether somebody sleeps without a barrier after the store
 * that somebody may sleep for. On x86 such a store waits in a buffer, where
 * nobody else sees it, while later loads are done. So each CPU here has a store
 * buffer; locked instructions, barriers and interrupts wait until it is empty.
 *
 * Shown: whoever is asleep has seen all there is to see.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DNO_INTERRUPT: the sleeper does not interrupt the submitting CPU */
/* broken -DNO_WOKEN: it does not look whether it was woken before it slept */
/* broken -DNO_RECHECK: it looks for news before it says that it sleeps */
/* broken -DSTATE_LATE: it looks for news before it stops being runnable */
/* broken -DNO_EPOCH_BARRIER: removing a key has no barrier */
/* broken -DWAKE_FIRST: a submission looks who sleeps before it is published */

#define SUBMISSIONS	3

mtype = { TAIL, EPOCH };

byte tail, epoch, state, sleeper;
bool runnable = true;

/* stores under way: of the submitting CPU, and of the one that removes a key */
chan submitting = [SUBMISSIONS] of { mtype, byte };
chan removing = [2] of { mtype, byte };

#define barrier(buffer)	empty(buffer)

proctype drain(chan buffer)
{
	mtype where;
	byte what;

end:	do
	:: atomic {
		buffer?where, what ->
		if
		:: where == TAIL -> tail = what
		:: where == EPOCH -> epoch = what
		fi
	   }
	od
}

/* wc_queue_wake() */
inline wake(buffer)
{
	if
	:: sleeper ->
		atomic {
			barrier(buffer) ->
			if
			:: sleeper -> sleeper = false; runnable = true
			:: else -> skip
			fi
		}
	:: else -> skip
	fi
}

active proctype submitter()
{
	byte n;

	do
	:: n < SUBMISSIONS ->
		n++;
#ifdef WAKE_FIRST
		wake(submitting);
		submitting!TAIL, n
#else
		submitting!TAIL, n;
		wake(submitting)
#endif
	:: n == SUBMISSIONS -> break
	od
}

active proctype remover()
{
	removing!EPOCH, 1;
#ifndef NO_EPOCH_BARRIER
	barrier(removing);
#endif
	wake(removing)
}

active proctype ender()
{
	if
	:: true
	/* cmpxchg() */
	:: state = 1;
	   wake(submitting)
	fi
}

#define news	(tail != seen || epoch != known || state)
#ifdef NO_WOKEN
#define woken	false
#else
#define woken	(!sleeper)
#endif

active proctype helper()
{
	byte seen, known;

	do
	:: seen = tail; known = epoch;
	   if
	   :: state || (seen == SUBMISSIONS && known) -> break
	   :: else -> skip
	   fi;

#ifdef NO_RECHECK
	   if
	   :: news -> goto again
	   :: else -> skip
	   fi;
#endif
	   atomic { sleeper = true }
#ifndef NO_INTERRUPT
	   /* It is taken between two instructions, and a barrier. */
	   barrier(submitting);
#endif
#ifndef STATE_LATE
	   runnable = false;
#endif
#ifndef NO_RECHECK
	   if
	   :: woken || news -> runnable = true; sleeper = false; goto again
	   :: else -> skip
	   fi;
#endif
#ifdef STATE_LATE
	   runnable = false;
#endif
	   /* asleep */
	   runnable;
	   sleeper = false;
again:	   skip
	od
}

init
{
	run drain(submitting);
	run drain(removing)
}
