/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kick has a CPU look at something (driver/kick.c). One that finds another under way
 * relies on that to see what it came for.
 *
 * Each kicker's store waits in a buffer until a locked instruction empties it, as
 * on x86; so does the store that ends a kick.
 *
 * Shown: whatever was stored before a kick is seen by a look after it, also where the
 * tasklet runs on another CPU than the interrupt, as it can while its own goes or comes,
 * and then may kick where it belongs; and of what nobody else kicks any more nothing is in
 * use when wc_kick_end() returns, a grace period after wc_kick_hush().
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DNO_BARRIER: the kicker only reads whether a kick is under way */
/* broken -DEND_LAST: the kick is over when the tasklet that it scheduled may have run */
/* broken -DNO_GRACE: the memory goes when the kick is over, which then schedules */
/* broken -DKILL_ONCE: only the last tasklet is waited for, not one that kicks */
/* broken -DLOOK_FIRST: the tasklet looks before it can be scheduled again */

#define KICKERS	2

bool word[KICKERS];	/* what there is to see, */
bool saw[KICKERS];	/* and was seen */
bool kicked;
bool interrupt;
bool handling;
bool scheduled;
bool settled;		/* CPUs neither come nor go any more */
bool elsewhere;		/* the tasklet was scheduled where it does not belong */
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

inline kick()
{
	atomic { old = kicked; kicked = true }
	if
	:: old -> skip
	:: else -> interrupt = true
	fi
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
	!storing[i];
	kick();
out:	finished++
}

inline schedule()
{
	atomic {
		assert(!freed);
		scheduled = true;
		if
		:: !settled -> elsewhere = true
		:: skip
		fi
	}
}

/* The interrupt, on the CPU or, while that is offline, by whoever kicks, */
active proctype interrupts()
{
end:	do
	:: atomic { interrupt -> interrupt = false; handling = true }
	   assert(!freed);
#ifdef END_LAST
	   schedule();
	   ending = true;
	   !ending;
#else
	   ending = true;
	   /* a locked instruction */
	   !ending;
	   schedule();
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
	bool old, stray;

end:	do
	:: atomic { scheduled -> running = true }
#ifdef LOOK_FIRST
	   look();
	   scheduled = false;
#else
	   /* a locked instruction */
	   atomic { scheduled = false; stray = elsewhere; elsewhere = false }
	   if
	   :: stray -> kick()
	   :: else -> look()
	   fi;
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
	/* No new kicks; wc_kick_hush(); a grace period; and wc_kick_end() */
	finished == KICKERS;
	settled = true;
#ifndef KILL_ONCE
	!scheduled && !running;
#endif
	!kicked;
#ifndef NO_GRACE
	!handling;
#endif
	atomic { !scheduled && !running -> freed = true }
	saw[0] && saw[1]
}
