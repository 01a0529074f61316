// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon/there.h"
#include "lib/array.h"
#include "lib/cpulist.h"

#define PRESENT	"/sys/devices/system/cpu/present"

/** CPU_NAMES - room for a list of CPUs, or for its beginning */
#define CPU_NAMES	128

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
	struct stat st;
	char *slash;

	(void)c;
	if (value[strlen(value) - 1] == '/') {
		snprintf(why, THERE_WHY, "that names a directory");
		return true;
	}
	if (!stat(value, &st))
		return not_of_kind(value, S_IFSOCK, "socket", why);
	snprintf(dir, sizeof(dir), "%s", value);
	for (int i = 0; i < 2; i++) {
		slash = strrchr(dir, '/');
		if (!slash || slash == dir)
			return false;
		*slash = '\0';
	}
	return not_of_kind(dir, S_IFDIR, "directory", why);
}

/* The names of those that are wanted, and not there; false: there are none. */
static bool lacking(const cpu_set_t *wanted, const cpu_set_t *there,
		    char names[CPU_NAMES])
{
	cpu_set_t set;

	CPU_AND(&set, wanted, there);
	CPU_XOR(&set, &set, wanted);
	cpulist_format(&set, names, CPU_NAMES);
	return CPU_COUNT(&set);
}

static void *see_cpus(void *set)
{
	sched_getaffinity(0, sizeof(cpu_set_t), set);
	return NULL;
}

/* The kernel says so of a thread that asks. */
int there_cpus(const cpu_set_t *wanted, cpu_set_t *set)
{
	pthread_attr_t attr;
	pthread_t thread;

	CPU_ZERO(set);
	if (!CPU_COUNT(wanted))
		return 0;
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(*wanted), wanted);
	if (!pthread_create(&thread, &attr, see_cpus, set))
		pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
	return CPU_COUNT(set);
}

static bool no_cpus(const struct config *c, const char *value, char *why)
{
	const cpu_set_t *wanted = &c->worker_cpus;
	char names[CPU_NAMES];
	cpu_set_t set;

	(void)value;
	if (cpulist_read(PRESENT, &set) && lacking(wanted, &set, names)) {
		snprintf(why, THERE_WHY, "this machine has no CPU %s", names);
		return true;
	}
	there_cpus(wanted, &set);
	if (!lacking(wanted, &set, names))
		return false;
	snprintf(why, THERE_WHY, "no worker may be on CPU %s: offline, or not in the cpuset",
		 names);
	return true;
}

/*
 * Of a backend that is not used, nobody asks its runtime. Where there is none, or no
 * driver, there is no telling: the daemon waits for what may come.
 */
static bool no_gpu(const struct config *c, const char *backend, char *why)
{
	return !strcmp(c->backend, backend) &&
	       backend_devices_there(c, why) == BACKEND_MISSING;
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

/* @device: of which a daemon that runs can already be asked for another one */
static const struct check {
	const char *name;
	bool (*missing)(const struct config *c, const char *value, char *why);
	bool device;
} checks[] = {
	{ "user", no_user, false },
	{ "control-group", no_group, false },
	{ "control-socket", no_place, false },
	{ "module", no_device, false },
	{ "worker-cpus", no_cpus, false },
	{ "hsa-device", no_hsa, true },
	{ "hsa-code", no_directory, false },
	{ "opencl-device", no_opencl, true },
	{ "opencl-cache", no_directory, false },
};

/* NULL: there is nothing that could be missing. */
static const struct check *check_of(const char *name)
{
	for (size_t k = 0; k < ARRAY_SIZE(checks); k++)
		if (!strcmp(checks[k].name, name))
			return &checks[k];
	return NULL;
}

bool config_missing(const struct config *c, size_t i,
		    const struct config_source *source, char *error)
{
	char why[THERE_WHY], where[READ_ERROR];
	struct config_shown shown, plain;
	const struct check *check;
	struct config defaults;

	config_init(&defaults);
	config_show(&defaults, i, &plain);
	config_show(c, i, &shown);
	check = check_of(shown.name);
	if (!check || !strcmp(shown.value, plain.value) ||
	    !check->missing(c, shown.value, why))
		return false;
	config_where(shown.origin, source, where, sizeof(where));
	snprintf(error, THERE_ERROR, "%s: %s = %s: %s", where, shown.name,
		 shown.value, why);
	return true;
}

/* Another device of the backend that is in use */
static bool other_device(const struct config *c, const struct config *running, size_t i)
{
	struct config_shown now, before;
	const struct check *check;

	config_show(c, i, &now);
	config_show(running, i, &before);
	check = check_of(now.name);
	return check && check->device && strcmp(now.value, before.value) &&
	       !strcmp(c->backend, running->backend);
}

bool config_unusable(const struct config *c, const struct config *running,
		     const struct config_source *source, char *error)
{
	for (size_t i = 0; i < CONFIG_SETTINGS; i++)
		if ((config_change(i) != SETTING_RESTART ||
		     (running && other_device(c, running, i))) &&
		    config_missing(c, i, source, error))
			return true;
	return false;
}
