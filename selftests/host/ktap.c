// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

void ktap_listen(struct ktap_ear *ear)
{
	ear->log = tmpfile();
	ear->before = dup(STDERR_FILENO);
	if (!ear->log || ear->before < 0 || dup2(fileno(ear->log), STDERR_FILENO) < 0)
		err(2, "stderr");
}

void ktap_listened(struct ktap_ear *ear)
{
	dup2(ear->before, STDERR_FILENO);
	close(ear->before);
}

unsigned int ktap_heard(const struct ktap_ear *ear, const char *words)
{
	unsigned int nr = 0;
	char line[512];

	rewind(ear->log);
	while (fgets(line, sizeof(line), ear->log))
		nr += !!strstr(line, words);
	return nr;
}
