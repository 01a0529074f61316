/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the channel's header says of it while queues stall and resume and the channel
 * ends, all at the same time (driver/channel.c).
 *
 * Shown: when nothing moves any more, the header says what is.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DSTATE_KEPT: the state is kept beside the count, and changed after it */
/* broken -DSHOW_ONCE: who shows a state does not look whether it has changed */
/* broken -DSHOW_FIRST: who changes the state shows it before */

#define QUEUES	2

mtype = { LIVE, STALLED, BROKEN };

byte stalled, done;
bool ended;
mtype header = LIVE;

/* What @stalled and @ended come to */
#define derived	(ended -> BROKEN : (stalled -> STALLED : LIVE))

#ifdef STATE_KEPT
mtype kept = LIVE;
#define state	(ended -> BROKEN : kept)
#else
#define state	derived
#endif

/* wc_channel_show(): each step is one access, and in this order */
inline tell(it)
{
	do
	:: it = state;
	   header = it;
#ifdef SHOW_ONCE
	   break
#else
	   if
	   :: state == it -> break
	   :: else -> skip
	   fi
#endif
	od
}

/* A cmpxchg() of the state that is kept, where there is one */
inline keep(from, to)
{
#ifdef STATE_KEPT
	atomic {
		if
		:: kept == from -> kept = to
		:: else -> skip
		fi
	}
#else
	skip
#endif
}

active [QUEUES] proctype queue()
{
	byte times, n;
	mtype it;

	do
	:: times == 2 -> break
	:: times < 2 ->
		times++;
		/* wc_channel_stall() */
#ifdef SHOW_FIRST
		tell(it);
#endif
		atomic { stalled++; n = stalled }
#ifndef SHOW_FIRST
		if
		:: n == 1 -> keep(LIVE, STALLED); tell(it)
		:: else -> skip
		fi;
#endif
		if
		:: true -> break	/* for good */
		:: true -> skip
		fi;
		/* wc_channel_resume() */
#ifdef SHOW_FIRST
		tell(it);
#endif
		atomic { stalled--; n = stalled }
#ifndef SHOW_FIRST
		if
		:: n == 0 -> keep(STALLED, LIVE); tell(it)
		:: else -> skip
		fi
#endif
	od;
	done++
}

active proctype ender()
{
	mtype it;

	if
	:: true
	:: ended = true; tell(it)
	fi;
	done++
}

active proctype judge()
{
	done == QUEUES + 1;
	assert(header == derived)
}
