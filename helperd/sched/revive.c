// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "lib/clock.h"
#include "lib/log.h"
#include "sched/revive.h"

/* The wait is doubled up to this factor. */
#define LONGEST		64

void revive_init(struct revive *r, struct device *dev,
		 const struct channel *ch, uint64_t first_ns)
{
	pthread_condattr_t attr;

	memset(r, 0, sizeof(*r));
	r->dev = dev;
	r->ch = ch;
	r->first_ns = first_ns;
	pthread_mutex_init(&r->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&r->changed, &attr);
	pthread_condattr_destroy(&attr);
}

/* Wait for so long; false: it is to end. */
static bool rest(struct revive *r, uint64_t ns)
{
	uint64_t end = clock_ns() + ns;
	struct timespec ts = {
		.tv_sec = end / NSEC_PER_SEC,
		.tv_nsec = end % NSEC_PER_SEC,
	};
	int err = 0;
	bool stop;

	/* Workers that wait for the same device do for about as long. */
	__atomic_store_n(&r->dev->retry_at, end, __ATOMIC_RELAXED);
	pthread_mutex_lock(&r->lock);
	while (!r->stop && !err)
		err = pthread_cond_timedwait(&r->changed, &r->lock, &ts);
	stop = r->stop;
	pthread_mutex_unlock(&r->lock);
	return !stop;
}

static void *revive_main(void *arg)
{
	struct revive *r = arg;
	struct backend *be = NULL;

	r->wait_ns = r->first_ns;
	while (!be && rest(r, r->wait_ns)) {
		errno = 0;
		be = r->dev->ops->open(r->dev, r->ch);
		/* That another worker was just opening it says nothing of it. */
		if (!be && errno != EBUSY && r->wait_ns < r->first_ns * LONGEST)
			r->wait_ns *= 2;
	}
	__atomic_store_n(&r->fresh, be, __ATOMIC_RELEASE);
	return NULL;
}

void revive_start(struct revive *r)
{
	r->running = !pthread_create(&r->thread, NULL, revive_main, r);
	if (!r->running)
		log_warn("cannot try backend %s again: no thread",
			 r->dev->ops->name);
}

struct backend *revive_get(struct revive *r)
{
	struct backend *be = __atomic_load_n(&r->fresh, __ATOMIC_ACQUIRE);

	if (!be)
		return NULL;
	pthread_join(r->thread, NULL);
	r->running = false;
	r->fresh = NULL;
	return be;
}

void revive_exit(struct revive *r)
{
	struct backend *be;

	if (r->running) {
		pthread_mutex_lock(&r->lock);
		r->stop = true;
		pthread_cond_signal(&r->changed);
		pthread_mutex_unlock(&r->lock);
		pthread_join(r->thread, NULL);
		be = r->fresh;
		if (be)
			be->ops->close(be);
	}
	pthread_cond_destroy(&r->changed);
	pthread_mutex_destroy(&r->lock);
}
