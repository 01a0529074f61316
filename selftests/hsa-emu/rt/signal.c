// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Whoever waits, waits for any change: there are few waiters. And no longer than
 * a little while at a time, since kernels change signals without telling.
 */
#include <hsa/hsa_ext_amd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "queue.h"
#include "report.h"
#include "runtime.h"
#include "signal.h"

enum {
	ALIVE = 0x51674e41,
	DEAD = 0xdead51,
	LOOK_AGAIN = 2000000,	/* nanoseconds */
	REST = 4096,		/* how many die before a handle is used again */
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	unsigned int waiters;
	struct signal *all;		/* those destroyed too */
	struct signal *dead, **last_dead;	/* these, in the order that they died in */
	unsigned int nr_dead;
} signals = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* What is to be called when a signal has a value */
struct handler {
	struct signal *signal;
	hsa_signal_condition_t condition;
	hsa_signal_value_t value;
	hsa_amd_signal_handler function;
	void *arg;
	struct handler *next;
};

static struct {
	pthread_t thread;
	bool running, stop;
	struct handler *first;	/* under signals.lock */
} async;

struct signal *signal_find(hsa_signal_t signal)
{
	struct signal *s = (struct signal *)(uintptr_t)signal.handle;

	if (!s || (uintptr_t)s % 64)
		return NULL;
	return __atomic_load_n(&s->magic, __ATOMIC_ACQUIRE) == ALIVE ? s : NULL;
}

/* With the lock held: one that died long ago, so that old handles are found out */
static struct signal *reuse(void)
{
	struct signal *s = signals.dead;

	if (signals.nr_dead <= REST)
		return NULL;
	signals.dead = s->next_dead;
	signals.nr_dead--;
	return s;
}

struct signal *signal_create(hsa_signal_value_t value)
{
	struct signal *s, *next;

	pthread_mutex_lock(&signals.lock);
	s = reuse();
	if (!s) {
		s = aligned_alloc(64, (sizeof(*s) + 63) / 64 * 64);
		if (s) {
			s->next = signals.all;
			signals.all = s;
		}
	}
	if (s) {
		next = s->next;
		memset(s, 0, sizeof(*s));
		s->next = next;
		s->hw.kind = AMD_SIGNAL_KIND_USER;
		s->hw.value = value;
		__atomic_store_n(&s->magic, ALIVE, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&signals.lock);
	return s;
}

void signal_destroy(struct signal *s)
{
	__atomic_store_n(&s->magic, DEAD, __ATOMIC_RELEASE);
	pthread_mutex_lock(&signals.lock);
	*signals.last_dead = s;
	signals.last_dead = &s->next_dead;
	signals.nr_dead++;
	pthread_mutex_unlock(&signals.lock);
}

void signal_wake(void)
{
	if (!__atomic_load_n(&signals.waiters, __ATOMIC_SEQ_CST))
		return;
	pthread_mutex_lock(&signals.lock);
	pthread_cond_broadcast(&signals.cond);
	pthread_mutex_unlock(&signals.lock);
}

static struct timespec after(uint64_t nanoseconds)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	nanoseconds += (uint64_t)t.tv_nsec;
	t.tv_sec += (time_t)(nanoseconds / 1000000000);
	t.tv_nsec = (long)(nanoseconds % 1000000000);
	return t;
}

/* With the lock held, and the reason to wait checked since */
static void sleep_locked(uint64_t nanoseconds)
{
	struct timespec until = after(nanoseconds < LOOK_AGAIN ? nanoseconds : LOOK_AGAIN);

	pthread_cond_timedwait(&signals.cond, &signals.lock, &until);
}

void signal_sleep(void)
{
	pthread_mutex_lock(&signals.lock);
	__atomic_add_fetch(&signals.waiters, 1, __ATOMIC_SEQ_CST);
	sleep_locked(LOOK_AGAIN);
	__atomic_sub_fetch(&signals.waiters, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&signals.lock);
}

static bool holds(hsa_signal_condition_t condition, hsa_signal_value_t is,
		  hsa_signal_value_t value)
{
	switch (condition) {
	case HSA_SIGNAL_CONDITION_EQ:
		return is == value;
	case HSA_SIGNAL_CONDITION_NE:
		return is != value;
	case HSA_SIGNAL_CONDITION_LT:
		return is < value;
	case HSA_SIGNAL_CONDITION_GTE:
		return is >= value;
	}
	return false;
}

hsa_signal_value_t signal_value(const struct signal *s)
{
	return __atomic_load_n(&s->hw.value, __ATOMIC_ACQUIRE);
}

hsa_signal_value_t signal_subtract(struct signal *s)
{
	hsa_signal_value_t old = __atomic_fetch_sub(&s->hw.value, 1, __ATOMIC_SEQ_CST);

	signal_wake();
	return old;
}

void signal_fail(struct signal *s)
{
	__atomic_store_n(&s->hw.value, -1, __ATOMIC_SEQ_CST);
	signal_wake();
}

/* Handlers whose time has come, one at a time and without the lock */
static struct handler *due(void)
{
	struct handler **at, *h;

	for (at = &async.first; *at; at = &(*at)->next) {
		h = *at;
		if (!holds(h->condition, signal_value(h->signal), h->value))
			continue;
		*at = h->next;
		return h;
	}
	return NULL;
}

static void *watch(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&signals.lock);
	__atomic_add_fetch(&signals.waiters, 1, __ATOMIC_SEQ_CST);
	while (!async.stop) {
		struct handler *h = due();

		if (!h) {
			sleep_locked(LOOK_AGAIN);
			continue;
		}
		pthread_mutex_unlock(&signals.lock);
		if (!h->function(signal_value(h->signal), h->arg)) {
			free(h);
			h = NULL;
		}
		pthread_mutex_lock(&signals.lock);
		if (h) {
			h->next = async.first;
			async.first = h;
		}
	}
	__atomic_sub_fetch(&signals.waiters, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&signals.lock);
	return NULL;
}

void signals_init(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&signals.cond, &attr);
	pthread_condattr_destroy(&attr);
	signals.dead = NULL;
	signals.last_dead = &signals.dead;
	signals.nr_dead = 0;
}

void signals_exit(void)
{
	pthread_mutex_lock(&signals.lock);
	async.stop = true;
	pthread_cond_broadcast(&signals.cond);
	pthread_mutex_unlock(&signals.lock);
	if (async.running)
		pthread_join(async.thread, NULL);
	async.running = false;
	async.stop = false;
	while (async.first) {
		struct handler *h = async.first;

		async.first = h->next;
		free(h);
	}
	while (signals.all) {
		struct signal *s = signals.all;

		signals.all = s->next;
		if (s->magic == ALIVE && !s->doorbell)
			report("hsa_shut_down(): signal %#lx was not destroyed", (u64)(uintptr_t)s);
		free(s);
	}
	pthread_cond_destroy(&signals.cond);
}

hsa_status_t hsa_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
			       const hsa_agent_t *consumers, hsa_signal_t *signal)
{
	hsa_status_t status = api_enter(__func__);
	struct signal *s;

	if (status)
		return status;
	if (!signal || (num_consumers && !consumers))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	s = signal_create(initial_value);
	if (!s)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	signal->handle = (u64)(uintptr_t)s;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_signal_create(hsa_signal_value_t initial_value, uint32_t num_consumers,
				   const hsa_agent_t *consumers, uint64_t attributes,
				   hsa_signal_t *signal)
{
	if (attributes & ~(uint64_t)(HSA_AMD_SIGNAL_AMD_GPU_ONLY | HSA_AMD_SIGNAL_IPC))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return hsa_signal_create(initial_value, num_consumers, consumers, signal);
}

/* The signal of a handle; whoever has none that is alive is told so. */
static struct signal *must_find(hsa_signal_t signal, const char *function)
{
	struct signal *s = signal_find(signal);

	if (!s)
		report("%s(): %#lx is no signal, or was destroyed", function, signal.handle);
	return s;
}

hsa_status_t hsa_signal_destroy(hsa_signal_t signal)
{
	hsa_status_t status = api_enter(__func__);
	struct signal *s;

	if (status)
		return status;
	s = must_find(signal, __func__);
	if (!s)
		return HSA_STATUS_ERROR_INVALID_SIGNAL;
	if (s->doorbell)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	if (__atomic_load_n(&s->packets, __ATOMIC_ACQUIRE))
		report("hsa_signal_destroy(): a packet in a queue uses signal %#lx", signal.handle);
	signal_destroy(s);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_amd_signal_value_pointer(hsa_signal_t signal,
					  volatile hsa_signal_value_t **value_ptr)
{
	hsa_status_t status = api_enter(__func__);
	struct signal *s;

	if (status)
		return status;
	s = must_find(signal, __func__);
	if (!s || s->doorbell || !value_ptr)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	*value_ptr = &s->hw.value;
	return HSA_STATUS_SUCCESS;
}

static void store(hsa_signal_t signal, hsa_signal_value_t value, const char *function)
{
	struct signal *s = must_find(signal, function);

	if (!s)
		return;
	__atomic_store_n(&s->hw.value, value, __ATOMIC_SEQ_CST);
	if (s->doorbell)
		queue_ring(s->doorbell, (u64)value);
	else
		signal_wake();
}

static hsa_signal_value_t swap(volatile int64_t *p, hsa_signal_value_t value)
{
	return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);
}

static hsa_signal_value_t add(volatile int64_t *p, hsa_signal_value_t value)
{
	return __atomic_fetch_add(p, value, __ATOMIC_SEQ_CST);
}

static hsa_signal_value_t sub(volatile int64_t *p, hsa_signal_value_t value)
{
	return __atomic_fetch_sub(p, value, __ATOMIC_SEQ_CST);
}

static hsa_signal_value_t and(volatile int64_t *p, hsa_signal_value_t value)
{
	return __atomic_fetch_and(p, value, __ATOMIC_SEQ_CST);
}

static hsa_signal_value_t or(volatile int64_t *p, hsa_signal_value_t value)
{
	return __atomic_fetch_or(p, value, __ATOMIC_SEQ_CST);
}

static hsa_signal_value_t xor(volatile int64_t *p, hsa_signal_value_t value)
{
	return __atomic_fetch_xor(p, value, __ATOMIC_SEQ_CST);
}

typedef hsa_signal_value_t change_fn(volatile int64_t *p, hsa_signal_value_t value);

static hsa_signal_value_t change(hsa_signal_t signal, hsa_signal_value_t value, change_fn *fn,
				 const char *function)
{
	struct signal *s = must_find(signal, function);
	hsa_signal_value_t old = 0;

	if (s && s->doorbell)
		report("%s(): a doorbell is only to be stored to", function);
	else if (s)
		old = fn(&s->hw.value, value);
	signal_wake();
	return old;
}

static hsa_signal_value_t cas(hsa_signal_t signal, hsa_signal_value_t expected,
			      hsa_signal_value_t value, const char *function)
{
	struct signal *s = must_find(signal, function);

	if (s)
		__atomic_compare_exchange_n(&s->hw.value, &expected, value, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	signal_wake();
	return expected;
}

static uint64_t nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Of several signals the first whose condition holds, or nr after the time is up */
static uint32_t wait_any(uint32_t nr, struct signal **s, const hsa_signal_condition_t *conditions,
			 const hsa_signal_value_t *values, uint64_t timeout,
			 hsa_signal_value_t *value)
{
	uint64_t start = nanoseconds(), passed;
	uint32_t n;

	pthread_mutex_lock(&signals.lock);
	__atomic_add_fetch(&signals.waiters, 1, __ATOMIC_SEQ_CST);
	for (;;) {
		for (n = 0; n < nr; n++) {
			*value = signal_value(s[n]);
			if (holds(conditions[n], *value, values[n]))
				break;
		}
		passed = nanoseconds() - start;
		if (n < nr || passed >= timeout)
			break;
		sleep_locked(timeout - passed);
	}
	__atomic_sub_fetch(&signals.waiters, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_unlock(&signals.lock);
	return n;
}

static hsa_signal_value_t wait(hsa_signal_t signal, hsa_signal_condition_t condition,
			       hsa_signal_value_t compare_value, uint64_t timeout_hint,
			       const char *function)
{
	struct signal *s = must_find(signal, function);
	hsa_signal_value_t value = 0;

	if (s && s->doorbell)
		report("%s(): nobody can wait for a doorbell", function);
	else if (s)
		wait_any(1, &s, &condition, &compare_value, timeout_hint, &value);
	return value;
}

#include "signal_value.inc"

uint32_t hsa_amd_signal_wait_any(uint32_t signal_count, hsa_signal_t *handles,
				 hsa_signal_condition_t *conds, hsa_signal_value_t *values,
				 uint64_t timeout_hint, hsa_wait_state_t wait_hint,
				 hsa_signal_value_t *satisfying_value)
{
	struct signal *s[64];
	hsa_signal_value_t value;
	uint32_t n;

	(void)wait_hint;
	if (!signal_count || signal_count > ARRAY_SIZE(s))
		return UINT32_MAX;
	for (n = 0; n < signal_count; n++) {
		s[n] = must_find(handles[n], __func__);
		if (!s[n])
			return UINT32_MAX;
	}
	n = wait_any(signal_count, s, conds, values, timeout_hint, &value);
	if (satisfying_value)
		*satisfying_value = value;
	return n < signal_count ? n : UINT32_MAX;
}

hsa_status_t hsa_amd_signal_async_handler(hsa_signal_t signal, hsa_signal_condition_t cond,
					  hsa_signal_value_t value, hsa_amd_signal_handler handler,
					  void *arg)
{
	hsa_status_t status = api_enter(__func__);
	struct signal *s;
	struct handler *h;

	if (status)
		return status;
	s = must_find(signal, __func__);
	if (!s)
		return HSA_STATUS_ERROR_INVALID_SIGNAL;
	if (!handler)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	h = malloc(sizeof(*h));
	if (!h)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	*h = (struct handler) {
		.signal = s, .condition = cond, .value = value, .function = handler, .arg = arg,
	};
	pthread_mutex_lock(&signals.lock);
	h->next = async.first;
	async.first = h;
	if (!async.running)
		async.running = !pthread_create(&async.thread, NULL, watch, NULL);
	pthread_cond_broadcast(&signals.cond);
	pthread_mutex_unlock(&signals.lock);
	return HSA_STATUS_SUCCESS;
}
