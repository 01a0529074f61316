/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A request that an asynchronous fallback has finished goes back to its own CPU
 * (driver/order.c: wc_order_send()): a list, an interrupt and a tasklet there.
 *
 * Shown: every request gets there once; nobody who sends it looks at it when it is
 * there; and nobody finds an interrupt under way that he would like to send, though the
 * tasklet also runs for other reasons.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

/* broken -DNO_RING: nobody rings */
/* broken -DLOOK_AFTER: the request is asked for its CPU when it is in the list */
/* broken -DNOT_ASKED: who rings does not ask whether somebody has rung */
/* broken -DHEARD_LATE: it is heard when the tasklet is scheduled already, and may have run */
/* broken -DTAKE_FIRST: the tasklet takes the list before it may be scheduled again */

#define SENDERS	2
#define EACH	2
#define REQS	(SENDERS * EACH)

chan list = [REQS] of { byte };
bool arrived[REQS];
byte nr;
bool rung;		/* and not heard yet */
bool interrupt;		/* on its way */
bool scheduled;

inline arrive()
{
	atomic {
		do
		:: list?n -> assert(!arrived[n]); arrived[n] = true; nr++
		:: empty(list) -> break
		od
	}
}

/* Each on a CPU of its own */
proctype sender(byte first)
{
	byte i, n;
	bool alone, before;

	do
	:: i < EACH ->
		n = first + i;
#ifndef LOOK_AFTER
		assert(!arrived[n]);
#endif
		atomic { alone = empty(list); list!n }
#ifdef LOOK_AFTER
		assert(!arrived[n]);
#endif
		if
#ifdef NO_RING
		:: true -> skip
#else
		:: !alone -> skip
		:: alone ->
			atomic {
#ifndef NOT_ASKED
				before = rung;
#endif
				rung = true
			}
			if
			:: before -> skip
			:: else -> atomic { assert(!interrupt); interrupt = true }
			fi
#endif
		fi;
		i++
	:: i == EACH -> break
	od
}

/* The request's CPU: its interrupt comes at any time, */
active proctype interrupts()
{
end:	do
	:: atomic { interrupt -> interrupt = false }
#ifdef HEARD_LATE
	   scheduled = true;
	   rung = false
#else
	   rung = false;
	   scheduled = true
#endif
	od
}

/* what else the tasklet is for, */
active proctype others()
{
	scheduled = true;
	scheduled = true
}

/* and the tasklet after it. */
active proctype tasklets()
{
	byte n;

end:	do
	:: scheduled ->
#ifdef TAKE_FIRST
		arrive();
		scheduled = false
#else
		scheduled = false;
		arrive()
#endif
	od
}

init
{
	atomic { run sender(0); run sender(EACH) }
	nr == REQS
}
