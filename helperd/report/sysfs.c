// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the module shows is read as it is found: a newer module's counters need
 * no newer tool.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/sysfs.h"
#include "lib/array.h"
#include "lib/cpulist.h"

/* "1024:7 2048:1 sum:9": an object of numbers by name; NULL if it is none. */
static json_t *read_ranges(const char *text)
{
	json_t *ranges = json_object();
	char name[32];
	int used;
	long long n;

	while (sscanf(text, " %31[^: ]:%lld%n", name, &n, &used) == 2) {
		json_object_set_new(ranges, name, json_integer(n));
		text += used;
	}
	if (!*text && json_object_size(ranges))
		return ranges;
	json_decref(ranges);
	return NULL;
}

/* A file's first line: a number if it is one, ranges if it has such, else a string;
 * NULL: no file.
 */
static json_t *read_value(int dir, const char *name)
{
	char text[1024], *end;
	json_t *ranges;
	long long number;
	ssize_t n;
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return NULL;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	number = strtoll(text, &end, 10);
	if (end != text && !*end)
		return json_integer(number);
	ranges = read_ranges(text);
	return ranges ? ranges : json_string(text);
}

/* What the driver core adds to every device is not the module's, and hazards are
 * no counters.
 */
static bool ours(const char *name)
{
	static const char *const theirs[] = {
		"dev", "uevent", "power", "subsystem", "hazards",
	};

	if (name[0] == '.')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(theirs); i++)
		if (!strcmp(name, theirs[i]))
			return false;
	return true;
}

static json_t *read_dir(int fd, bool deeper)
{
	DIR *dir = fdopendir(fd);
	json_t *all = json_object();
	const struct dirent *entry;

	if (!dir) {
		close(fd);
		return all;
	}
	while ((entry = readdir(dir))) {
		int sub = -1;
		json_t *value;

		if (!ours(entry->d_name))
			continue;
		if (deeper)
			sub = openat(fd, entry->d_name,
				     O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		value = sub >= 0 ? read_dir(sub, false) :
				   read_value(fd, entry->d_name);
		if (value)
			json_object_set_new(all, entry->d_name, value);
	}
	closedir(dir);
	return all;
}

/* That a helper has so long says nothing of what came. */
static bool counted(const json_t *values)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)values, name, value)
		if (json_is_object(value) ? counted(value) :
		    strcmp(name, "stall_ms") && json_integer_value(value))
			return true;
	return false;
}

/* A virtual machine may announce hundreds of processors that it does not have, each of
 * which has a queue.
 */
static void leave_out_absent(json_t *module, const char *root)
{
	char path[4096];
	cpu_set_t present;
	const char *name;
	json_t *queue;
	void *next;
	int cpu;

	snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/present", root);
	if (!cpulist_read(path, &present))
		return;
	json_object_foreach_safe(module, next, name, queue)
		if (sscanf(name, "queue%d", &cpu) == 1 &&
		    !CPU_ISSET(cpu, &present) && !counted(queue))
			json_object_del(module, name);
}

json_t *sysfs_module(const char *root)
{
	char path[4096];
	json_t *module;
	int fd;

	snprintf(path, sizeof(path), "%s/sys/class/misc/wavecrypt", root);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	module = read_dir(fd, true);
	leave_out_absent(module, root);
	return module;
}

json_t *sysfs_mode(const char *root)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/sys/module/wavecrypt/parameters/mode",
		 root);
	return read_value(AT_FDCWD, path);
}
