// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing to do, for now or for a while.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <string.h>

#include "lib/clock.h"
#include "lib/log.h"
#include "worker/state.h"

/*
 * Longest sleep. Work, a new key epoch and worker_stop() all end it early;
 * this bounds the harm of a wake-up that was lost.
 */
#define SLEEP_MAX_NS	(1 * NSEC_PER_SEC)

/* Likewise, while a device is not done with keys that it is to have, or to have no more. */
#define SLEEP_KEYS_NS	(1 * NSEC_PER_MSEC)

/*
 * As long as a device has packets for so long, and there is nothing else to do,
 * sleep for half of that. Work ends this early, too; so at the end it is polled.
 */
#define DOZE_MIN_NS	(200 * NSEC_PER_USEC)

/* How long may it sleep, if at all? A bell that is to be rung keeps it awake, and one that
 * was rung wakes it should it have been lost.
 */
static uint64_t sleep_ns(const struct worker *w, uint64_t now)
{
	uint64_t longest = SLEEP_MAX_NS;

	if (w->offload && offload_keys_pending(w->offload))
		longest = SLEEP_KEYS_NS;
	for (uint32_t i = 0; i < w->nr; i++) {
		const struct bell *b = &w->bells[w->mine[i]];
		uint64_t ns;

		if (!b->waiting)
			continue;
		if (!b->outstanding || b->coming || now - b->rung >= b->again)
			return 0;
		ns = clock_ns_of(b->rung + b->again - now);
		if (ns < longest)
			longest = ns;
	}
	return longest;
}

static enum worker_end sleep_until_work(struct worker *w, uint64_t now, uint64_t ns)
{
	struct wavecrypt_wait wait = {
		.seen = (uintptr_t)w->seen,
		.nr = w->nr,
		.key_epoch = w->key_epoch,
		.timeout_ns = ns,
	};
	struct crew_member *me = &w->crew->members[w->seat];
	int err = -EINTR;

	for (uint32_t i = 0; i < wait.nr; i++) {
		w->seen[i].queue = w->queues[w->mine[i]].id;
		w->seen[i].tail = w->queues[w->mine[i]].head;
	}
	count(&w->stats.sleeps, 1);
	__atomic_store_n(&me->since, now, __ATOMIC_RELAXED);
	__atomic_store_n(&me->asleep, true, __ATOMIC_SEQ_CST);
	/* Whoever gives it something after this sees that it sleeps. */
	if (!__atomic_load_n(&me->mail, __ATOMIC_SEQ_CST))
		err = w->config.ch->ops->wait(w->config.ch, &wait);
	__atomic_store_n(&me->asleep, false, __ATOMIC_RELAXED);
	switch (err) {
	case 0:
		count(&w->stats.wakeups, 1);
		return WORKER_RUNNING;
	case -ETIME:
	case -EINTR:
	/* The channel's state says more, or is about to. */
	case -ESHUTDOWN:
	case -ENOTCONN:
		return WORKER_RUNNING;
	default:
		log_err("waiting for work: %s", strerror(-err));
		return WORKER_FAILED;
	}
}

static void relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

enum worker_end worker_rest(struct worker *w, uint64_t now)
{
	uint64_t ns = 0;

	if (now - w->idle_since >= w->spin && w->gave_to == CREW_NOBODY)
		ns = sleep_ns(w, now);
	if (ns)
		return sleep_until_work(w, now, ns);
	relax();
	return WORKER_RUNNING;
}

enum worker_end worker_doze(struct worker *w, uint64_t now)
{
	double left = w->offload->finish - clock_ns_of(now);
	uint64_t ns = 0;

	if (!w->bins.nr && !w->offload->refused.nr && left >= DOZE_MIN_NS)
		ns = sleep_ns(w, now);
	if (!ns)
		return WORKER_RUNNING;
	return sleep_until_work(w, now, ns < left / 2 ? ns : left / 2);
}
