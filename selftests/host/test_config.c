// SPDX-License-Identifier: GPL-2.0-only
/*
 * The configuration file.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "daemon/config.h"
#include "ktap.h"
#include "lib/array.h"
#include "lib/cpulist.h"

static char path[64];

static void write_file(const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	EXPECT(f && fwrite(text, 1, len, f) == len, "cannot write %s", path);
	if (f)
		fclose(f);
}

static bool read_text(struct config *c, const char *text,
		      struct config_error *err)
{
	config_init(c);
	write_file(text, strlen(text));
	return config_file(c, path, err);
}

static void good_file(void)
{
	struct config_error err;
	struct config c;

	EXPECT(read_text(&c,
			 "# all kinds\n"
			 "\n"
			 "transport=loopback\n"
			 "  module = /dev/other   # a comment\n"
			 "\tworkers\t=\t3\r\n"
			 "worker-cpus = 0-2,5\n"
			 "entries = auto\n"
			 "seccomp = no\n"
			 "spin-us = 0\n"
			 "log-level = debug", &err),
	       "%u:%u: %s", err.line, err.column, err.text);
	EXPECT(c.transport == CONFIG_LOOPBACK, "%u", c.transport);
	EXPECT(!strcmp(c.module, "/dev/other"), "\"%s\"", c.module);
	EXPECT(c.workers == 3, "%u", c.workers);
	EXPECT(CPU_COUNT(&c.worker_cpus) == 4 &&
	       CPU_ISSET(5, &c.worker_cpus), "%d CPUs",
	       CPU_COUNT(&c.worker_cpus));
	EXPECT(c.entries == 0, "%u", c.entries);
	EXPECT(!c.seccomp, "seccomp on");
	EXPECT(c.spin_us == 0, "%u", c.spin_us);
	EXPECT(c.log_level == LOG_DEBUG, "%d", c.log_level);
	EXPECT(!strcmp(c.control, CONFIG_CONTROL), "\"%s\"", c.control);
}

static void empty_file(void)
{
	struct config_error err;
	struct config c, defaults;

	config_init(&defaults);
	EXPECT(read_text(&c, "", &err), "%s", err.text);
	EXPECT(!memcmp(&c, &defaults, sizeof(c)), "not the defaults");
}

/* What is shown of a setting, by its name */
static const char *shown(const struct config *c, const char *name,
			 struct config_origin *origin)
{
	static struct config_shown s;

	for (size_t i = 0; i < CONFIG_SETTINGS; i++) {
		config_show(c, i, &s);
		if (strcmp(s.name, name))
			continue;
		if (origin)
			*origin = s.origin;
		return s.value;
	}
	return NULL;
}

static void origins(void)
{
	struct config_origin origin;
	struct config_error err;
	struct config c;

	EXPECT(read_text(&c, "\nspin-us = 1\nspin-us = 2\nspin-us = x\n",
			 &err) == false, "accepted");
	EXPECT(!strcmp(shown(&c, "spin-us", &origin), "2") &&
	       origin.from == CONFIG_FILE && origin.line == 3, "%u:%u",
	       origin.from, origin.line);
	EXPECT(config_line(&c, "spin-us = 5", &err), "%s", err.text);
	shown(&c, "spin-us", &origin);
	EXPECT(origin.from == CONFIG_COMMAND, "%u", origin.from);
	shown(&c, "workers", &origin);
	EXPECT(origin.from == CONFIG_DEFAULTS, "%u", origin.from);
}

/* What was called otherwise before GPUs were devices is understood as ever, and shown
 * by its name of today.
 */
static void old_names(void)
{
	struct config_error err;
	struct config c;

	EXPECT(read_text(&c, "transport = loopback\ndevice = /dev/other\n", &err), "%s",
	       err.text);
	EXPECT(!strcmp(shown(&c, "module", NULL), "/dev/other"), "\"%s\"",
	       shown(&c, "module", NULL));
	EXPECT(config_line(&c, "transport = device", &err), "%s", err.text);
	EXPECT(!strcmp(shown(&c, "transport", NULL), "module"), "\"%s\"",
	       shown(&c, "transport", NULL));
	EXPECT(!shown(&c, "device", NULL), "shown by its old name");
	EXPECT(!config_line(&c, "schedule = device", &err), "of another setting");
}

/* Every setting, written as it is read: what is shown says the same. */
static void all_shown(void)
{
	static const char *const lines[] = {
		"transport = loopback", "module = /a", "control-socket = /b",
		"control-group = c", "backend = opencl", "user = d",
		"replace = yes", "lock-memory = no", "seccomp = no",
		"entries = 128", "workers = 3", "queues-per-worker = 5",
		"worker-cpus = 0-2,5", "spin-us = 6", "batch-max = 7",
		"schedule = algorithm+length", "length-range = 512",
		"leftover-age = 8", "balance = no", "device-retry-ms = 9",
		"device-timeout-ms = 11", "device-chunk = 64",
		"device-chunk-kib = 128", "device-chunks = 12",
		"device-workers = 13", "hsa-device = e", "hsa-code = /f",
		"hsa-mode = persistent", "hsa-groups = 14",
		"opencl-device = g", "opencl-cache = /h",
		"opencl-memory = shared", "opencl-groups = 15",
		"opencl-runs = no", "bell-patience-us = 16",
		"bell-again-us = 117", "log-level = warning",
	};
	struct config c, defaults, again;
	struct config_error err;

	EXPECT(ARRAY_SIZE(lines) == CONFIG_SETTINGS, "%zu of %d",
	       ARRAY_SIZE(lines), CONFIG_SETTINGS);
	config_init(&defaults);
	config_init(&again);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct config_shown s, plain;
		char line[CONFIG_VALUE + 64];

		c = defaults;
		EXPECT(config_line(&c, lines[i], &err), "%s", err.text);
		config_show(&c, i, &s);
		config_show(&defaults, i, &plain);
		snprintf(line, sizeof(line), "%s = %s", s.name, s.value);
		EXPECT(!strcmp(line, lines[i]), "\"%s\", not \"%s\"", line,
		       lines[i]);
		EXPECT(strcmp(s.value, plain.value), "%s is the default",
		       lines[i]);
		/* Its size is known: all of it is taken over, or nothing. */
		if (config_adopt(&again, &c, i) != SETTING_RESTART)
			EXPECT(!strcmp(shown(&again, s.name, NULL), s.value),
			       "\"%s\"", shown(&again, s.name, NULL));
		else
			EXPECT(!strcmp(shown(&again, s.name, NULL),
				       plain.value), "%s", s.name);
	}
}

static void bad_lines(void)
{
	static const struct {
		const char *text;
		unsigned int line, column;
		const char *says;
	} bad[] = {
		{ "spin_us = 3", 1, 1, "unknown setting \"spin_us\"" },
		{ "\n\n  colour = red", 3, 3, "unknown setting \"colour\"" },
		{ "spin-us", 1, 1, "expected" },
		{ "# x\nspin-us # = 3", 2, 1, "expected" },
		{ "spin-us =", 1, 9, "value missing" },
		{ "spin-us = # 5", 1, 9, "value missing" },
		{ "= 5", 1, 1, "unknown setting \"\"" },
		{ "spin-us = many", 1, 11, "not a number" },
		{ "spin-us = 5x", 1, 11, "not a number" },
		{ "spin-us = -5", 1, 11, "not a number" },
		{ "spin-us = 99999999", 1, 11, "out of range" },
		{ "spin-us = 99999999999999999999", 1, 11, "out of range" },
		{ "batch-max = 0", 1, 13, "1 to 128" },
		{ "entries = 100", 1, 11, "power of two" },
		{ "entries = 8192", 1, 11, "out of range" },
		{ "replace = maybe", 1, 11, "neither \"yes\" nor \"no\"" },
		{ "backend = magic", 1, 11, "no such backend" },
		{ "transport = pigeon", 1, 13, "neither \"module\" nor \"loopback\"" },
		{ "module = wavecrypt", 1, 10, "not an absolute path" },
		{ "device = wavecrypt", 1, 10, "not an absolute path" },
		{ "worker-cpus = 3-1", 1, 15, "list of CPUs" },
		{ "worker-cpus = 1,", 1, 15, "list of CPUs" },
		{ "log-level = loud", 1, 13, "none of" },
	};
	struct config_error err;
	struct config c;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		memset(&err, 0, sizeof(err));
		EXPECT(!read_text(&c, bad[i].text, &err), "accepted: %s",
		       bad[i].text);
		EXPECT(err.line == bad[i].line && err.column == bad[i].column,
		       "\"%s\": %u:%u", bad[i].text, err.line, err.column);
		EXPECT(strstr(err.text, bad[i].says), "\"%s\": \"%s\"",
		       bad[i].text, err.text);
	}
}

static void hostile_files(void)
{
	static char text[70000];
	struct config_error err;
	struct config c;

	config_init(&c);
	write_file("spin-us = 1\nspin\0-us = 2\n", 25);
	EXPECT(!config_file(&c, path, &err) && err.line == 2 &&
	       err.column == 5, "%u:%u: %s", err.line, err.column, err.text);

	memset(text, 'a', sizeof(text));
	write_file(text, sizeof(text));
	EXPECT(!config_file(&c, path, &err) && err.line == 1, "%s", err.text);
	text[3] = '=';
	write_file(text, sizeof(text));
	EXPECT(!config_file(&c, path, &err) && err.line == 1, "%s", err.text);
	memcpy(text, "module =/", 9);
	write_file(text, sizeof(text));
	EXPECT(!config_file(&c, path, &err) && err.line == 1, "%s", err.text);

	EXPECT(!config_file(&c, "/nowhere/at/all", &err) && !err.line,
	       "read a file that is not there");
	EXPECT(!config_file(&c, "/", &err) && !err.line, "read a directory");
}

static void cpulists(void)
{
	static const struct {
		const char *text;
		const char *again;
	} good[] = {
		{ "0", "0" }, { "0\n", "0" }, { "0-3", "0-3" },
		{ "3,0,1", "0-1,3" }, { "0-1,1-2,7", "0-2,7" },
		{ "1023", "1023" },
	};
	static const char *const bad[] = {
		"", "\n", "a", "1024", "0-", "-1", "1,,2", "1 2", "1\n2",
		"2-1", "99999999999999999999", "0x1",
	};
	cpu_set_t set;
	char out[64];

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT(cpulist_parse(good[i].text, &set, NULL), "\"%s\"",
		       good[i].text);
		cpulist_format(&set, out, sizeof(out));
		EXPECT(!strcmp(out, good[i].again), "\"%s\": \"%s\"",
		       good[i].text, out);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT(!cpulist_parse(bad[i], &set, NULL), "\"%s\"", bad[i]);
}

/* Of one that may not fit */
static void expect_cut(const cpu_set_t *set, size_t size, const char *want)
{
	char out[32];

	cpulist_format(set, out, size);
	EXPECT(!strcmp(out, want), "%zu: \"%s\", not \"%s\"", size, out, want);
}

/* One is missing after each, or after every two, or three. */
static void long_cpulists(void)
{
	char out[CPULIST_SIZE];
	cpu_set_t set, again;

	for (int there = 1; there < 4; there++) {
		CPU_ZERO(&set);
		for (int i = 0; i < CPU_SETSIZE; i++)
			if (i % (there + 1))
				CPU_SET(i, &set);
		cpulist_format(&set, out, sizeof(out));
		EXPECT(cpulist_parse(out, &again, NULL) && CPU_EQUAL(&set, &again),
		       "%d: %s", there, out);
	}
	cpulist_parse("96,98,100-107", &set, NULL);
	expect_cut(&set, 14, "96,98,100-107");
	expect_cut(&set, 13, "96,98,...");
	expect_cut(&set, 10, "96,98,...");
	expect_cut(&set, 9, "96,...");
	expect_cut(&set, 6, "...");
}

static const struct ktap_case cases[] = {
	{ "a file with every kind of setting", good_file },
	{ "an empty file leaves the defaults", empty_file },
	{ "where a setting is from", origins },
	{ "older names are understood", old_names },
	{ "every setting is shown as it is read", all_shown },
	{ "what is wrong is told with line and column", bad_lines },
	{ "files that are none", hostile_files },
	{ "lists of CPUs", cpulists },
	{ "lists of CPUs that are long", long_cpulists },
	{ 0 },
};

int main(void)
{
	int fd, status;

	strcpy(path, "/tmp/wavecrypt-test.XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	status = ktap_run(cases);
	unlink(path);
	return status;
}
