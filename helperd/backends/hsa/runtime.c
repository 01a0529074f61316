// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>
#include <stdio.h>

#include "backends/hsa/runtime.h"
#include "lib/log.h"

/* Guards the three below. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * Sessions that use it; how often it was initialised, which is more if it could not
 * be shut down; whether it knows whom to tell of faults.
 */
static unsigned int sessions;
static unsigned int held;
static bool registered;

static bool fault;

static __thread char text[512];

static hsa_status_t on_event(const hsa_amd_event_t *event, void *data)
{
	(void)data;
	if (!__atomic_exchange_n(&fault, true, __ATOMIC_RELEASE))
		log_err("backend hsa: the GPU reports a memory fault at %#llx",
			(unsigned long long)event->memory_fault.virtual_address);
	/* Or else the runtime ends the process. */
	return HSA_STATUS_SUCCESS;
}

bool hsa_runtime_fault(void)
{
	return __atomic_load_n(&fault, __ATOMIC_ACQUIRE);
}

/* Only when it was shut down as often as initialised it lets go of GPUs. */
static void shut_down(void)
{
	while (held && !hsa.shut_down())
		held--;
	if (!held)
		registered = false;
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
	__atomic_store_n(&fault, false, __ATOMIC_RELEASE);
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
	if (!sessions)
		why = initialise();
	if (!why)
		sessions++;
	pthread_mutex_unlock(&lock);
	return why;
}

void hsa_runtime_stop(bool hung)
{
	pthread_mutex_lock(&lock);
	if (!--sessions && !hung)
		shut_down();
	pthread_mutex_unlock(&lock);
}
