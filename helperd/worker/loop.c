// SPDX-License-Identifier: GPL-2.0-only
/*
 * The polling loop: take, sort, work, publish, ring; sleep when there is
 * nothing to do.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/log.h"
#include "worker/state.h"

/* One step of work with what is in the bins. false: there was none. */
static bool step(struct worker *w, uint64_t now, bool more)
{
	struct bins *b = &w->bins;
	bool moved = false;

	if (w->offload) {
		struct offload *o = w->offload;

		moved = worker_drive(w, now);
		if (!o->refused.nr && b->nr && offload_lanes(o))
			offload_lanes_take(o, b, w->config.batch_max);
		b = &o->refused;
		more = false;
	}
	return (b->nr && worker_lanes(w, b, more)) || moved;
}

/* Stalls may come many times a second. */
static void tell_stall(struct worker *w)
{
	struct worker_stalls *stalls = &w->stalls;
	uint64_t now = clock_ticks();

	stalls->told = !clock_ahead(stalls->tell_at, now, clock_ticks_of(WORKER_TELL_NS));
	if (!stalls->told) {
		stalls->untold++;
		return;
	}
	stalls->tell_at = now + clock_ticks_of(WORKER_TELL_NS);
	if (stalls->untold)
		log_warn("the module gave up waiting for us (and %llu times before, since this was last said) and did our work itself; catching up",
			 (unsigned long long)stalls->untold);
	else
		log_warn("the module gave up waiting for us and did our work itself; catching up");
	stalls->untold = 0;
}

/* Has the channel changed in a way that matters? */
static enum worker_end check_channel(struct worker *w)
{
	uint32_t state = channel_state(w->config.ch);
	uint32_t epoch = channel_key_epoch(w->config.ch);

	if (epoch != w->key_epoch) {
		w->key_epoch = epoch;
		w->lanes->ops->keys_changed(w->lanes);
		if (w->offload)
			offload_keys_changed(w->offload);
		crew_stir(w->crew);
	}
	if (state == w->state)
		return WORKER_RUNNING;
	w->state = state;
	switch (state) {
	case WAVECRYPT_STATE_LIVE:
		if (w->config.lead && w->stalls.told)
			log_notice("the channel is live again");
		return WORKER_RUNNING;
	case WAVECRYPT_STATE_STALLED:
		if (w->config.lead)
			tell_stall(w);
		return WORKER_RUNNING;
	case WAVECRYPT_STATE_DETACHED:
		return WORKER_DETACHED;
	default:
		return WORKER_BROKEN;
	}
}

static bool stopping(const struct worker *w)
{
	return __atomic_load_n(&w->stop, __ATOMIC_RELAXED);
}

static bool holds_any(const struct worker *w)
{
	const struct offload *o = w->offload;

	return w->bins.nr || (o && (o->refused.nr || o->in_flight));
}

static void step_aside(struct worker *w)
{
	cpu_set_t to;

	if (aside_due(&w->aside) &&
	    aside_choose(&w->aside, sched_getcpu(), &to) &&
	    !sched_setaffinity(0, sizeof(to), &to))
		count(&w->stats.moves, 1);
}

/* One turn of the loop. */
static enum worker_end turn(struct worker *w)
{
	enum worker_end end = check_channel(w);
	bool more = false, moved, idle;
	uint64_t now;
	int taken = 0;

	if (end != WORKER_RUNNING)
		return end;
	count(&w->stats.turns, 1);
	worker_follow(w, w->turned);
	if (w->offload)
		offload_tend(w->offload);
	if (!stopping(w))
		taken = worker_take(w, &more);
	else if (!holds_any(w))
		return WORKER_STOPPED;
	if (taken < 0) {
		log_err("queue with impossible contents");
		return WORKER_BROKEN;
	}
	idle = !taken && !holds_any(w);
	worker_ring(w, idle, w->turned);
	if (idle) {
		end = worker_rest(w, w->turned);
		w->turned = clock_ticks();
		return end;
	}

	moved = step(w, w->turned, more) || taken;
	now = clock_ticks();
	worker_publish(w, now);
	if (moved) {
		count(&w->stats.busy_ticks, now - w->turned);
		count(&w->stats.times[worker_range(clock_ns_of(now - w->turned),
						   WORKER_TIME_FIRST,
						   WORKER_TIMES)], 1);
	}
	w->turned = now;
	step_aside(w);
	w->idle_since = now;
	if (!w->offload)
		return WORKER_RUNNING;
	if (offload_hung(w->offload))
		return WORKER_HUNG;
	return moved || !w->offload->in_flight ? WORKER_RUNNING : worker_doze(w, now);
}

void *worker_main(void *arg)
{
	struct worker *w = arg;
	enum worker_end end;
	uint64_t one = 1;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, WORKER_SIGNAL);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	w->turned = clock_ticks();
	w->idle_since = w->turned;
	worker_follow_begin(w, w->turned);
	do {
		end = turn(w);
	} while (end == WORKER_RUNNING);
	worker_follow_end(w);
	if (end == WORKER_STOPPED)
		worker_ring_all(w);
	if (w->offload)
		worker_leave(w);
	__atomic_store_n(&w->end, end, __ATOMIC_RELEASE);
	if (w->config.end_fd >= 0 &&
	    write(w->config.end_fd, &one, sizeof(one)) < 0)
		log_err("cannot report the end of a worker: %s",
			strerror(errno));
	return NULL;
}
