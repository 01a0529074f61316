// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "backends/gpu/library.h"

static void **place_of(const struct gpu_library *library, size_t function)
{
	return (void **)((char *)library->api + library->functions[function].at);
}

/* The first that it has not; NULL: it has all. */
static const char *missing(const struct gpu_library *library, void *file)
{
	for (size_t i = 0; i < library->nr; i++)
		if (!dlsym(file, library->functions[i].name))
			return library->functions[i].name;
	return NULL;
}

static const char *load(const struct gpu_library *library)
{
	static __thread char why[256];
	const char *name;
	void *file;

	if (*place_of(library, 0))
		return NULL;
	file = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
	if (!file) {
		snprintf(why, sizeof(why), "no %s on this machine (%s)",
			 library->what, dlerror());
		return why;
	}
	name = missing(library, file);
	if (name) {
		snprintf(why, sizeof(why), "%s has no %s", library->file, name);
		dlclose(file);
		return why;
	}
	for (size_t i = 0; i < library->nr; i++)
		*place_of(library, i) = dlsym(file, library->functions[i].name);
	return NULL;
}

const char *gpu_library_load(const struct gpu_library *library)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	const char *failed;

	pthread_mutex_lock(&lock);
	failed = load(library);
	pthread_mutex_unlock(&lock);
	return failed;
}
