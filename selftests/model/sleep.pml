/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The helper falls asleep while a CPU submits (driver/device.c, submit.c), while
 * another removes a key (channel.c), and while a third ends the channel.
 *
 * A submission reads whether its queue is armed without a barrier after the store
 * that somebody may sleep for. On x86 such a store waits in a buffer, where
 * nobody else sees it, while later loads are done. So each CPU here has a store
 * buffer; locked instructions, barriers and interrupts wait until it is empty.
 * Only the submitting CPU writes whether it is armed, and sees what it wrote
 * last: in the interrupt that arms it, and in the first submission after that.
 *
 * Shown: whoever is asleep has seen all there is to see.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DNO_INTERRUPT: the sleeper does not interrupt the submitting CPU */
/* broken -DARM_AFAR: the sleeper arms the queue itself, and interrupts nobody */
/* broken -DNO_ALARM_BARRIER: no barrier between disarming and looking who sleeps */
/* broken -DDISARM_LATE: a submission disarms after it looked who sleeps */
/* broken -DNO_WOKEN: it does not look whether it was woken before it slept */
/* broken -DNO_RECHECK: it looks for news before it says that it sleeps */
/* broken -DSTATE_LATE: it looks for news before it stops being runnable */
/* broken -DNO_EPOCH_BARRIER: removing a key has no barrier */
/* broken -DWAKE_FIRST: a submission looks who sleeps before it is published */

#define SUBMISSIONS	3

mtype = { TAIL, EPOCH, ARMED };

byte tail, epoch, state, sleeper;
bool runnable = true;

/* as the submitting CPU sees it, and as others do */
bool armed = true, armed_seen = true;

/* stores under way: of the submitting CPU, and of the one that removes a key */
chan submitting = [2 * SUBMISSIONS] of { mtype, byte };
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
		:: where == ARMED -> armed_seen = what
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

/* wc_queue_alarm() */
inline alarm()
{
#ifdef DISARM_LATE
	wake(submitting);
#endif
	atomic { armed = false; submitting!ARMED, false }
#ifndef NO_ALARM_BARRIER
	barrier(submitting);
#endif
#ifndef DISARM_LATE
	wake(submitting)
#endif
}

active proctype submitter()
{
	byte n;

	do
	:: n < SUBMISSIONS ->
		n++;
#ifdef WAKE_FIRST
		if
		:: armed -> alarm()
		:: else -> skip
		fi;
		submitting!TAIL, n
#else
		submitting!TAIL, n;
		if
		:: armed -> alarm()
		:: else -> skip
		fi
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
	   if
	   :: armed_seen -> skip
	   :: else ->
#ifdef ARM_AFAR
		atomic { armed = true; armed_seen = true }
#endif
#if !defined(NO_INTERRUPT) && !defined(ARM_AFAR)
		/* It is taken between two instructions, and a barrier. */
		atomic {
			barrier(submitting) ->
			armed = true;
			armed_seen = true
		}
#endif
		skip
	   fi;
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
