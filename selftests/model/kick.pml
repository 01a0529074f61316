/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kick has a queue's CPU look at something (driver/queue.c: wc_queue_kick()).
 * One that finds another under way relies on that to see what it came for.
 *
 * Each kicker's store waits in a buffer until a locked instruction empties it, as
 * on x86; so does the store that ends a kick.
 *
 * Shown: whatever was stored before a kick is seen by a look after it, also where the
 * tasklet runs on another CPU than the interrupt, as it can while the queue's own goes or
 * comes; and a grace period after the last kick has passed nothing of the queue is in use.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DNO_BARRIER: the kicker only reads whether a kick is under way */
/* broken -DEND_LAST: the kick is over when the tasklet that it scheduled may have run */
/* broken -DNO_GRACE: the memory goes when the kick is over, which then schedules */
/* broken -DLOOK_FIRST: the tasklet looks before it can be scheduled again */

#define KICKERS	2

bool word[KICKERS];	/* what there is to see, */
bool saw[KICKERS];	/* and was seen */
bool kicked;
bool interrupt;
bool handling;
bool scheduled;
bool running;
bool freed;
byte finished;

/* a kicker's one store under way, and the one that ends a kick */
bool storing[KICKERS];
bool ending;

proctype buffer(byte i)
{
end:	do
	:: atomic { storing[i] -> storing[i] = false; word[i] = true }
	od
}

active proctype ends()
{
end:	do
	:: atomic { ending -> ending = false; kicked = false }
	od
}

proctype kicker(byte i)
{
	bool old;

	storing[i] = true;
#ifdef NO_BARRIER
	if
	:: kicked -> goto out
	:: else -> skip
	fi;
#endif
	atomic { !storing[i] -> old = kicked; kicked = true }
	if
	:: old -> skip
	:: else -> interrupt = true
	fi;
out:	finished++
}

/* The interrupt, on the queue's CPU or, while that is offline, by whoever kicks, */
active proctype interrupts()
{
end:	do
	:: atomic { interrupt -> interrupt = false; handling = true }
	   assert(!freed);
#ifdef END_LAST
	   scheduled = true;
	   ending = true;
	   !ending;
#else
	   ending = true;
	   /* a locked instruction */
	   atomic { !ending -> assert(!freed); scheduled = true }
#endif
	   handling = false
	od
}

inline look()
{
	i = 0;
	do
	:: i < KICKERS -> saw[i] = word[i]; i++
	:: i == KICKERS -> break
	od
}

/* and the tasklet after it: where it was scheduled, which then may be elsewhere */
active proctype tasklets()
{
	byte i;

end:	do
	:: atomic { scheduled -> running = true }
#ifdef LOOK_FIRST
	   look();
	   scheduled = false;
#else
	   /* a locked instruction */
	   scheduled = false;
	   look();
#endif
	   assert(!freed);
	   running = false
	od
}

init
{
	byte i;

	atomic {
		do
		:: i < KICKERS -> run buffer(i); run kicker(i); i++
		:: i == KICKERS -> break
		od
	}
	/* No new kicks; wc_queue_hush(): the last has passed; a grace period; and
	 * wc_queue_free(): the tasklet ended
	 */
	finished == KICKERS;
	!kicked;
#ifndef NO_GRACE
	!handling;
#endif
	atomic { !scheduled && !running -> freed = true }
	saw[0] && saw[1]
}
