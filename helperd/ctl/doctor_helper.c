// SPDX-License-Identifier: GPL-2.0-only
/*
 * The daemon, its configuration, its memory.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl/doctor.h"
#include "ctl/unit.h"
#include "daemon/there.h"
#include "lib/cpulist.h"
#include "report/json.h"
#include "version.h"

#define NOT_WITH_IT	"the daemon will not start with it: wavecryptd.conf(5)"
#define WITH_OTHERS	"the daemon starts with the others, and takes nothing over that names these"
#define OUR_CPUSET	"they are online: the daemon may be on them, unless its cpuset lacks them, too"

/* The daemon ends with it; or we may not read what it may. */
static void say_wrong(struct doctor *d, const struct config_error *err)
{
	if (err->line)
		doctor_say(d, "configuration", DOCTOR_BAD, NOT_WITH_IT,
			   CONFIG_DEFAULT ":%u:%u: %s", err->line, err->column,
			   err->text);
	else
		doctor_say(d, "configuration",
			   geteuid() ? DOCTOR_NOTE : DOCTOR_BAD, NULL,
			   CONFIG_DEFAULT ": %s", err->text);
}

/* Where we may not be is our cpuset's affair: the daemon has its own. */
static bool are_online(const struct doctor *d, const cpu_set_t *wanted)
{
	char text[1024];
	cpu_set_t cpus;

	if (!doctor_read(d, "sys/devices/system/cpu/online", text, sizeof(text)) ||
	    !cpulist_parse(text, &cpus, NULL))
		return false;
	CPU_AND(&cpus, &cpus, wanted);
	return CPU_EQUAL(&cpus, wanted);
}

/* Of the file that the daemon reads if it is not told of another */
static void check_config(struct doctor *d, struct config *config)
{
	const struct config_source source = { .file = CONFIG_DEFAULT };
	char path[4096], unusable[THERE_ERROR];
	struct config_error err;
	cpu_set_t there;

	config_init(config);
	snprintf(path, sizeof(path), "%s%s", d->ctl->root, CONFIG_DEFAULT);
	if (access(path, F_OK) && errno == ENOENT)
		doctor_say(d, "configuration", DOCTOR_GOOD, NULL,
			   "no " CONFIG_DEFAULT ": every setting has its default");
	else if (!config_file(config, path, &err))
		say_wrong(d, &err);
	else if (!config_unusable(config, NULL, &source, unusable))
		doctor_say(d, "configuration", DOCTOR_GOOD, NULL,
			   CONFIG_DEFAULT);
	else if (are_online(d, &config->worker_cpus))
		doctor_say(d, "configuration", DOCTOR_NOTE, OUR_CPUSET, "%s",
			   unusable);
	else if (there_cpus(&config->worker_cpus, &there))
		doctor_say(d, "configuration", DOCTOR_WARNING, WITH_OTHERS, "%s",
			   unusable);
	else
		doctor_say(d, "configuration", DOCTOR_BAD, NOT_WITH_IT, "%s",
			   unusable);
}

/* Packages beside what make install has put there: which is in use is easily mistaken. */
static void check_units(struct doctor *d)
{
	json_t *paths = unit_installed(d->ctl->root);

	if (json_array_size(paths) > 1)
		doctor_say(d, "unit", DOCTOR_WARNING,
			   "keep one installation: make uninstall, or remove the package",
			   "there are two, %s and %s: systemd takes the first",
			   json_string_value(json_array_get(paths, 0)),
			   json_string_value(json_array_get(paths, 1)));
	json_decref(paths);
}

/* "none integrity [confidentiality]": nobody is shown the keys of SAs. */
static bool keeps_keys(const struct doctor *d)
{
	char line[256];

	return doctor_read(d, "sys/kernel/security/lockdown", line,
			   sizeof(line)) &&
	       strstr(line, "[confidentiality]");
}

static void check_attached(struct doctor *d)
{
	const char *state = text(d->module, "state");
	long long pid = number(d->module, "helper_pid");

	if (!strcmp(state, "live"))
		doctor_say(d, "channel", DOCTOR_GOOD, NULL,
			   "process %lld serves the module", pid);
	else if (!strcmp(state, "none") && keeps_keys(d))
		doctor_say(d, "channel", DOCTOR_BAD,
			   "boot with lockdown=integrity, or without lockdown=, if the daemon may see them",
			   "no daemon can attach to the module: the kernel is locked down for confidentiality, and shows nobody the keys of SAs");
	else if (!strcmp(state, "none"))
		doctor_say(d, "channel", DOCTOR_BAD,
			   "systemctl start wavecryptd; its log says why if that fails",
			   "no daemon is attached to the module");
	else if (!strcmp(state, "stalled"))
		doctor_say(d, "channel", DOCTOR_BAD,
			   "is the daemon stopped, or without processor time (a debugger, cgroup limits)?",
			   "process %lld does not answer; the kernel does its work",
			   pid);
	else
		doctor_say(d, "channel", DOCTOR_BAD,
			   "restart the daemon; the kernel log says what it did",
			   "%s, of process %lld", state, pid);
}

static bool is_loopback(const struct doctor *d)
{
	return !strcmp(text(d->helper, "channel"), "loopback");
}

/* The module has no more than one. By its number that is not to be seen where the daemon
 * has a PID namespace of its own.
 */
static bool serves_module(const struct doctor *d)
{
	return !is_loopback(d) && !strcmp(text(d->helper, "state"), "live");
}

static void check_daemon(struct doctor *d)
{
	long long pid = number(d->helper, "pid");
	long long helper = number(d->module, "helper_pid");

	if (!d->helper && strstr(d->helper_why, CLIENT_NOBODY)) {
		doctor_say(d, "daemon", DOCTOR_WARNING,
			   "systemctl restart wavecryptd, or name its socket with --socket",
			   "%s", d->helper_why);
		return;
	}
	if (!d->helper) {
		doctor_say(d, "daemon", helper ? DOCTOR_WARNING : DOCTOR_BAD,
			   !strcmp(d->helper_why, CLIENT_NOT_RUNNING) ?
			   "systemctl start wavecryptd, or name its socket with --socket" :
			   NULL,
			   "%s: %s", d->ctl->socket, d->helper_why);
		return;
	}
	if (strcmp(text(d->helper, "version"), WAVECRYPT_VERSION))
		doctor_say(d, "daemon", DOCTOR_WARNING,
			   "restart the daemon: it was upgraded since it was started",
			   "it is version %s, this tool " WAVECRYPT_VERSION,
			   text(d->helper, "version"));
	else
		doctor_say(d, "daemon", DOCTOR_GOOD, NULL,
			   "version %s, process %lld, backend %s",
			   text(d->helper, "version"), pid,
			   text(d->helper, "backend"));
	if (d->module && helper && helper != pid && !serves_module(d))
		doctor_say(d, "daemon", DOCTOR_WARNING,
			   "stop one of them, or name the other's socket with --socket",
			   "process %lld answers at %s, but %lld serves the module",
			   pid, d->ctl->socket, helper);
	if (is_loopback(d))
		doctor_say(d, "daemon", DOCTOR_BAD,
			   "remove \"transport = loopback\"",
			   "it serves a loopback, not the module");
}

/* The module makes a queue for each CPU that is there when a daemon attaches. */
static void check_queues(struct doctor *d)
{
	long long queues = number(d->helper, "queues");
	char online[1024];
	cpu_set_t cpus;

	if (queues <= 0 ||
	    !doctor_read(d, "sys/devices/system/cpu/online", online, sizeof(online)) ||
	    !cpulist_parse(online, &cpus, NULL))
		return;
	if (CPU_COUNT(&cpus) > queues)
		doctor_say(d, "queues", DOCTOR_WARNING,
			   "the daemon attaches anew within seconds; else restart it",
			   "%lld, for %d processors: those that were added since it attached offload nothing",
			   queues, CPU_COUNT(&cpus));
}

/*
 * Kilobytes of a process that are locked once they are there, or -1. That is much more
 * than it has: no figure for people.
 */
static long locked_kb(const struct doctor *d, long long pid)
{
	char path[4096], *line = NULL;
	size_t size = 0;
	long kb = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/%lld/status", d->ctl->root, pid);
	f = fopen(path, "re");
	while (f && kb < 0 && getline(&line, &size, f) >= 0)
		if (sscanf(line, "VmLck: %ld", &kb) != 1)
			kb = -1;
	if (f)
		fclose(f);
	free(line);
	return kb;
}

static void check_memory(struct doctor *d, const struct config *config)
{
	long kb = d->helper ? locked_kb(d, number(d->helper, "pid")) : -1;

	if (kb < 0)
		return;
	if (kb > 0)
		doctor_say(d, "memory", DOCTOR_GOOD, NULL,
			   "the daemon's is locked");
	else if (config->lock_memory)
		doctor_say(d, "memory", DOCTOR_WARNING,
			   "raise its limit: LimitMEMLOCK=infinity in the unit, or ulimit -l unlimited",
			   "the daemon's is not locked: keys may be swapped out");
	else
		doctor_say(d, "memory", DOCTOR_NOTE, NULL,
			   "the daemon's is not locked, as its configuration says");
}

void doctor_helper(struct doctor *d)
{
	struct config config;

	check_config(d, &config);
	check_units(d);
	if (d->module)
		check_attached(d);
	check_daemon(d);
	check_queues(d);
	check_memory(d, &config);
}
