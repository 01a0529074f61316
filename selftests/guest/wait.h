/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Waiting for what has no event to wait for.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef GUEST_WAIT_H
#define GUEST_WAIT_H

#include <err.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

/** now_us - by a clock that nobody sets */
static inline uint64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000ULL + ts.tv_nsec / 1000;
}

/* Wait until something is so, which in so many seconds it has to be. */
#define wait_until(seconds, condition, what) do {			\
	uint64_t end_us = now_us() + (seconds) * 1000000ULL;		\
									\
	while (!(condition)) {						\
		if (now_us() > end_us)					\
			errx(1, "%d s, and " what, seconds);		\
		usleep(100);						\
	}								\
} while (0)

#endif /* GUEST_WAIT_H */
