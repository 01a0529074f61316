// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdarg.h>
#include <stdio.h>

#include "ktap.h"

/* A loop that fails once fails often; the first few say enough. */
#define MESSAGES	10

static int failures;

void ktap_fail(const char *file, int line, const char *what, const char *fmt,
	       ...)
{
	va_list args;

	if (__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED) >= MESSAGES)
		return;
	flockfile(stdout);
	printf("# %s:%d: not true: %s: ", file, line, what);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
	funlockfile(stdout);
}

int ktap_run(const struct ktap_case *cases)
{
	int nr = 0, failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("KTAP version 1\n");
	for (; cases[nr].name; nr++) {
		failures = 0;
		cases[nr].run();
		if (failures > MESSAGES)
			printf("# and %d more\n", failures - MESSAGES);
		printf("%sok %d %s\n", failures ? "not " : "", nr + 1,
		       cases[nr].name);
		failed += !!failures;
	}
	printf("1..%d\n", nr);
	return failed ? 1 : 0;
}
