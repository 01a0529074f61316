/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Time for the polling loop.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_LIB_CLOCK_H
#define WAVECRYPT_LIB_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/** NSEC_PER_USEC - nanoseconds in a microsecond */
#define NSEC_PER_USEC	1000ull
/** NSEC_PER_MSEC - nanoseconds in a millisecond */
#define NSEC_PER_MSEC	1000000ull
/** NSEC_PER_SEC - nanoseconds in a second */
#define NSEC_PER_SEC	1000000000ull

/** clock_ns - CLOCK_MONOTONIC in nanoseconds */
static inline uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/**
 * clock_ticks - a fast clock of unknown unit
 *
 * The polling loop asks for the time on every turn, and clock_gettime() is a
 * system call where the vDSO has no clock source that it can read (some
 * hypervisors, User-Mode Linux).
 */
static inline uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	return clock_ns();
#endif
}

/** clock_setup - find out how fast clock_ticks() ticks; takes 2 ms */
void clock_setup(void);

/** clock_ticks_of - ticks in @ns nanoseconds */
uint64_t clock_ticks_of(uint64_t ns);

/** clock_ns_of - nanoseconds in @ticks ticks */
uint64_t clock_ns_of(uint64_t ticks);

/**
 * clock_ahead - is a time still to come?
 * @at: the time, in ticks
 * @now: what clock_ticks() says
 * @longest: how far ahead it was at most when it was set, in ticks
 *
 * One that is further ahead is of before the machine was suspended, during which the
 * processor may have begun to count anew.
 */
static inline bool clock_ahead(uint64_t at, uint64_t now, uint64_t longest)
{
	/* What is now is not ahead. */
	return at - now - 1 < longest;
}

#endif
