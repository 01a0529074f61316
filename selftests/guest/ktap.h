/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * KTAP for programs.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef KTAP_H
#define KTAP_H

#include <stdbool.h>
#include <stdio.h>

static int ktap_count, ktap_failures, ktap_wrong;

/* Something that should be so; if it is not, the present test fails. */
#define expect(condition, ...)						\
do {									\
	if (!(condition)) {						\
		ktap_wrong++;						\
		printf("# %s:%d: %s: ", __func__, __LINE__, #condition); \
		printf(__VA_ARGS__);					\
		putchar('\n');						\
	}								\
} while (0)

/* A test that is over: it passes if everything expected since the last was so. */
static void ktap_test(const char *name)
{
	printf("%s %d %s\n", ktap_wrong ? "not ok" : "ok", ++ktap_count, name);
	fflush(stdout);
	ktap_failures += !!ktap_wrong;
	ktap_wrong = 0;
}

/* A test that cannot be, and why */
static inline void ktap_skip(const char *name, const char *reason)
{
	printf("ok %d %s # SKIP %s\n", ++ktap_count, name, reason);
}

static int ktap_end(void)
{
	printf("1..%d\n", ktap_count);
	return !!ktap_failures;
}

#endif /* KTAP_H */
