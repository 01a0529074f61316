// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "lib/clock.h"
#include "lib/errand.h"
#include "lib/log.h"
#include "sched/revive.h"

/* The wait is doubled up to this factor. */
#define LONGEST		64

/* How soon to look again whether another worker has opened it, or cannot */
#define BUSY_NS		(NSEC_PER_SEC / 10)

/* By how much it grows each time that the device hangs, which costs memory */
#define HUNG_AGAIN	8

/*
 * So long is waited for a device that was there a moment ago; and for one that is to be
 * done with, which is the others' time: packets wait meanwhile.
 */
#define OPEN_NS		(2 * NSEC_PER_SEC)
#define LEAVE_NS	(NSEC_PER_SEC / 4)

/**
 * struct attempts - attempts to open a device, or one to close it
 * @dev: the device
 * @ch: channel
 * @first_ns: wait before the first attempt after one that failed
 * @wait_ns: before the next; doubled after each that failed
 * @next_at: when that is, in ns
 * @errand: makes them
 * @lock: for @changed, and guards the next two
 * @changed: one of them has
 * @stop: it is to end
 * @tried: there has been one
 * @fresh: what it opened, until it is fetched
 * @old: what it closes
 */
struct attempts {
	struct device *dev;
	struct channel *ch;
	uint64_t first_ns;
	uint64_t wait_ns;
	uint64_t next_at;
	struct errand *errand;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool stop;
	bool tried;
	struct backend *fresh;
	struct backend *old;
};

void revive_init(struct revive *r, struct device *dev,
		 struct channel *ch, uint64_t first_ns)
{
	*r = (struct revive) { .dev = dev, .ch = ch, .first_ns = first_ns };
}

static struct attempts *attempts_alloc(const struct revive *r)
{
	struct attempts *a = calloc(1, sizeof(*a));
	pthread_condattr_t attr;

	if (!a)
		return NULL;
	a->dev = r->dev;
	a->ch = r->ch;
	a->first_ns = r->first_ns;
	pthread_mutex_init(&a->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&a->changed, &attr);
	pthread_condattr_destroy(&attr);
	device_hold(a->dev);
	channel_hold(a->ch);
	return a;
}

static void close_on(struct channel *ch, struct backend *be)
{
	if (!be->ops->close(be))
		channel_keep(ch);
}

static void attempts_free(void *context)
{
	struct attempts *a = context;

	if (a->fresh)
		close_on(a->ch, a->fresh);
	channel_release(a->ch);
	device_release(a->dev);
	pthread_cond_destroy(&a->changed);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

/* Wait for so long, or until something has changed; false: so long it was. */
static bool rest(struct attempts *a, const bool *changed, uint64_t ns)
{
	uint64_t end = clock_ns() + ns;
	struct timespec ts = {
		.tv_sec = end / NSEC_PER_SEC,
		.tv_nsec = end % NSEC_PER_SEC,
	};
	int err = 0;
	bool has;

	pthread_mutex_lock(&a->lock);
	while (!*changed && !err)
		err = pthread_cond_timedwait(&a->changed, &a->lock, &ts);
	has = *changed;
	pthread_mutex_unlock(&a->lock);
	return has;
}

static void note(struct attempts *a, bool *changed)
{
	pthread_mutex_lock(&a->lock);
	*changed = true;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
}

/* false: it is to end. */
static bool wait_for_next(struct attempts *a)
{
	uint64_t now = clock_ns();

	/* Workers that wait for the same device do for about as long. */
	__atomic_store_n(&a->dev->retry_at, a->next_at, __ATOMIC_RELAXED);
	return !rest(a, &a->stop, a->next_at > now ? a->next_at - now : 0);
}

/* How long to wait after one more failure */
static uint64_t longer(uint64_t wait_ns, uint64_t first_ns)
{
	return wait_ns < first_ns ? first_ns :
	       wait_ns < first_ns * LONGEST ? 2 * wait_ns : wait_ns;
}

static void attempts_make(void *context)
{
	struct attempts *a = context;
	struct backend *be = NULL;
	int err;

	while (!be && !device_given_up(a->dev) && wait_for_next(a)) {
		errno = 0;
		be = a->dev->ops->open(a->dev, a->ch);
		err = errno;
		__atomic_store_n(&a->fresh, be, __ATOMIC_RELEASE);
		note(a, &a->tried);
		/* That another worker was just opening it says nothing of it. */
		if (!be && err != EBUSY)
			a->wait_ns = longer(a->wait_ns, a->first_ns);
		a->next_at = clock_ns() + (err == EBUSY ? BUSY_NS : a->wait_ns);
	}
}

static void begin(struct revive *r, uint64_t wait_ns, uint64_t next_at)
{
	struct attempts *a = attempts_alloc(r);

	if (a) {
		a->wait_ns = wait_ns;
		a->next_at = next_at;
		a->errand = errand_start(attempts_make, attempts_free, a);
	}
	if (a && !a->errand) {
		attempts_free(a);
		a = NULL;
	}
	if (!a)
		log_warn("cannot try backend %s again yet: no thread",
			 r->dev->ops->name);
	r->attempts = a;
	r->begun_at = clock_ns();
}

/* How long to wait for a device that has failed */
static uint64_t wait_for(const struct revive *r)
{
	uint64_t waited = __atomic_load_n(&r->dev->waited_ns, __ATOMIC_RELAXED);
	uint64_t opened = __atomic_load_n(&r->dev->opened_at, __ATOMIC_RELAXED);
	unsigned int hangs = __atomic_load_n(&r->dev->hangs, __ATOMIC_RELAXED);
	uint64_t hung = r->first_ns, ns = r->first_ns;

	if (clock_ns() - opened < waited)
		ns = longer(waited, r->first_ns);
	for (; hangs > 1 && hung < LONGEST * r->first_ns; hangs--)
		hung *= HUNG_AGAIN;
	return hung > ns ? hung : ns;
}

void revive_start(struct revive *r)
{
	uint64_t ns = wait_for(r);

	if (device_given_up(r->dev))
		return;
	begin(r, ns, clock_ns() + ns);
}

/* Go on where others had got to that have waited for it. */
static void resume(struct revive *r)
{
	uint64_t ns = wait_for(r), now = clock_ns();
	uint64_t at = __atomic_load_n(&r->dev->retry_at, __ATOMIC_RELAXED);

	if (at > now)
		begin(r, ns, at - now < LONGEST * r->first_ns ? at : now + ns);
	else if (__atomic_load_n(&r->dev->opened_at, __ATOMIC_RELAXED))
		begin(r, ns, now + ns);
	else
		begin(r, 0, now);
}

/* One that was not waited for was there before, or is for the first time. */
static void note_opened(struct device *dev, uint64_t wait_ns)
{
	if (!wait_ns && __atomic_load_n(&dev->opened_at, __ATOMIC_RELAXED))
		return;
	__atomic_store_n(&dev->waited_ns, wait_ns, __ATOMIC_RELAXED);
	__atomic_store_n(&dev->opened_at, clock_ns(), __ATOMIC_RELAXED);
}

/* What was opened, by a thread that has no more to do: it ends within that time. */
static struct backend *get(struct revive *r, uint64_t ns)
{
	struct attempts *a = r->attempts;
	struct backend *be;

	if (!a || !__atomic_load_n(&a->fresh, __ATOMIC_ACQUIRE) ||
	    !errand_join(a->errand, ns))
		return NULL;
	be = a->fresh;
	a->fresh = NULL;
	note_opened(r->dev, a->wait_ns);
	r->attempts = NULL;
	attempts_free(a);
	__atomic_store_n(&r->dev->stuck, false, __ATOMIC_RELAXED);
	return be;
}

struct backend *revive_get(struct revive *r)
{
	if (!r->attempts && !device_given_up(r->dev) &&
	    clock_ns() - r->begun_at >= r->first_ns)
		revive_start(r);
	return get(r, 0);
}

struct backend *revive_open(struct revive *r)
{
	struct attempts *a;

	if (device_given_up(r->dev))
		return NULL;
	if (r->dev->ops->there && !r->dev->ops->there(r->dev)) {
		resume(r);
		return NULL;
	}
	begin(r, 0, clock_ns());
	a = r->attempts;
	if (!a)
		return NULL;
	if (!rest(a, &a->tried, OPEN_NS))
		log_warn("device %s: its driver takes long: the CPU does its work until it is there",
			 r->dev->name);
	return get(r, OPEN_NS);
}

/* Its attempts have been told to end, or there is nothing to tell; false: it was left. */
static bool join(struct attempts *a)
{
	struct device *dev = a->dev;
	bool stuck = __atomic_load_n(&dev->stuck, __ATOMIC_RELAXED);

	if (errand_join(a->errand, stuck ? 0 : LEAVE_NS))
		return true;
	if (!stuck)
		log_warn("device %s: its driver takes long, and is waited for no longer",
			 dev->name);
	__atomic_store_n(&dev->stuck, true, __ATOMIC_RELAXED);
	errand_leave(a->errand);
	return false;
}

void revive_exit(struct revive *r)
{
	struct attempts *a = r->attempts;
	struct backend *be;

	r->attempts = NULL;
	if (!a)
		return;
	note(a, &a->stop);
	if (!join(a))
		return;
	be = a->fresh;
	a->fresh = NULL;
	attempts_free(a);
	if (be)
		revive_close(r, be);
}

static void attempt_to_close(void *context)
{
	struct attempts *a = context;

	close_on(a->ch, a->old);
}

void revive_close(struct revive *r, struct backend *be)
{
	struct attempts *a = attempts_alloc(r);

	if (a) {
		a->old = be;
		a->errand = errand_start(attempt_to_close, attempts_free, a);
	}
	if (!a || !a->errand)
		close_on(r->ch, be);
	if (a && (!a->errand || join(a)))
		attempts_free(a);
}
