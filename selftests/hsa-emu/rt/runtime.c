// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include <hsa/hsa_ext_amd.h>

#include "agent.h"
#include "code.h"
#include "device.h"
#include "inject.h"
#include "memory.h"
#include "queue.h"
#include "report.h"
#include "runtime.h"
#include "signal.h"

struct event {
	void (*function)(void *arg);
	void *arg;
	struct event *next;
};

static struct {
	pthread_mutex_t lock;
	unsigned int users;		/* hsa_init() less hsa_shut_down() */
	pthread_t thread;
	pthread_mutex_t event_lock;
	pthread_cond_t event_cond;
	struct event *first, **last;
	bool stop;
} runtime = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.event_lock = PTHREAD_MUTEX_INITIALIZER,
	.event_cond = PTHREAD_COND_INITIALIZER,
};

hsa_status_t api_enter(const char *function)
{
	if (!__atomic_load_n(&runtime.users, __ATOMIC_ACQUIRE))
		return HSA_STATUS_ERROR_NOT_INITIALIZED;
	return inject_call(function);
}

static void *events(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&runtime.event_lock);
	for (;;) {
		struct event *e = runtime.first;

		if (!e && runtime.stop)
			break;
		if (!e) {
			pthread_cond_wait(&runtime.event_cond, &runtime.event_lock);
			continue;
		}
		runtime.first = e->next;
		if (!runtime.first)
			runtime.last = &runtime.first;
		pthread_mutex_unlock(&runtime.event_lock);
		e->function(e->arg);
		free(e);
		pthread_mutex_lock(&runtime.event_lock);
	}
	pthread_mutex_unlock(&runtime.event_lock);
	return NULL;
}

void runtime_event(void (*function)(void *arg), void *arg)
{
	struct event *e = malloc(sizeof(*e));

	if (!e)
		abort();
	*e = (struct event) { .function = function, .arg = arg };
	pthread_mutex_lock(&runtime.event_lock);
	*runtime.last = e;
	runtime.last = &e->next;
	pthread_cond_signal(&runtime.event_cond);
	pthread_mutex_unlock(&runtime.event_lock);
}

static bool start(void)
{
	runtime.stop = false;
	runtime.first = NULL;
	runtime.last = &runtime.first;
	if (!agents_init()) {
		agents_exit();
		return false;
	}
	if (pthread_create(&runtime.thread, NULL, events, NULL)) {
		agents_exit();
		return false;
	}
	signals_init();
	return true;
}

/* In the order in which the one uses the other */
static void stop(void)
{
	queues_exit();
	signals_exit();
	pthread_mutex_lock(&runtime.event_lock);
	runtime.stop = true;
	pthread_cond_signal(&runtime.event_cond);
	pthread_mutex_unlock(&runtime.event_lock);
	pthread_join(runtime.thread, NULL);
	code_exit();
	memory_exit();
	agents_exit();
}

hsa_status_t hsa_init(void)
{
	hsa_status_t status = inject_call(__func__);

	if (status)
		return status;
	pthread_mutex_lock(&runtime.lock);
	if (!runtime.users && !start())
		status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	else
		__atomic_store_n(&runtime.users, runtime.users + 1, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&runtime.lock);
	return status;
}

hsa_status_t hsa_shut_down(void)
{
	hsa_status_t status = inject_call(__func__);

	if (status)
		return status;
	pthread_mutex_lock(&runtime.lock);
	if (!runtime.users) {
		status = HSA_STATUS_ERROR_NOT_INITIALIZED;
	} else {
		if (runtime.users == 1)
			stop();
		__atomic_store_n(&runtime.users, runtime.users - 1, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&runtime.lock);
	return status;
}

hsa_status_t hsa_system_get_info(hsa_system_info_t attribute, void *value)
{
	hsa_status_t status = api_enter(__func__);
	struct timespec now;

	if (status)
		return status;
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	switch (attribute) {
	case HSA_SYSTEM_INFO_VERSION_MAJOR:
	case HSA_SYSTEM_INFO_VERSION_MINOR:
		*(uint16_t *)value = 1;
		break;
	case HSA_SYSTEM_INFO_TIMESTAMP:
		clock_gettime(CLOCK_MONOTONIC, &now);
		*(uint64_t *)value = (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec;
		break;
	case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
		*(uint64_t *)value = 1000000000;
		break;
	case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
		*(uint64_t *)value = UINT64_MAX;
		break;
	case HSA_SYSTEM_INFO_ENDIANNESS:
		*(hsa_endianness_t *)value = HSA_ENDIANNESS_LITTLE;
		break;
	case HSA_AMD_SYSTEM_INFO_BUILD_VERSION:
		*(const char **)value = "emulated";
		break;
	case HSA_SYSTEM_INFO_MACHINE_MODEL:
		*(hsa_machine_model_t *)value = HSA_MACHINE_MODEL_LARGE;
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_system_extension_supported(uint16_t extension, uint16_t version_major,
					    uint16_t version_minor, bool *result)
{
	hsa_status_t status = api_enter(__func__);

	(void)extension;
	(void)version_major;
	(void)version_minor;
	if (!status && !result)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	if (!status)
		*result = false;
	return status;
}

hsa_status_t hsa_system_major_extension_supported(uint16_t extension, uint16_t version_major,
						  uint16_t *version_minor, bool *result)
{
	return hsa_system_extension_supported(extension, version_major,
					      version_minor ? *version_minor : 0, result);
}
