// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fast clock keeps time, also when whoever measured it was interrupted.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ktap.h"
#include "lib/array.h"
#include "lib/clock.h"

/* Of every so many looks at the clock one is followed by a long interruption. */
static unsigned int interrupted_of, looks;

/* In the place of the C library's */
int clock_gettime(clockid_t id, struct timespec *ts)
{
	static const struct timespec a_while = { .tv_nsec = 3000000 };
	int err = syscall(SYS_clock_gettime, id, ts);

	if (interrupted_of && looks++ % interrupted_of == 0)
		nanosleep(&a_while, NULL);
	return err;
}

/* Ticks in a second, as a quarter of one has it */
static double ticks_in_truth(void)
{
	static const struct timespec quarter = { .tv_nsec = 250000000 };
	uint64_t ticks = clock_ticks(), ns = clock_ns();

	nanosleep(&quarter, NULL);
	ns = clock_ns() - ns;
	return (double)(clock_ticks() - ticks) * NSEC_PER_SEC / ns;
}

static void keeps_time(void)
{
	static const unsigned int kinds[] = { 0, 2, 3, 7, 19 };
	double truth = ticks_in_truth();

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		double ticks;

		interrupted_of = kinds[i];
		looks = 0;
		clock_setup();
		interrupted_of = 0;
		ticks = clock_ticks_of(NSEC_PER_SEC);
		EXPECT(ticks > 0.97 * truth && ticks < 1.03 * truth,
		       "interrupted once in %u looks: %.0f ticks a second, not %.0f",
		       kinds[i], ticks, truth);
	}
}

/* A time that was set to 10 ticks ahead at most, and a counter that may begin anew */
static void is_ahead(void)
{
	EXPECT(!clock_ahead(0, 1000, 10), "ahead, and never set");
	EXPECT(clock_ahead(1010, 1000, 10) && clock_ahead(1010, 1009, 10), "past too soon");
	EXPECT(!clock_ahead(1010, 1010, 10) && !clock_ahead(1010, 9999, 10), "not past");
	EXPECT(clock_ahead(4, UINT64_MAX - 5, 10) && !clock_ahead(UINT64_MAX, 4, 10), "wraps");
	EXPECT(!clock_ahead(1010, 999, 10) && !clock_ahead(1010, 1, 10), "not taken for past");
}

static const struct ktap_case cases[] = {
	{ "an interruption while it is measured does not skew the clock", keeps_time },
	{ "a time is not ahead by more than it was set to", is_ahead },
	{ 0 },
};

int main(void)
{
	return ktap_run(cases);
}
