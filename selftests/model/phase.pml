/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All that is pending is waited for, whichever transform it is of, by numbers that each
 * CPU counts for each of two phases (driver/order.c: wc_orders_turn(), wc_orders_over(),
 * wc_orders_idle(); driver/hazard.c: wc_hazard_pass()).
 *
 * Shown: when the phase before is over, all has completed that was submitted when this
 * one began, even if something of an earlier one had been given up; and what is said to
 * be idle was so at a moment.
 */

/* broken -DNO_GRACE: whoever has read the phase may not have counted yet */
/* broken -DNOT_BEFORE: a phase begins though the one before the last is not over */
/* broken -DSAME_PHASE: what completes is counted for the phase of now */
/* broken -DSUBMITTED_FIRST: idle looks at what was submitted first */

#define CPUS	2
#define EACH	2
#define NR	(CPUS * EACH)

byte phase;
byte submitted[2 * CPUS];	/* by CPU and phase */
byte completed[2 * CPUS];
byte section[CPUS];		/* odd in an RCU read section */
bool pending[NR];

/* Requests complete in order here; any other would do as well. */
proctype cpu(byte c)
{
	byte its[EACH], i, done, e;

	do
	:: i < EACH ->
		section[c]++;
		e = phase;
		submitted[2 * c + e]++;
		its[i] = e;
		pending[c * EACH + i] = true;
		i++;
		section[c]++
	:: done < i ->
		pending[c * EACH + done] = false;
#ifdef SAME_PHASE
		e = phase;
#else
		e = its[done];
#endif
		completed[2 * c + e]++;
		done++
	:: done == EACH -> break
	od
}

/* Until the phase before is over, or whoever waits loses patience */
inline drain()
{
	c = 0;
	do
	:: c < CPUS && completed[2 * c + 1 - phase] == submitted[2 * c + 1 - phase] -> c++
	:: c == CPUS -> break
	:: patience -> patience = false; gave_up = true; break
	od
}

proctype waits()
{
	bool wanted[NR], patience = true, gave_up;
	byte turns, c, n, s;

	do
	:: turns < 2 ->
		gave_up = false;
#ifndef NOT_BEFORE
		drain();
#endif
		if
		:: gave_up -> skip
		:: else ->
			atomic {
				n = 0;
				do
				:: n < NR -> wanted[n] = pending[n]; n++
				:: else -> break
				od;
				phase = 1 - phase
			}
#ifndef NO_GRACE
			c = 0;
			do
			:: c < CPUS ->
				s = section[c];
				(s % 2 == 0 || section[c] != s);
				c++
			:: else -> break
			od;
#endif
			drain();
			atomic {
				n = 0;
				do
				:: n < NR && !gave_up ->
					assert(!wanted[n] || !pending[n]);
					n++
				:: else -> break
				od
			}
		fi;
		turns++
	:: turns == 2 -> break
	od
}

inline sum(number)
{
	n = 0;
	do
	:: n < 2 * CPUS -> total = total + number; n++
	:: else -> break
	od
}

proctype asks()
{
	byte n, total, before;
	bool idle;

	total = 0;
#ifdef SUBMITTED_FIRST
	sum(submitted[n]);
#else
	sum(completed[n]);
#endif
	before = total;
	total = 0;
	atomic {
		idle = true;
		n = 0;
		do
		:: n < NR -> idle = idle && !pending[n]; n++
		:: else -> break
		od;
		n = 0
	}
#ifdef SUBMITTED_FIRST
	sum(completed[n]);
#else
	sum(submitted[n]);
#endif
	assert(total != before || idle)
}

init
{
	atomic {
		run cpu(0);
		run cpu(1);
		if
		:: run waits()
		:: run asks()
		fi
	}
}
