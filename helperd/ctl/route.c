// SPDX-License-Identifier: GPL-2.0-only
/*
 * "route": what the module would do with a request now, and why.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl/ctl.h"
#include "lib/array.h"
#include "report/json.h"
#include "report/sysfs.h"

#define DEBUGFS		"/sys/kernel/debug"
#define ROUTE_FILE	DEBUGFS "/wavecrypt/route"
#define MODULE_DIR	"/sys/module/wavecrypt"

/* The module's words for why, in more words. */
static const struct {
	const char *word;
	const char *text;
} reasons[] = {
	{ "mode", "the mode says so" },
	{ "hazard", "a bug of this kernel: see status" },
	{ "long", "longer than any slot" },
	{ "calm", "this CPU has little to do" },
	{ "trial", "being tried" },
	{ "gains", "offloading gets more done" },
	{ "loses", "offloading gets no more done" },
	{ "costly", "handing it over costs as much as doing it" },
	{ "untried", "not tried yet" },
};

static const char *reason_text(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (!strcmp(reasons[i].word, word))
			return reasons[i].text;
	return word;
}

/* A line of the file, or NULL if that is not what it is. */
static json_t *parse_line(const char *line)
{
	unsigned int cpu, max_len, inline_ns, submit_ns, complete_ns;
	char alg[64], op[16], way[16], why[16];
	unsigned long long trial_ms;

	if (sscanf(line, "%u %63s %15s %u %15s %15s %u %u %u %llu", &cpu, alg,
		   op, &max_len, way, why, &inline_ns, &submit_ns,
		   &complete_ns, &trial_ms) != 10)
		return NULL;
	return json_pack("{s:i, s:s, s:s, s:i, s:s, s:s, s:i, s:i, s:i, s:I}",
			 "cpu", cpu, "algorithm", alg, "op", op, "max_len",
			 max_len, "way", way, "why", why, "inline_ns",
			 inline_ns, "submit_ns", submit_ns, "complete_ns",
			 complete_ns, "trial_in_ms", (json_int_t)trial_ms);
}

/* Why the file cannot be opened: what is there depends on the module and on debugfs. */
static json_t *no_route(const struct ctl *c, const char *path, int err)
{
	char module[4096];

	snprintf(module, sizeof(module), "%s" MODULE_DIR, c->root);
	if (err == EACCES)
		return json_string("only root may see it");
	if (err != ENOENT)
		return json_sprintf("%s: %s", path, strerror(err));
	if (access(module, F_OK))
		return json_string("the module is not loaded (modprobe wavecrypt)");
	return json_sprintf("%s: not there; is debugfs mounted (mount -t debugfs none %s)?",
			    path, DEBUGFS);
}

json_t *route_collect(const struct ctl *c)
{
	json_t *classes, *mode = sysfs_mode(c->root), *route;
	char *path = NULL, *line = NULL;
	size_t size = 0;
	FILE *file;

	if (asprintf(&path, "%s" ROUTE_FILE, c->root) < 0)
		return NULL;
	route = json_pack("{s:o*}", "mode", mode);
	file = fopen(path, "r");
	classes = file ? json_array() : NULL;
	if (file)
		json_object_set_new(route, "classes", classes);
	else
		json_object_set_new(route, "error", no_route(c, path, errno));
	while (file && getline(&line, &size, file) > 0)
		if (line[0] != '#')
			json_array_append_new(classes, parse_line(line));
	if (file)
		fclose(file);
	free(line);
	free(path);
	return route;
}

static void print_class(const json_t *class)
{
	long long submit = number(class, "submit_ns");
	long long complete = number(class, "complete_ns");

	printf("%3lld  %-38s %s %6lld %8lld ", (long long)number(class, "cpu"),
	       text(class, "algorithm"), text(class, "op"),
	       (long long)number(class, "max_len"),
	       (long long)number(class, "inline_ns"));
	if (submit && complete)
		printf("%8lld+%-6lld", submit, complete);
	else
		printf("%8s %-6s", "-", "");
	printf(" %-7s  %s\n", text(class, "way"), reason_text(text(class, "why")));
}

void route_print(const json_t *route)
{
	const char *mode = text(route, "mode");
	const json_t *class;
	size_t i;

	if (text(route, "error")[0]) {
		printf("route: %s\n", text(route, "error"));
		return;
	}
	printf("mode: %s\n", mode[0] ? mode : "unknown");
	printf("%3s  %-38s %-7s %6s %8s %15s %-7s  %s\n", "CPU", "algorithm",
	       "op", "bytes", "inline", "submit+complete", "way", "why");
	json_array_foreach(json_object_get(route, "classes"), i, class)
		print_class(class);
}
