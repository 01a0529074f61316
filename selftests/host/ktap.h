/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * KTAP for tests in C.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef SELFTESTS_KTAP_H
#define SELFTESTS_KTAP_H

#include <stdbool.h>
#include <stdio.h>

/**
 * struct ktap_case - a test
 * @name: what is true if it passes
 * @run: the test
 */
struct ktap_case {
	const char *name;
	void (*run)(void);
};

/**
 * ktap_run - run tests
 * @cases: the tests; one without name is the end
 *
 * Return: exit status.
 */
int ktap_run(const struct ktap_case *cases);

/** ktap_fail - use EXPECT() */
void ktap_fail(const char *file, int line, const char *what, const char *fmt,
	       ...) __attribute__((format(printf, 4, 5)));

/**
 * struct ktap_ear - who listens to what is logged
 * @log: where that goes, to be closed
 * @before: where stderr was
 */
struct ktap_ear {
	FILE *log;
	int before;
};

/** ktap_listen - what goes to stderr is kept, until ktap_listened() */
void ktap_listen(struct ktap_ear *ear);
void ktap_listened(struct ktap_ear *ear);

/** ktap_heard - how many lines of what was kept have these words */
unsigned int ktap_heard(const struct ktap_ear *ear, const char *words);

/**
 * EXPECT - the test fails if @cond does not hold
 *
 * What follows @cond is printf's, evaluated after it, and says what the values
 * were.
 *
 * Return: @cond
 */
#define EXPECT(cond, ...) ({						\
	bool good_ = (cond);						\
									\
	if (!good_)							\
		ktap_fail(__FILE__, __LINE__, #cond, __VA_ARGS__);	\
	good_;								\
})

#endif
