// SPDX-License-Identifier: GPL-2.0-only
/*
 * One worker in the driver at a time.
 *
 * Drivers let one thread in, and put others to sleep for longer than what they wait
 * for takes. So nobody waits: whoever is in there makes the calls of those that
 * come meanwhile, too, and they have time for something else.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "backends/opencl/opencl.h"

bool opencl_enter(struct opencl_session *session)
{
	return !__atomic_load_n(&session->entered, __ATOMIC_SEQ_CST) &&
	       !__atomic_exchange_n(&session->entered, true, __ATOMIC_SEQ_CST);
}

/* What waits, in the order in which it came. */
static struct flight *take_waiting(struct opencl_session *session)
{
	struct flight *last = __atomic_exchange_n(&session->waiting, NULL,
						  __ATOMIC_SEQ_CST);
	struct flight *first = NULL;

	while (last) {
		struct flight *f = last;

		last = f->next;
		f->next = first;
		first = f;
	}
	return first;
}

/* Once it is sent it is its owner's again. */
static void send_waiting(struct opencl_session *session)
{
	struct flight *next;

	for (struct flight *f = take_waiting(session); f; f = next) {
		next = f->next;
		f->failed = f->owner->way->send(f->owner, f);
		__atomic_store_n(&f->unsent, false, __ATOMIC_RELEASE);
	}
}

/*
 * Who finds somebody in there has added his flight before, and who leaves looks for
 * flights afterwards: one of them sees the other.
 */
void opencl_leave(struct opencl_session *session)
{
	do {
		send_waiting(session);
		__atomic_store_n(&session->entered, false, __ATOMIC_SEQ_CST);
	} while (__atomic_load_n(&session->waiting, __ATOMIC_SEQ_CST) &&
		 opencl_enter(session));
}

void opencl_send(struct flight *f)
{
	struct opencl_session *session = f->owner->session;

	f->next = __atomic_load_n(&session->waiting, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&session->waiting, &f->next, f, true,
					    __ATOMIC_SEQ_CST,
					    __ATOMIC_RELAXED))
		;
	if (opencl_enter(session))
		opencl_leave(session);
}
