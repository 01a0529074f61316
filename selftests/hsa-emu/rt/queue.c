// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device.h"
#include "queue.h"
#include "report.h"
#include "runtime.h"

enum { EVENT_SHUTDOWN = 3 };	/* later than Debian 12's headers */

static struct {
	pthread_mutex_t lock;
	struct queue *first;
	unsigned int numbers;
} queues = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct {
	pthread_mutex_t lock;
	hsa_amd_system_event_callback_t function;
	void *data;
} handler = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The queue, if it is one */
static struct queue *find(const hsa_queue_t *queue)
{
	struct queue *q;

	pthread_mutex_lock(&queues.lock);
	for (q = queues.first; q; q = q->next)
		if (&q->hw.hsa_queue == queue)
			break;
	pthread_mutex_unlock(&queues.lock);
	return q;
}

static void put(struct queue *q)
{
	if (__atomic_sub_fetch(&q->users, 1, __ATOMIC_ACQ_REL))
		return;
	pthread_mutex_destroy(&q->lock);
	pthread_cond_destroy(&q->cond);
	free(q->published);
	munmap(q->ring, (size_t)q->hw.hsa_queue.size * PACKET_SIZE);
	free(q);
}

static bool make_ring(struct queue *q, uint32_t size)
{
	size_t bytes = (size_t)size * PACKET_SIZE;

	q->ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (q->ring == MAP_FAILED)
		return false;
	q->published = calloc(size, sizeof(*q->published));
	if (!q->published) {
		munmap(q->ring, bytes);
		return false;
	}
	for (uint32_t n = 0; n < size; n++)
		q->ring[n * PACKET_SIZE] = HSA_PACKET_TYPE_INVALID;
	aspace_add(&q->agent->aspace, (u64)(uintptr_t)q->ring, q->ring, bytes, 0,
		   "a queue's packets");
	aspace_add(&q->agent->aspace, (u64)(uintptr_t)q, q, sizeof(q->hw), 0, "a queue");
	return true;
}

static void hide(struct queue *q)
{
	aspace_remove(&q->agent->aspace, (u64)(uintptr_t)q->ring, "hsa_queue_destroy()");
	aspace_remove(&q->agent->aspace, (u64)(uintptr_t)q, "hsa_queue_destroy()");
}

hsa_status_t hsa_queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
			      queue_callback *callback, void *data,
			      uint32_t private_segment_size, uint32_t group_segment_size,
			      hsa_queue_t **queue)
{
	hsa_status_t status = api_enter(__func__);
	struct agent *a = agent_find(agent);
	struct queue *q;

	if (status)
		return status;
	if (!a)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	if (!a->chip || (type != HSA_QUEUE_TYPE_MULTI && type != HSA_QUEUE_TYPE_SINGLE))
		return HSA_STATUS_ERROR_INVALID_QUEUE_CREATION;
	if (!queue || !size || size & (size - 1) || size < 64 || size > 131072)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	/* Nothing needs scratch memory here, and no hint is heeded. */
	(void)private_segment_size;
	(void)group_segment_size;
	if (a->lost)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	q = aligned_alloc(64, (sizeof(*q) + 63) / 64 * 64);
	if (!q)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	memset(q, 0, sizeof(*q));
	q->agent = a;
	q->callback = callback;
	q->data = data;
	q->users = 1;
	q->doorbell = signal_create(0);
	if (!q->doorbell || !make_ring(q, size)) {
		if (q->doorbell)
			signal_destroy(q->doorbell);
		free(q);
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	q->doorbell->doorbell = q;
	q->doorbell->hw.kind = AMD_SIGNAL_KIND_DOORBELL;
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->cond, NULL);
	pthread_mutex_lock(&queues.lock);
	q->number = ++queues.numbers;
	q->hw.hsa_queue.type = type;
	q->hw.hsa_queue.features = HSA_QUEUE_FEATURE_KERNEL_DISPATCH;
	q->hw.hsa_queue.base_address = q->ring;
	q->hw.hsa_queue.doorbell_signal.handle = (u64)(uintptr_t)q->doorbell;
	q->hw.hsa_queue.size = size;
	q->hw.hsa_queue.id = q->number;
	q->hw.group_segment_aperture_base_hi = LDS_APERTURE;
	q->hw.private_segment_aperture_base_hi = LDS_APERTURE + 1;
	q->next = queues.first;
	queues.first = q;
	pthread_mutex_unlock(&queues.lock);
	if (pthread_create(&q->thread, NULL, aql_run, q))
		abort();
	*queue = &q->hw.hsa_queue;
	return HSA_STATUS_SUCCESS;
}

/* Packets that nobody will process now, though nothing was wrong */
static void report_pending(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	if (q->state == QUEUE_ACTIVE && (q->running || q->begun < q->rung))
		report("queue %u: destroyed with %u packets running and %lu waiting", q->number,
		       q->running, q->rung - q->begun);
	pthread_mutex_unlock(&q->lock);
}

static void destroy(struct queue *q)
{
	report_pending(q);
	pthread_mutex_lock(&q->lock);
	q->stop = true;
	pthread_cond_broadcast(&q->cond);
	pthread_mutex_unlock(&q->lock);
	device_cancel(q->agent->device, q);
	signal_wake();
	pthread_join(q->thread, NULL);
	device_cancel(q->agent->device, q);
	hide(q);
	signal_destroy(q->doorbell);
	put(q);
}

hsa_status_t hsa_queue_destroy(hsa_queue_t *queue)
{
	hsa_status_t status = api_enter(__func__);
	struct queue **at, *q = NULL;

	if (status)
		return status;
	pthread_mutex_lock(&queues.lock);
	for (at = &queues.first; *at; at = &(*at)->next)
		if (&(*at)->hw.hsa_queue == queue) {
			q = *at;
			*at = q->next;
			break;
		}
	pthread_mutex_unlock(&queues.lock);
	if (!q)
		return HSA_STATUS_ERROR_INVALID_QUEUE;
	destroy(q);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_queue_inactivate(hsa_queue_t *queue)
{
	hsa_status_t status = api_enter(__func__);
	struct queue *q = find(queue);

	if (status)
		return status;
	if (!q)
		return HSA_STATUS_ERROR_INVALID_QUEUE;
	pthread_mutex_lock(&q->lock);
	if (q->state == QUEUE_ACTIVE)
		q->state = QUEUE_DEAD;
	pthread_cond_broadcast(&q->cond);
	pthread_mutex_unlock(&q->lock);
	device_cancel(q->agent->device, q);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_queue_set_priority(hsa_queue_t *queue, hsa_amd_queue_priority_t priority)
{
	hsa_status_t status = api_enter(__func__);

	if (status)
		return status;
	if (!find(queue))
		return HSA_STATUS_ERROR_INVALID_QUEUE;
	return priority > HSA_AMD_QUEUE_PRIORITY_HIGH ? HSA_STATUS_ERROR_INVALID_ARGUMENT :
	       HSA_STATUS_SUCCESS;
}

static u8 header_type(const struct queue *q, u64 packet)
{
	const u8 *p = q->ring + (packet & (q->hw.hsa_queue.size - 1)) * PACKET_SIZE;

	return (u8)__atomic_load_n((const u16 *)(const void *)p, __ATOMIC_ACQUIRE);
}

/* Everything published since the last time is ordered behind what is done now. */
static void stamp(struct queue *q, u64 end)
{
	u32 tick = race_tick();

	for (; q->seen < end && header_type(q, q->seen) != HSA_PACKET_TYPE_INVALID; q->seen++)
		q->published[q->seen & (q->hw.hsa_queue.size - 1)] = tick;
}

void queue_ring(struct queue *q, u64 value)
{
	u64 written = __atomic_load_n(&q->hw.write_dispatch_id, __ATOMIC_ACQUIRE);

	pthread_mutex_lock(&q->lock);
	if (q->state != QUEUE_ACTIVE) {
		pthread_mutex_unlock(&q->lock);
		return;
	}
	if (value >= written)
		report("queue %u: doorbell for packet %lu, but the write index is %lu", q->number,
		       value, written);
	else if (value - q->hw.read_dispatch_id >= q->hw.hsa_queue.size && value >= q->rung)
		report("queue %u: packet %lu is where packet %lu still is", q->number, value,
		       q->hw.read_dispatch_id);
	else if (value >= q->rung && header_type(q, value) == HSA_PACKET_TYPE_INVALID)
		report("queue %u: doorbell for packet %lu before its header was written",
		       q->number, value);
	else if (value >= q->rung)
		q->rung = value + 1;
	stamp(q, q->rung);
	pthread_cond_broadcast(&q->cond);
	pthread_mutex_unlock(&q->lock);
}

/* What is on its way to a queue's callback */
struct error_event {
	struct queue *queue;
	hsa_status_t status;
	bool fault;
	hsa_amd_event_t event;
};

static void call_handler(const hsa_amd_event_t *event)
{
	hsa_amd_system_event_callback_t function;
	void *data;

	pthread_mutex_lock(&handler.lock);
	function = handler.function;
	data = handler.data;
	pthread_mutex_unlock(&handler.lock);
	if (function && function(event, data) == HSA_STATUS_SUCCESS)
		return;
	/* So does the real one: a fault that nobody handles ends the process. */
	report("memory access fault by agent %#lx at %#lx, and no system event handler took it",
	       event->memory_fault.agent.handle, event->memory_fault.virtual_address);
	abort();
}

static void deliver(void *arg)
{
	struct error_event *e = arg;
	struct queue *q = e->queue;

	if (e->fault)
		call_handler(&e->event);
	if (q && q->callback && !__atomic_load_n(&q->stop, __ATOMIC_ACQUIRE))
		q->callback(e->status, &q->hw.hsa_queue, q->data);
	if (q)
		put(q);
	free(e);
}

static void send(struct queue *q, hsa_status_t status, const hsa_amd_event_t *event)
{
	struct error_event *e = calloc(1, sizeof(*e));

	if (!e)
		abort();
	if (q)
		__atomic_add_fetch(&q->users, 1, __ATOMIC_RELAXED);
	e->queue = q;
	e->status = status;
	e->fault = event;
	if (event)
		e->event = *event;
	runtime_event(deliver, e);
}

/* Returns whether it was active until now */
static bool set_state(struct queue *q, enum queue_state state)
{
	bool was;

	pthread_mutex_lock(&q->lock);
	was = q->state == QUEUE_ACTIVE;
	if (was)
		q->state = state;
	pthread_cond_broadcast(&q->cond);
	pthread_mutex_unlock(&q->lock);
	return was;
}

void queue_error(struct queue *q, hsa_status_t status)
{
	if (set_state(q, QUEUE_ERROR))
		send(q, status, NULL);
}

void queue_fault(struct queue *q, u64 address, bool write)
{
	hsa_amd_event_t event = {
		.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT,
		.memory_fault = {
			.agent = { q->agent->handle },
			.virtual_address = address & ~4095ULL,
			.fault_reason_mask = write ? HSA_AMD_MEMORY_FAULT_READ_ONLY :
					     HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT,
		},
	};

	if (set_state(q, QUEUE_ERROR))
		send(q, (hsa_status_t)HSA_STATUS_ERROR_MEMORY_FAULT, &event);
}

void queues_lose(struct agent *a, bool told)
{
	hsa_amd_event_t event = {
		.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT,
		.memory_fault = {
			.agent = { a->handle },
			.fault_reason_mask = (u32)HSA_AMD_MEMORY_FAULT_HANG,
		},
	};

	a->lost = true;
	if (told)
		send(NULL, HSA_STATUS_SUCCESS, &event);
	pthread_mutex_lock(&queues.lock);
	for (struct queue *q = queues.first; q; q = q->next)
		if (q->agent == a && set_state(q, told ? QUEUE_ERROR : QUEUE_DEAD) && told)
			send(q, HSA_STATUS_ERROR, NULL);
	pthread_mutex_unlock(&queues.lock);
}

hsa_status_t hsa_amd_register_system_event_handler(hsa_amd_system_event_callback_t callback,
						   void *data)
{
	hsa_status_t status = api_enter(__func__);

	if (status)
		return status;
	pthread_mutex_lock(&handler.lock);
	if (!callback)
		status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
	else if (handler.function)
		status = HSA_STATUS_ERROR;
	handler.function = status ? handler.function : callback;
	handler.data = status ? handler.data : data;
	pthread_mutex_unlock(&handler.lock);
	return status;
}

/* As newer ones do, with nothing but the type in it */
static void tell_shutdown(void)
{
	const hsa_amd_event_t event = { .event_type = (hsa_amd_event_type_t)EVENT_SHUTDOWN };

	if (handler.function)
		handler.function(&event, handler.data);
}

void queues_exit(void)
{
	tell_shutdown();
	while (queues.first) {
		struct queue *q = queues.first;

		queues.first = q->next;
		report("hsa_shut_down(): queue %u was not destroyed", q->number);
		destroy(q);
	}
	handler.function = NULL;
}

static struct queue *hw(const hsa_queue_t *queue)
{
	return (struct queue *)(uintptr_t)queue;
}

#include "queue_index.inc"
