// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"

static void put_line(int fd, const char *line)
{
	char text[1200];
	int n = snprintf(text, sizeof(text), "%s\n", line);

	/* One write, so that threads' and processes' lines stay whole */
	if (n > 0 && write(fd, text, (size_t)n) < 0)
		return;
}

void report_append(const char *variable, const char *line)
{
	const char *name = getenv(variable);
	int fd;

	if (!name || !*name)
		return;
	fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (fd < 0)
		return;
	put_line(fd, line);
	close(fd);
}

void report(const char *fmt, ...)
{
	static const char head[] = "hsa-emu: ";
	const char *abort_too = getenv("HSA_EMU_ABORT");
	char line[1100];
	va_list ap;

	memcpy(line, head, sizeof(head));
	va_start(ap, fmt);
	vsnprintf(line + sizeof(head) - 1, sizeof(line) - sizeof(head), fmt, ap);
	va_end(ap);
	put_line(STDERR_FILENO, line);
	report_append("HSA_EMU_REPORT", line);
	if (abort_too && !strcmp(abort_too, "1"))
		abort();
}
