/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kick has a queue's CPU look at something (driver/queue.c: wc_queue_kick()).
 * One that finds another under way relies on that to see what it came for.
 *
 * Each kicker's store waits in a buffer until a locked instruction empties it, as
 * on x86; so does the store that ends a kick.
 *
 * Shown: whatever was stored before a kick is seen by a look after it; and when
 * nobody is under way nothing of the queue is in use, so that it can be freed.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DNO_BARRIER: the kicker only reads whether a kick is under way */
/* broken -DEND_FIRST: the kick is over before it has scheduled the tasklet */
/* broken -DLOOK_FIRST: the tasklet looks before it can be scheduled again */

#define KICKERS	2

bool word[KICKERS];	/* what there is to see, */
bool saw[KICKERS];	/* and was seen */
bool kicked;
bool interrupt;
bool scheduled;
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

/* The queue's CPU: the interrupt, and the tasklet after it */
active proctype cpu()
{
	byte i;

end:	do
	:: interrupt ->
		interrupt = false;
#ifdef END_FIRST
		ending = true;
		assert(!freed);
		scheduled = true
#else
		assert(!freed);
		scheduled = true;
		ending = true
#endif
	:: scheduled ->
#ifdef LOOK_FIRST
		i = 0;
		do
		:: i < KICKERS -> saw[i] = word[i]; i++
		:: i == KICKERS -> break
		od;
		atomic { !ending -> scheduled = false }
#else
		/* a locked instruction */
		atomic { !ending -> scheduled = false }
		i = 0;
		do
		:: i < KICKERS -> saw[i] = word[i]; i++
		:: i == KICKERS -> break
		od
#endif
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
	/* wc_queue_free(): no new kicks; the last has passed; the tasklet ended */
	finished == KICKERS;
	!kicked;
	!scheduled;
	freed = true;
	saw[0] && saw[1]
}
