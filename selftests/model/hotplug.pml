/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose a CPU's queues and orders are (driver/cpu.c). While it is offline kicks
 * make its tasklets run on other CPUs, several of them at a time; when it is up it
 * submits, and neither it nor a tasklet there takes a lock.
 *
 * Shown: at no time do two touch them; and the last kick of each tasklet is
 * followed by a look.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DNO_LOCK: tasklets elsewhere do not lock each other out */
/* broken -DNO_RECHECK: who has waited for the lock does not look who is up */
/* broken -DUP_ANYHOW: a CPU is up without looking who has the lock */
/* broken -DHERE_ENOUGH: on the CPU itself there is no lock, up or not */
/* broken -DSUBMIT_EARLY: it submits as soon as it is online */
/* broken -DNO_FORWARD: a tasklet that may not touch them is lost */

#define TASKLETS	2
#define KICKS		2	/* of each */
#define SUBMISSIONS	2

bool online;
bool up;
bool lock;
byte touching;

/* a tasklet: it is to run once more, and there or elsewhere; it is running */
bool scheduled[TASKLETS];
bool there[TASKLETS];
bool running[TASKLETS];
byte kicks[TASKLETS];
byte seen[TASKLETS];

#define schedule(t)							\
	if								\
	:: scheduled[t] -> skip						\
	:: else -> scheduled[t] = true; there[t] = online		\
	fi

inline touch()
{
	touching++;
	assert(touching == 1);
	touching--
}

/* What runs at home is not interrupted by what else does; AT is whether it does. */
bool home;

inline tasklet(t, at)
{
	atomic {
		scheduled[t] && there[t] == at && !running[t] && !(at && home) ->
		running[t] = true;
		scheduled[t] = false;
		home = home || at
	}
	locked = false;
	may = true;
	if
#ifdef HERE_ENOUGH
	:: at -> skip
#else
	:: at && up -> skip
#endif
	:: else ->
#ifndef NO_LOCK
		atomic { !lock -> lock = true; locked = true };
#endif
#ifndef NO_RECHECK
		if
		:: up -> may = false; lock = false; locked = false
		:: else -> skip
		fi
#endif
	fi;
	if
	:: may ->
		seen[t] = kicks[t];
		touch();
		if
		:: locked -> lock = false
		:: else -> skip
		fi
	:: else ->
#ifndef NO_FORWARD
		atomic { schedule(t) }
#endif
	fi;
	atomic { running[t] = false; home = home && !at }
}

proctype kicker(byte t)
{
	do
	:: kicks[t] < KICKS -> atomic { kicks[t]++; schedule(t) }
	:: kicks[t] == KICKS -> break
	od
}

proctype elsewhere(byte t)
{
	bool locked, may;

end:	do
	:: tasklet(t, false)
	od
}

proctype at_home(byte t)
{
	bool locked, may;

end:	do
	:: tasklet(t, true)
	od
}

active proctype cpu()
{
	byte n;

	online = true;
#ifdef SUBMIT_EARLY
	atomic { !home -> home = true }
	touch();
	home = false;
#endif
#ifdef UP_ANYHOW
	up = true;
#else
	/* BH disabled */
	atomic { !home && !lock -> lock = true; home = true }
	up = true;
	atomic { lock = false; home = false }
#endif
	do
	:: n < SUBMISSIONS ->
		n++;
		atomic { !home -> home = true }
		touch();
		home = false
	:: n == SUBMISSIONS -> break
	od
}

init
{
	byte t;

	atomic {
		do
		:: t < TASKLETS ->
			run kicker(t);
			run elsewhere(t);
			run at_home(t);
			t++
		:: t == TASKLETS -> break
		od
	}
	kicks[0] == KICKS && seen[0] == KICKS;
	kicks[1] == KICKS && seen[1] == KICKS
}
