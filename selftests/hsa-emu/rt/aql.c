// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * The packet processor of a queue
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code.h"
#include "device.h"
#include "packet.h"
#include "queue.h"
#include "report.h"

static u8 *place(const struct queue *q, u64 packet)
{
	return q->ring + (packet & (q->hw.hsa_queue.size - 1)) * PACKET_SIZE;
}

static u16 load_header(const struct queue *q, u64 packet)
{
	return __atomic_load_n((const u16 *)(const void *)place(q, packet), __ATOMIC_ACQUIRE);
}

/* The packet's place is the host's again. */
static void give_back(struct queue *q, u64 packet)
{
	__atomic_store_n((u16 *)(void *)place(q, packet), HSA_PACKET_TYPE_INVALID,
			 __ATOMIC_RELEASE);
	__atomic_store_n(&q->hw.read_dispatch_id, packet + 1, __ATOMIC_RELEASE);
}

/* Waits until the queue has nothing running; false if it is to do no more. */
static bool wait_for_earlier(struct queue *q)
{
	bool goes_on;

	pthread_mutex_lock(&q->lock);
	while (q->running && !q->stop && q->state == QUEUE_ACTIVE)
		pthread_cond_wait(&q->cond, &q->lock);
	goes_on = !q->stop && q->state == QUEUE_ACTIVE;
	pthread_mutex_unlock(&q->lock);
	return goes_on;
}

static void count_running(struct queue *q, int by)
{
	pthread_mutex_lock(&q->lock);
	q->running += (unsigned int)by;
	pthread_mutex_unlock(&q->lock);
}

static bool goes_on(struct queue *q)
{
	bool on;

	pthread_mutex_lock(&q->lock);
	on = !q->stop && q->state == QUEUE_ACTIVE;
	pthread_mutex_unlock(&q->lock);
	return on;
}

static u32 scope(u16 header, unsigned int shift)
{
	return header >> shift & 3;
}

/*
 * What the host wrote is visible once something has acquired it, at system
 * scope and after it was written: this packet, or one right before it.
 */
static bool acquire(struct queue *q, u64 packet, u16 header)
{
	u32 published = q->published[packet & (q->hw.hsa_queue.size - 1)];

	if (scope(header, HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE) == HSA_FENCE_SCOPE_SYSTEM)
		q->acquired = race_tick();
	if (q->acquired > published)
		return true;
	report("queue %u packet %lu: acquires at less than system scope what the host wrote",
	       q->number, packet);
	return false;
}

static struct signal *completion(struct queue *q, u64 packet, u16 header, hsa_signal_t handle,
				 bool *good)
{
	struct signal *s = signal_find(handle);

	*good = true;
	if (!handle.handle)
		return NULL;
	if (!s || s->doorbell) {
		report("queue %u packet %lu: completion signal %#lx is none", q->number, packet,
		       handle.handle);
		*good = false;
	} else if (scope(header, HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE) !=
		   HSA_FENCE_SCOPE_SYSTEM) {
		report("queue %u packet %lu: completes a signal at less than system scope",
		       q->number, packet);
		*good = false;
	}
	return s;
}

/* How the dispatch is ordered with what ran before it */
static void order(const struct queue *q, u64 packet, bool barrier, struct race_launch *r)
{
	static u32 ids;

	r->id = __atomic_add_fetch(&ids, 1, __ATOMIC_RELAXED);
	r->queue = q->number;
	r->start = q->published[packet & (q->hw.hsa_queue.size - 1)];
	if (q->floor > r->start)
		r->start = q->floor;
	r->start_queue = barrier ? race_tick() : r->start;
	race_name(r);
}

static hsa_status_t launch(struct queue *q, u64 packet, u16 header,
			   const hsa_kernel_dispatch_packet_t *p)
{
	const struct kernel *k = kernel_hold(p->kernel_object, q->agent);
	struct dispatch *d = calloc(1, sizeof(*d));
	unsigned int microseconds = 0;
	hsa_status_t status;
	bool good;

	if (!d)
		abort();
	status = packet_check(q, packet, p, k);
	d->completion = completion(q, packet, header, p->completion_signal, &good);
	if (!status && (!good || !acquire(q, packet, header)))
		status = HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
	if (status) {
		if (k)
			kernel_release(k);
		free(d);
		return status;
	}
	d->queue = q;
	d->kernel = k;
	d->packet = packet;
	d->inject = inject_packet(q->agent->node, &microseconds);
	if (microseconds)
		usleep(microseconds);
	packet_launch(q, packet, p, k, d);
	order(q, packet, header >> HSA_PACKET_HEADER_BARRIER & 1, &d->launch.race);
	if (d->completion)
		__atomic_add_fetch(&d->completion->packets, 1, __ATOMIC_ACQUIRE);
	count_running(q, 1);
	device_launch(q->agent->device, d);
	/* The kernel reads the packet itself: until then it has to stay. */
	if (k->properties & KERNEL_DISPATCH_PTR)
		wait_for_earlier(q);
	return HSA_STATUS_SUCCESS;
}

static bool depends(const hsa_signal_t *deps, bool all)
{
	bool any = false, none_left = true, named = false;

	for (unsigned int n = 0; n < 5; n++) {
		const struct signal *s = signal_find(deps[n]);
		bool done;

		if (!deps[n].handle)
			continue;
		named = true;
		done = !s || signal_value(s) == 0;
		any = any || done;
		none_left = none_left && done;
	}
	return !named || (all ? none_left : any);
}

static hsa_status_t barrier(struct queue *q, u64 packet, u16 header,
			    const hsa_barrier_and_packet_t *p, bool all)
{
	struct signal *s;
	bool good;

	if (p->reserved0 || p->reserved1 || p->reserved2) {
		report("queue %u packet %lu: reserved fields are not zero", q->number, packet);
		return HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
	}
	s = completion(q, packet, header, p->completion_signal, &good);
	for (unsigned int n = 0; n < 5; n++)
		if (p->dep_signal[n].handle && !signal_find(p->dep_signal[n])) {
			report("queue %u packet %lu: depends on %#lx, which is no signal",
			       q->number, packet, p->dep_signal[n].handle);
			good = false;
		}
	if (!good)
		return HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
	count_running(q, 1);
	while (goes_on(q) && !depends(p->dep_signal, all))
		signal_sleep();
	count_running(q, -1);
	if (!goes_on(q))
		return HSA_STATUS_SUCCESS;
	q->floor = race_tick();
	if (scope(header, HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE) == HSA_FENCE_SCOPE_SYSTEM)
		q->acquired = race_tick();
	if (s && signal_subtract(s) <= 0)
		report("queue %u packet %lu: its completion signal was not above zero", q->number,
		       packet);
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t process(struct queue *q, u64 packet, u16 header)
{
	union {
		hsa_kernel_dispatch_packet_t dispatch;
		hsa_barrier_and_packet_t barrier;
	} p;
	hsa_status_t status;

	status = packet_check_header(q, packet, header);
	if (status)
		return status;
	if (header >> HSA_PACKET_HEADER_BARRIER & 1 && !wait_for_earlier(q))
		return HSA_STATUS_SUCCESS;
	memcpy(&p, place(q, packet), sizeof(p));
	switch (header & 255) {
	case HSA_PACKET_TYPE_KERNEL_DISPATCH:
		return launch(q, packet, header, &p.dispatch);
	case HSA_PACKET_TYPE_BARRIER_AND:
		return barrier(q, packet, header, &p.barrier, true);
	default:
		return barrier(q, packet, header, &p.barrier, false);
	}
}

/* Waits for a packet; false when there will be none. */
static bool wait_for_packet(struct queue *q, u64 packet)
{
	bool there;

	pthread_mutex_lock(&q->lock);
	while (!q->stop && (q->state != QUEUE_ACTIVE || packet >= q->rung ||
			    (load_header(q, packet) & 255) == HSA_PACKET_TYPE_INVALID))
		pthread_cond_wait(&q->cond, &q->lock);
	there = !q->stop;
	if (there)
		q->begun = packet + 1;
	pthread_mutex_unlock(&q->lock);
	return there;
}

void *aql_run(void *arg)
{
	struct queue *q = arg;

	for (u64 packet = 0; wait_for_packet(q, packet); packet++) {
		hsa_status_t status = process(q, packet, load_header(q, packet));

		if (status)
			queue_error(q, status);
		else if (goes_on(q))
			give_back(q, packet);
	}
	return NULL;
}
