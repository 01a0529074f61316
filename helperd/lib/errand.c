// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "lib/clock.h"
#include "lib/errand.h"

/**
 * struct errand - a thread, and what it is to do
 * @run: that
 * @done: what is left to do if nobody waits for it
 * @context: for both
 * @ended: it has
 * @left: nobody waits for it
 */
struct errand {
	void (*run)(void *context);
	void (*done)(void *context);
	void *context;
	bool ended;
	bool left;
};

/* Guards the last two of each, and how many were left. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned int nr_left;

/* Where errands may run; none: where who sends them may */
static cpu_set_t cpus;

void errand_setup(void)
{
	sched_getaffinity(0, sizeof(cpus), &cpus);
}

bool errand_apart(void)
{
	return CPU_COUNT(&cpus);
}

static void *errand_main(void *arg)
{
	struct errand *e = arg;
	bool left;

	sched_setaffinity(0, sizeof(cpus), &cpus);
	e->run(e->context);
	pthread_mutex_lock(&lock);
	e->ended = true;
	left = e->left;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	if (!left)
		return NULL;
	e->done(e->context);
	free(e);
	pthread_mutex_lock(&lock);
	nr_left--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return NULL;
}

struct errand *errand_start(void (*run)(void *context), void (*done)(void *context),
			    void *context)
{
	struct errand *e = malloc(sizeof(*e));
	pthread_attr_t attr;
	pthread_t thread;
	int err;

	if (!e)
		return NULL;
	*e = (struct errand) { .run = run, .done = done, .context = context };
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	err = pthread_create(&thread, &attr, errand_main, e);
	pthread_attr_destroy(&attr);
	if (!err)
		return e;
	free(e);
	return NULL;
}

/* Wait until something is so, with the lock held; false: it is not, after so long */
static bool await(uint64_t ns, bool (*is)(const void *of), const void *of)
{
	uint64_t end = clock_ns() + ns;
	struct timespec ts = {
		.tv_sec = end / NSEC_PER_SEC,
		.tv_nsec = end % NSEC_PER_SEC,
	};
	int err = 0;

	while (!is(of) && !err)
		err = pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &ts);
	return is(of);
}

static bool has_ended(const void *of)
{
	return ((const struct errand *)of)->ended;
}

bool errand_join(struct errand *e, uint64_t ns)
{
	bool ended;

	pthread_mutex_lock(&lock);
	ended = await(ns, has_ended, e);
	pthread_mutex_unlock(&lock);
	if (ended)
		free(e);
	return ended;
}

void errand_leave(struct errand *e)
{
	bool ended;

	pthread_mutex_lock(&lock);
	ended = e->ended;
	e->left = true;
	nr_left += !ended;
	pthread_mutex_unlock(&lock);
	if (!ended)
		return;
	e->done(e->context);
	free(e);
}

static bool all_back(const void *of)
{
	return !*(const unsigned int *)of;
}

bool errands_join(uint64_t ns)
{
	bool all;

	pthread_mutex_lock(&lock);
	all = await(ns, all_back, &nr_left);
	pthread_mutex_unlock(&lock);
	return all;
}
