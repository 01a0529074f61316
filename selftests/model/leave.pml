/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A request that has left the order completes on the CPU that it was submitted
 * on (driver/order.c: wc_order_leave()), at once if that is here, else by way of
 * a list, an interrupt and a tasklet there.
 *
 * Two CPUs drain, one at a time; here only the first has requests of its own, so
 * that the second sends it all that it finds.
 *
 * Shown: requests complete in the order in which they left, on their CPU, none
 * inside of another's callback, and in the end all of them. And nobody finds an
 * interrupt under way that he would like to send.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DRING_ALWAYS: everybody rings, the first in the list or not */
/* broken -DNO_RING: who is not the first in the list never rings, nor the first */
/* broken -DNO_WAITING: a request completes at once though others wait in the list */
/* broken -DNO_RUNNING: and though another's callback is running */

#define REQS	4
#define HOME	0
#define AWAY	1

byte left;		/* requests that have left the order */
bool draining;		/* by one at a time */
byte completed;

chan list = [REQS] of { byte };
chan taken = [REQS] of { byte };
bool running;
bool interrupt;		/* on its way */
bool scheduled;		/* the tasklet */

/* To the list, and ring if nobody has */
inline send(n)
{
	atomic { first = (len(list) == 0); list!n }
	if
#ifdef NO_RING
	:: true -> skip
#else
#ifndef RING_ALWAYS
	:: !first -> skip
	:: first && cpu == HOME -> scheduled = true
	:: first && cpu != HOME ->
#else
	:: cpu == HOME -> scheduled = true
	:: cpu != HOME ->
#endif
		atomic { assert(!interrupt); interrupt = true }
#endif
	fi
}

#ifdef NO_RUNNING
#define busy_here	false
#else
#define busy_here	running
#endif
#ifdef NO_WAITING
#define waiting		false
#else
#define waiting		(len(list) > 0)
#endif
#define direct		(cpu == HOME && !busy_here && !waiting)

/* The callback may submit a request that is done at once, and drain. */
inline callback(n)
{
	assert(n == completed);
	assert(cpu == HOME);
	if
	:: atomic { left < REQS && !draining -> draining = true; m = left; left++ }
		assert(!direct);
		send(m);
		draining = false
	:: true
	fi;
	completed++
}

/* One more request leaves the order; somebody who drains brings it on its way. */
inline leave()
{
	n = left;
	left++;
	if
	:: direct ->
		running = true;
		callback(n);
		running = false
	:: else ->
		send(n)
	fi
}

/* The tasklet takes the list as a whole. */
inline tasklet()
{
	running = true;
	atomic {
		do
		:: len(list) > 0 -> list?n; taken!n
		:: len(list) == 0 -> break
		od
	}
	do
	:: len(taken) > 0 ->
		taken?n;
		callback(n)
	:: len(taken) == 0 -> break
	od;
	running = false
}

inline drain()
{
	atomic { !draining -> draining = true }
	do
	:: left < REQS -> leave()
	:: true -> break
	od;
	draining = false
}

/* The CPU at home: drains with BH disabled, and runs its tasklet */
active proctype home()
{
	byte cpu = HOME, n, m;
	bool first;

end:	do
	:: left < REQS -> drain()
	:: atomic { scheduled -> scheduled = false }
	   tasklet()
	od
}

/* Its interrupt, at any time */
active proctype interrupts()
{
end:	do
	:: atomic { interrupt -> interrupt = false }
	   scheduled = true
	od
}

/* The other one, which finds requests of the first */
active proctype away()
{
	byte cpu = AWAY, n, m;
	bool first;

	do
	:: left < REQS -> drain()
	:: completed == REQS -> break
	od
}
