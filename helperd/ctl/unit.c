// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ctl/unit.h"
#include "lib/array.h"

#define UNIT	"wavecryptd.service"

/* The first that has the unit has it; drop-ins count wherever they are. */
static const char *const places[] = {
	"/etc/systemd/system", "/run/systemd/system",
	"/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
	"/lib/systemd/system",
};

/* Those before it are not for installations, but for who has one to go over. */
#define INSTALLED	2

/* Calls with each line that sets something, in two parts. */
static bool each_setting(const char *path,
			 void (*set)(void *context, const char *name,
				     const char *value),
			 void *context)
{
	FILE *f = fopen(path, "re");
	char *line = NULL, *equals;
	size_t size = 0;

	if (!f)
		return false;
	while (getline(&line, &size, f) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		equals = strchr(line, '=');
		if (!equals || strchr("#;[", line[0]))
			continue;
		*equals = '\0';
		set(context, line, equals + 1);
	}
	free(line);
	fclose(f);
	return true;
}

/* An empty value takes back what was set before. */
static void add(void *context, const char *name, const char *value)
{
	json_t *unit = context, *values = json_object_get(unit, name);

	if (!values) {
		values = json_array();
		json_object_set_new(unit, name, values);
	}
	if (value[0])
		json_array_append_new(values, json_string(value));
	else
		json_array_clear(values);
}

json_t *unit_read(const char *root)
{
	json_t *unit = json_object();
	char path[PATH_MAX];
	bool found = false;
	glob_t g;

	for (size_t i = 0; !found && i < ARRAY_SIZE(places); i++) {
		snprintf(path, sizeof(path), "%s%s/" UNIT, root, places[i]);
		found = each_setting(path, add, unit);
	}
	for (size_t i = ARRAY_SIZE(places); found && i--;) {
		snprintf(path, sizeof(path), "%s%s/" UNIT ".d/*.conf", root,
			 places[i]);
		if (glob(path, 0, NULL, &g))
			continue;
		for (size_t k = 0; k < g.gl_pathc; k++)
			each_setting(g.gl_pathv[k], add, unit);
		globfree(&g);
	}
	if (found)
		return unit;
	json_decref(unit);
	return NULL;
}

json_t *unit_installed(const char *root)
{
	json_t *paths = json_array();
	struct stat st, last = { 0 };
	char path[PATH_MAX];

	for (size_t i = INSTALLED; i < ARRAY_SIZE(places); i++) {
		snprintf(path, sizeof(path), "%s%s/" UNIT, root, places[i]);
		if (stat(path, &st))
			continue;
		/* /lib may be /usr/lib. */
		if (st.st_ino != last.st_ino || st.st_dev != last.st_dev)
			json_array_append_new(paths, json_string(path + strlen(root)));
		last = st;
	}
	return paths;
}

const char *unit_last(const json_t *unit, const char *setting)
{
	const json_t *values = json_object_get(unit, setting);
	size_t nr = json_array_size(values);

	return nr ? json_string_value(json_array_get(values, nr - 1)) : "";
}

/* Of these, each counts. */
static bool is_list(const char *setting)
{
	static const char *const lists[] = {
		"Wants", "After", "DeviceAllow", "SupplementaryGroups",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		if (!strcmp(setting, lists[i]))
			return true;
	return false;
}

static bool in_force(const json_t *unit, const char *setting, const char *value)
{
	const json_t *one;
	size_t i;

	if (!is_list(setting))
		return !strcmp(unit_last(unit, setting), value);
	json_array_foreach(json_object_get(unit, setting), i, one)
		if (!strcmp(json_string_value(one), value))
			return true;
	return false;
}

/**
 * struct lack - looking for what is not in force
 * @unit: the unit
 * @lines: what is not
 */
struct lack {
	const json_t *unit;
	json_t *lines;
};

static void look(void *context, const char *setting, const char *value)
{
	struct lack *lack = context;

	if (!in_force(lack->unit, setting, value))
		json_array_append_new(lack->lines,
				      json_sprintf("%s=%s", setting, value));
}

json_t *unit_lacks(const json_t *unit, const char *path)
{
	struct lack lack = { unit, json_array() };

	if (each_setting(path, look, &lack))
		return lack.lines;
	json_decref(lack.lines);
	return NULL;
}
