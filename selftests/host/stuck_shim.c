// SPDX-License-Identifier: GPL-2.0-only
/*
 * A worker that its device's driver does not return to, once the file $DRIVER_STUCK is
 * there: whoever waits for its thread waits in vain.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef int joins(pthread_t thread, void **result, const struct timespec *until);

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until)
{
	static bool said;

	if (access(getenv("DRIVER_STUCK"), F_OK))
		return ((joins *)dlsym(RTLD_NEXT, __func__))(thread, result, until);
	if (!said)
		fprintf(stderr, "a worker does not end\n");
	said = true;
	usleep(10000);
	return ETIMEDOUT;
}
