// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "inject.h"
#include "report.h"
#include "status.h"

enum { RULES = 32 };

struct rule {
	char name[64];
	unsigned long nth, calls;
	bool onwards;
	hsa_status_t status;
	enum injection packet;
	unsigned int microseconds;
};

static struct {
	pthread_mutex_t lock;
	bool read;
	struct stat seen;
	unsigned int nr;
	struct rule rules[RULES];
} inject = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool parse_failure(const char *what, struct rule *r)
{
	static const char *const names[] = {
		[INJECT_HANG] = "hang",
		[INJECT_FAULT] = "fault",
		[INJECT_ILLEGAL] = "illegal",
		[INJECT_RESET] = "reset",
		[INJECT_VANISH] = "vanish",
		[INJECT_NEGATIVE] = "negative",
	};

	if (sscanf(what, "slow:%u", &r->microseconds) == 1) {
		r->packet = INJECT_SLOW;
		return true;
	}
	for (unsigned int k = INJECT_HANG; k < INJECT_SLOW; k++)
		if (!strcmp(names[k], what)) {
			r->packet = k;
			return true;
		}
	return false;
}

static bool parse_rule(char *text, struct rule *r)
{
	char *value = strchr(text, '='), *nth = strchr(text, '#'), *end;

	memset(r, 0, sizeof(*r));
	if (!value || !nth || nth > value)
		return false;
	*value++ = 0;
	*nth++ = 0;
	if (strlen(text) >= sizeof(r->name))
		return false;
	strcpy(r->name, text);
	r->nth = strtoul(nth, &end, 10);
	r->onwards = *end == '+';
	if (!r->nth || end == nth || end[r->onwards])
		return false;
	if (!strcmp(text, "packet") || !strncmp(text, "packet@", 7))
		return parse_failure(value, r);
	return status_parse(value, &r->status);
}

static void parse(char *text)
{
	char *save;

	inject.nr = 0;
	for (char *one = strtok_r(text, " ;\n", &save); one; one = strtok_r(NULL, " ;\n", &save)) {
		char copy[128];

		snprintf(copy, sizeof(copy), "%s", one);
		if (inject.nr < RULES && parse_rule(one, &inject.rules[inject.nr]))
			inject.nr++;
		else
			report("cannot make out the rule \"%s\"", copy);
	}
}

static void read_file(const char *name)
{
	char text[4096];
	struct stat now;
	size_t n = 0;
	FILE *file;

	if (stat(name, &now))
		memset(&now, 0, sizeof(now));
	if (now.st_mtim.tv_sec == inject.seen.st_mtim.tv_sec &&
	    now.st_mtim.tv_nsec == inject.seen.st_mtim.tv_nsec &&
	    now.st_ino == inject.seen.st_ino && now.st_size == inject.seen.st_size)
		return;
	inject.seen = now;
	file = fopen(name, "re");
	if (file) {
		n = fread(text, 1, sizeof(text) - 1, file);
		fclose(file);
	}
	text[n] = 0;
	parse(text);
}

/* With the lock held */
static void refresh(void)
{
	const char *file = getenv("HSA_EMU_CONTROL"), *fail = getenv("HSA_EMU_FAIL");
	char text[4096];

	if (file && *file) {
		read_file(file);
	} else if (!inject.read && fail) {
		snprintf(text, sizeof(text), "%s", fail);
		parse(text);
	}
	inject.read = true;
}

/* The rule that this call, the Nth of its name, meets */
static struct rule *meets(const char *name)
{
	struct rule *met = NULL;

	for (unsigned int k = 0; k < inject.nr; k++) {
		struct rule *r = &inject.rules[k];

		if (strcmp(r->name, name))
			continue;
		r->calls++;
		if (!met && (r->calls == r->nth || (r->onwards && r->calls > r->nth)))
			met = r;
	}
	return met;
}

hsa_status_t inject_call(const char *function)
{
	hsa_status_t status = HSA_STATUS_SUCCESS;
	struct rule *r;

	pthread_mutex_lock(&inject.lock);
	refresh();
	r = meets(function);
	if (r)
		status = r->status;
	pthread_mutex_unlock(&inject.lock);
	return status;
}

enum injection inject_packet(unsigned int node, unsigned int *microseconds)
{
	enum injection how = INJECT_NONE;
	struct rule *r, *own;
	char name[32];

	snprintf(name, sizeof(name), "packet@%u", node);
	pthread_mutex_lock(&inject.lock);
	refresh();
	own = meets(name);
	r = meets("packet");
	if (own)
		r = own;
	if (r) {
		how = r->packet;
		*microseconds = r->microseconds;
	}
	pthread_mutex_unlock(&inject.lock);
	return how;
}
