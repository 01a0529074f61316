// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages of the daemon: one write() each, so that threads do not mix them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/log.h"

static const char *log_name = "wavecrypt";
static int log_level = LOG_INFO;
static bool log_journal;
static bool log_syslog;

static const struct {
	const char *name;
	int level;
} levels[] = {
	{ "error", LOG_ERR },
	{ "warning", LOG_WARNING },
	{ "notice", LOG_NOTICE },
	{ "info", LOG_INFO },
	{ "debug", LOG_DEBUG },
};

int log_level_parse(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (!strcmp(levels[i].name, text))
			return levels[i].level;
	return -1;
}

const char *log_level_name(int level)
{
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (levels[i].level == level)
			return levels[i].name;
	return "";
}

void log_level_set(int level)
{
	__atomic_store_n(&log_level, level, __ATOMIC_RELAXED);
}

void log_setup(const char *name, int level)
{
	log_name = name;
	log_level_set(level);
	log_journal = getenv("JOURNAL_STREAM");
}

void log_to_syslog(void)
{
	openlog(log_name, LOG_PID, LOG_DAEMON);
	log_syslog = true;
}

void log_msg(int level, const char *fmt, ...)
{
	/* A long list of CPUs is among what is said. */
	char line[4096];
	size_t room = sizeof(line) - 1;
	va_list args;
	int n, m;

	if (level > __atomic_load_n(&log_level, __ATOMIC_RELAXED))
		return;
	if (log_syslog) {
		va_start(args, fmt);
		vsyslog(level, fmt, args);
		va_end(args);
		return;
	}
	n = log_journal ? snprintf(line, room, "<%d>", level) :
			  snprintf(line, room, "%s: ", log_name);
	va_start(args, fmt);
	m = vsnprintf(line + n, room - n, fmt, args);
	va_end(args);
	if (m < 0)
		return;
	n = (size_t)m < room - n ? n + m : (int)room - 1;
	line[n++] = '\n';
	/* If that fails, nobody is left to tell. */
	n = write(STDERR_FILENO, line, n);
	(void)n;
}
