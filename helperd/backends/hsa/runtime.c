// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "backends/gpu/choice.h"
#include "backends/hsa/runtime.h"
#include "lib/array.h"
#include "lib/log.h"

/* Guards the four below. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * Sessions that use it; how often it was initialised, which is more if it could not
 * be shut down; whether it knows whom to tell of faults; whether a GPU hung, which may
 * still use memory, so that it is never shut down.
 */
static unsigned int sessions;
static unsigned int held;
static bool registered;
static bool stuck;

/* Handles of those that have faulted; the others go on. */
static uint64_t faulted[GPU_FOUND_MAX];

static __thread char text[512];

/* Has it not before? */
static bool note(uint64_t handle)
{
	for (size_t i = 0; i < ARRAY_SIZE(faulted); i++) {
		uint64_t there = 0;

		if (__atomic_compare_exchange_n(&faulted[i], &there, handle, false,
						__ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return true;
		if (there == handle)
			return false;
	}
	return false;
}

static hsa_status_t on_event(const hsa_amd_event_t *event, void *data)
{
	uint64_t handle = event->memory_fault.agent.handle;

	(void)data;
	/*
	 * Whatever the event is, an agent is the first that it has; but none has it
	 * where the runtime says that it is being shut down.
	 */
	if (handle && note(handle))
		log_err("backend hsa: the GPU reports a memory fault at %#llx",
			(unsigned long long)event->memory_fault.virtual_address);
	/* Or else the runtime ends the process. */
	return HSA_STATUS_SUCCESS;
}

bool hsa_runtime_fault(hsa_agent_t gpu)
{
	for (size_t i = 0; i < ARRAY_SIZE(faulted); i++)
		if (__atomic_load_n(&faulted[i], __ATOMIC_ACQUIRE) == gpu.handle)
			return true;
	return false;
}

void hsa_runtime_forgive(hsa_agent_t gpu)
{
	for (size_t i = 0; i < ARRAY_SIZE(faulted); i++) {
		uint64_t there = gpu.handle;

		__atomic_compare_exchange_n(&faulted[i], &there, 0, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
}

/* Only when it was shut down as often as initialised it lets go of GPUs. */
static void shut_down(void)
{
	while (held && !hsa.shut_down())
		held--;
	if (held)
		return;
	registered = false;
	/* Nobody has these handles any more; others will have others. */
	memset(faulted, 0, sizeof(faulted));
}

static const char *initialise(void)
{
	hsa_status_t status = hsa.init();

	if (status) {
		snprintf(text, sizeof(text),
			 "cannot initialise the ROCm runtime: %s (may the daemon's user open /dev/kfd? See wavecryptctl doctor)",
			 hsa_error(status));
		return text;
	}
	held++;
	if (registered)
		return NULL;
	status = hsa.amd_register_system_event_handler(on_event, NULL);
	if (status) {
		snprintf(text, sizeof(text),
			 "cannot hear of memory faults: %s", hsa_error(status));
		shut_down();
		return text;
	}
	registered = true;
	return NULL;
}

const char *hsa_runtime_start(void)
{
	const char *why = NULL;

	pthread_mutex_lock(&lock);
	if (!sessions && !stuck)
		why = initialise();
	if (!why)
		sessions++;
	pthread_mutex_unlock(&lock);
	return why;
}

void hsa_runtime_stop(bool hung)
{
	pthread_mutex_lock(&lock);
	stuck |= hung;
	if (!--sessions && !stuck)
		shut_down();
	pthread_mutex_unlock(&lock);
}
