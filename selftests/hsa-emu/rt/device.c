// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "code.h"
#include "device.h"
#include "report.h"

enum {
	THREADS_MAX = 16,
	/* Instructions of each wave before others have their turn */
	QUANTUM = 100000,
	/* How far a dispatch gets that is told to fail */
	QUANTUM_INJECT = 256,
	/* How long s_sleep is, in nanoseconds: the host wants the processor, too. */
	NAP = 50000,
};

/* A group that is begun, and waits for its turn */
struct turn {
	struct group *group;
	struct dispatch *dispatch;
	u64 wake;		/* not before this time */
	struct turn *next;
};

struct device {
	struct agent *agent;
	pthread_mutex_t lock;
	pthread_cond_t work;	/* there is something to execute */
	pthread_cond_t idle;	/* a dispatch is over */
	pthread_t threads[THREADS_MAX];
	unsigned int nr_threads;
	bool stop;
	struct dispatch *dispatches;
	struct turn *ready, **last_ready;
	struct turn *napping;
	bool prefer_new;
};

static u64 nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static void push(struct device *dev, struct turn *t)
{
	t->next = NULL;
	*dev->last_ready = t;
	dev->last_ready = &t->next;
	pthread_cond_signal(&dev->work);
}

static struct turn *pop(struct device *dev)
{
	struct turn *t = dev->ready;

	if (t) {
		dev->ready = t->next;
		if (!dev->ready)
			dev->last_ready = &dev->ready;
	}
	return t;
}

/* Those whose nap is over get in line; returns when the next one's is. */
static u64 wake_up(struct device *dev)
{
	struct turn **at = &dev->napping;
	u64 now = nanoseconds(), first = now + NAP;

	while (*at) {
		struct turn *t = *at;

		if (t->wake <= now || t->dispatch->cancelled) {
			*at = t->next;
			push(dev, t);
			continue;
		}
		if (t->wake < first)
			first = t->wake;
		at = &t->next;
	}
	return first;
}

/* What the groups that are begun leave of it: there may be some that never end. */
static u32 room(const struct device *dev)
{
	u32 taken = 0;

	for (const struct dispatch *d = dev->dispatches; d; d = d->list)
		taken += d->resident * d->share;
	return DEVICE_ROOM - taken;
}

/* Begin another group of some dispatch */
static struct turn *begin(struct device *dev)
{
	struct dispatch *d;
	struct turn *t;
	u32 left = room(dev);

	for (d = dev->dispatches; d; d = d->list)
		if (!d->cancelled && d->next < d->total && d->resident < d->max_resident &&
		    d->share <= left)
			break;
	if (!d)
		return NULL;
	t = calloc(1, sizeof(*t));
	if (!t)
		abort();
	t->group = group_create(&d->launch);
	if (!t->group)
		abort();
	t->dispatch = d;
	group_start(t->group, d->next++);
	d->resident++;
	return t;
}

/* By turns those that wait, and new ones */
static struct turn *pick(struct device *dev)
{
	struct turn *t = NULL;

	dev->prefer_new = !dev->prefer_new;
	if (dev->prefer_new)
		t = begin(dev);
	if (!t)
		t = pop(dev);
	return t ? t : begin(dev);
}

static void free_turn(struct turn *t)
{
	struct dispatch *d = t->dispatch;

	for (unsigned int k = 0; k < t->group->nr_waves; k++)
		for (unsigned int c = 0; c < CLASSES; c++)
			d->count[c] += t->group->waves[k].count[c];
	d->resident--;
	group_destroy(t->group);
	free(t);
}

/* With the lock held; nothing of it is executed any more */
static void end_dispatch(struct device *dev, struct dispatch *d)
{
	struct dispatch **at;
	struct queue *q = d->queue;

	for (at = &dev->dispatches; *at != d; at = &(*at)->list)
		;
	*at = d->list;
	kernel_account(d->kernel, d->launch.grid_size, d->count);
	kernel_release(d->kernel);
	if (d->completion)
		__atomic_sub_fetch(&d->completion->packets, 1, __ATOMIC_RELEASE);
	pthread_mutex_lock(&q->lock);
	q->running--;
	pthread_cond_broadcast(&q->cond);
	pthread_mutex_unlock(&q->lock);
	if (d->completion && !d->cancelled && signal_subtract(d->completion) <= 0)
		report("queue %u packet %lu: its completion signal was not above zero", q->number,
		       d->packet);
	free(d);
	pthread_cond_broadcast(&dev->idle);
}

static void cancel(struct device *dev, struct dispatch *d)
{
	if (d->cancelled)
		return;
	d->cancelled = true;
	if (!d->resident)
		end_dispatch(dev, d);
	pthread_cond_broadcast(&dev->work);
}

static hsa_status_t status_of(const struct fault *f)
{
	switch (f->kind) {
	case FAULT_INSN:
	case FAULT_REGISTER:
		return (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION;
	case FAULT_LDS:
		return (hsa_status_t)HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION;
	case FAULT_MEMORY:
		return (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT;
	default:
		return HSA_STATUS_ERROR_EXCEPTION;
	}
}

static void fail(struct device *dev, struct turn *t)
{
	const struct fault *f = &t->group->fault;
	struct dispatch *d = t->dispatch;
	const struct kernel *k = d->kernel;
	struct queue *q = d->queue;

	u64 offset = f->pc - k->code->program->base - 4 * (u64)k->entry;

	report("queue %u packet %lu, %s, work-group (%u,%u,%u) wave %u, %#lx: %s: %s", q->number,
	       d->packet, k->name, f->group[0], f->group[1], f->group[2], f->wave, offset,
	       f->insn, f->what);
	if (f->kind == FAULT_MEMORY)
		queue_fault(q, f->address, f->write);
	else
		queue_error(q, status_of(f));
	cancel(dev, d);
}

/* It got somewhere; now it fails as it was told to. */
static void fail_injected(struct device *dev, struct turn *t)
{
	struct dispatch *d = t->dispatch;

	switch (d->inject) {
	case INJECT_FAULT:
		queue_fault(d->queue, 0xdead000, false);
		break;
	case INJECT_ILLEGAL:
		queue_error(d->queue, (hsa_status_t)HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION);
		break;
	case INJECT_RESET:
	case INJECT_VANISH:
		queues_lose(dev->agent, d->inject == INJECT_RESET);
		break;
	case INJECT_NEGATIVE:
		if (d->completion)
			signal_fail(d->completion);
		break;
	default:
		/* Hangs: the group is gone, and the dispatch waits for it forever. */
		d->max_resident = 0;
		group_destroy(t->group);
		free(t);
		d->resident--;
		return;
	}
	cancel(dev, d);
	free_turn(t);
	if (!d->resident)
		end_dispatch(dev, d);
}

/* What became of a group's turn, with the lock held again */
static void after(struct device *dev, struct turn *t, enum stop stop)
{
	struct dispatch *d = t->dispatch;

	if (stop == STOP_FAULT)
		fail(dev, t);
	if (!d->cancelled && d->inject > INJECT_NONE && d->inject < INJECT_SLOW) {
		fail_injected(dev, t);
		return;
	}
	if (!d->cancelled && stop == STOP_END) {
		d->done++;
		if (d->next < d->total) {
			group_start(t->group, d->next++);
			push(dev, t);
			return;
		}
	} else if (!d->cancelled && stop == STOP_SLEEP) {
		t->wake = nanoseconds() + NAP;
		t->next = dev->napping;
		dev->napping = t;
		return;
	} else if (!d->cancelled) {
		push(dev, t);
		return;
	}
	free_turn(t);
	if (!d->resident && (d->cancelled || d->done == d->total))
		end_dispatch(dev, d);
}

static void sleep_until(struct device *dev, u64 when)
{
	struct timespec t = {
		.tv_sec = (time_t)(when / 1000000000),
		.tv_nsec = (long)(when % 1000000000),
	};

	if (dev->napping)
		pthread_cond_timedwait(&dev->work, &dev->lock, &t);
	else
		pthread_cond_wait(&dev->work, &dev->lock);
}

static void *work(void *arg)
{
	struct device *dev = arg;

	pthread_mutex_lock(&dev->lock);
	while (!dev->stop) {
		u64 when = wake_up(dev);
		struct turn *t = pick(dev);
		enum stop stop = STOP_BUDGET;

		if (!t) {
			sleep_until(dev, when);
			continue;
		}
		if (!t->dispatch->cancelled) {
			bool injected = t->dispatch->inject && t->dispatch->inject < INJECT_SLOW;

			pthread_mutex_unlock(&dev->lock);
			pthread_rwlock_rdlock(&dev->agent->aspace.lock);
			stop = group_run(t->group, injected ? QUANTUM_INJECT : QUANTUM);
			pthread_rwlock_unlock(&dev->agent->aspace.lock);
			pthread_mutex_lock(&dev->lock);
		}
		after(dev, t, stop);
	}
	pthread_mutex_unlock(&dev->lock);
	return NULL;
}

void device_launch(struct device *dev, struct dispatch *d)
{
	struct dispatch **at;

	pthread_mutex_lock(&dev->lock);
	for (at = &dev->dispatches; *at; at = &(*at)->list)
		;
	d->list = NULL;
	*at = d;
	pthread_cond_broadcast(&dev->work);
	pthread_mutex_unlock(&dev->lock);
}

static struct dispatch *one_of(struct device *dev, const struct queue *q)
{
	for (struct dispatch *d = dev->dispatches; d; d = d->list)
		if (d->queue == q)
			return d;
	return NULL;
}

void device_cancel(struct device *dev, struct queue *q)
{
	struct dispatch *d, *next;

	pthread_mutex_lock(&dev->lock);
	for (d = dev->dispatches; d; d = next) {
		next = d->list;
		if (d->queue == q)
			cancel(dev, d);
	}
	while (one_of(dev, q))
		pthread_cond_wait(&dev->idle, &dev->lock);
	pthread_mutex_unlock(&dev->lock);
}

struct device *device_create(struct agent *a)
{
	const char *threads = getenv("HSA_EMU_THREADS");
	struct device *dev = calloc(1, sizeof(*dev));
	unsigned long nr = threads ? strtoul(threads, NULL, 10) : 2;
	pthread_condattr_t attr;

	if (!dev)
		abort();
	dev->agent = a;
	dev->last_ready = &dev->ready;
	pthread_mutex_init(&dev->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&dev->work, &attr);
	pthread_cond_init(&dev->idle, NULL);
	pthread_condattr_destroy(&attr);
	for (nr = nr < 1 ? 1 : nr; dev->nr_threads < nr && dev->nr_threads < THREADS_MAX;)
		if (pthread_create(&dev->threads[dev->nr_threads++], NULL, work, dev))
			abort();
	return dev;
}

void device_destroy(struct device *dev)
{
	pthread_mutex_lock(&dev->lock);
	dev->stop = true;
	pthread_cond_broadcast(&dev->work);
	pthread_mutex_unlock(&dev->lock);
	for (unsigned int k = 0; k < dev->nr_threads; k++)
		pthread_join(dev->threads[k], NULL);
	pthread_cond_destroy(&dev->work);
	pthread_cond_destroy(&dev->idle);
	pthread_mutex_destroy(&dev->lock);
	free(dev);
}
