/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU comes online (driver/queue.c: wc_queue_cpu_up()). While it was not, kicks
 * made its queue's tasklet run on other CPUs; once it is, it submits to the
 * queue, which has no lock.
 *
 * Shown: the CPU does not submit while a tasklet runs elsewhere, whenever kicks
 * come; and the last kick is followed by a look.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DWAIT_BEFORE: it waits for tasklets before it is online, not after */
/* broken -DNO_GRACE: it does not wait for kicks that found it offline */
/* broken -DNO_KILL: it does not wait for tasklets that those have begun */
/* broken -DNO_LOOK: it does not make up for kicks that came while it waited */

#define KICKS		3
#define SUBMISSIONS	2

bool online;
byte kicking;		/* sections with BH disabled; a grace period waits for them */
bool submitting;

/* the tasklet: it is to run once more, it is in a CPU's list, it is running */
bool scheduled;
bool queued;
bool at_home;
bool running;

byte kicks;
byte seen;

inline schedule(home)
{
	atomic {
		if
		:: scheduled -> skip
		:: else -> scheduled = true; queued = true; at_home = home
		fi
	}
}

inline run_tasklet(here)
{
	atomic { queued && here && !running -> queued = false; running = true }
	scheduled = false;
	assert(!submitting);
	seen = kicks;
	running = false
}

/* tasklet_kill(): while it waits, there is no scheduling */
inline kill()
{
	atomic { !scheduled -> scheduled = true }
	!running;
	scheduled = false
}

active proctype kicker()
{
	bool found;

	do
	:: kicks < KICKS ->
		kicking++;
		kicks++;
		found = online;
		/* there, by an interrupt, or here in its place */
		schedule(found);
		kicking--
	:: kicks == KICKS -> break
	od
}

active proctype elsewhere()
{
end:	do
	:: run_tasklet(!at_home)
	od
}

/* At home tasklets run between submissions. */
active proctype softirq()
{
end:	do
	:: run_tasklet(at_home && !submitting)
	od
}

active proctype cpu()
{
	byte n;

#ifdef WAIT_BEFORE
	kill();
	online = true;
#else
	online = true;
#ifndef NO_GRACE
	kicking == 0;
#endif
#ifndef NO_KILL
	kill();
#endif
#ifndef NO_LOOK
	schedule(true);
#endif
#endif
	do
	:: n < SUBMISSIONS ->
		n++;
		/* not while its own tasklet runs: that is on this CPU */
		atomic { !(running && at_home) -> submitting = true }
		assert(!running);
		submitting = false
	:: n == SUBMISSIONS -> break
	od;
	kicks == KICKS && seen == KICKS
}
