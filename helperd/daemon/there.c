// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/there.h"
#include "lib/array.h"
#include "lib/cpulist.h"

#define PRESENT	"/sys/devices/system/cpu/present"

static bool no_user(const struct config *c, const char *value, char *why)
{
	(void)c;
	snprintf(why, THERE_WHY, "no such user");
	return !getpwnam(value);
}

static bool no_group(const struct config *c, const char *value, char *why)
{
	(void)c;
	snprintf(why, THERE_WHY, "no such group");
	return !getgrnam(value);
}

static bool not_of_kind(const char *path, mode_t kind, const char *what,
			char *why)
{
	struct stat st;

	if (stat(path, &st)) {
		snprintf(why, THERE_WHY, "%s", strerror(errno));
		return true;
	}
	snprintf(why, THERE_WHY, "not a %s", what);
	return (st.st_mode & S_IFMT) != kind;
}

static bool no_device(const struct config *c, const char *value, char *why)
{
	(void)c;
	return not_of_kind(value, S_IFCHR, "device", why);
}

static bool no_directory(const struct config *c, const char *value, char *why)
{
	(void)c;
	return not_of_kind(value, S_IFDIR, "directory", why);
}

/* The daemon makes the directory that the socket is in, but not what that is in. */
static bool no_place(const struct config *c, const char *value, char *why)
{
	char dir[CONFIG_VALUE];
	char *slash;

	(void)c;
	snprintf(dir, sizeof(dir), "%s", value);
	for (int i = 0; i < 2; i++) {
		slash = strrchr(dir, '/');
		if (!slash || slash == dir)
			return false;
		*slash = '\0';
	}
	return not_of_kind(dir, S_IFDIR, "directory", why);
}

static bool no_cpus(const struct config *c, const char *value, char *why)
{
	cpu_set_t wanted, present, both;
	char names[128];

	(void)c;
	if (!cpulist_read(PRESENT, &present) || !cpulist_parse(value, &wanted, NULL))
		return false;
	CPU_AND(&both, &wanted, &present);
	/* Those that are wanted, and not in both */
	CPU_XOR(&wanted, &wanted, &both);
	cpulist_format(&wanted, names, sizeof(names));
	snprintf(why, THERE_WHY, "this machine has no CPU %s", names);
	return CPU_COUNT(&wanted);
}

/* Of a backend that is not used, nobody asks its runtime. */
static bool no_gpu(const struct config *c, const char *backend, char *why)
{
	return !strcmp(c->backend, backend) &&
	       backend_devices_there(c, why) != BACKEND_THERE;
}

static bool no_hsa(const struct config *c, const char *value, char *why)
{
	(void)value;
	return no_gpu(c, "hsa", why);
}

static bool no_opencl(const struct config *c, const char *value, char *why)
{
	(void)value;
	return no_gpu(c, "opencl", why);
}

static const struct {
	const char *name;
	bool (*missing)(const struct config *c, const char *value, char *why);
} checks[] = {
	{ "user", no_user },
	{ "control-group", no_group },
	{ "control-socket", no_place },
	{ "module", no_device },
	{ "worker-cpus", no_cpus },
	{ "hsa-device", no_hsa },
	{ "hsa-code", no_directory },
	{ "opencl-device", no_opencl },
	{ "opencl-cache", no_directory },
};

bool config_missing(const struct config *c, size_t i, char *why)
{
	struct config_shown shown, plain;
	struct config defaults;

	config_init(&defaults);
	config_show(&defaults, i, &plain);
	config_show(c, i, &shown);
	if (!strcmp(shown.value, plain.value))
		return false;
	for (size_t k = 0; k < ARRAY_SIZE(checks); k++)
		if (!strcmp(checks[k].name, shown.name))
			return checks[k].missing(c, shown.value, why);
	return false;
}
