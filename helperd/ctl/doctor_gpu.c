// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "backends/gpu/device.h"
#include "ctl/doctor_gpu.h"
#include "ctl/unit.h"
#include "daemon/harden.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "report/json.h"
#include "slots.h"

/* A GPU has about a chunk of 4096 packets in flight for each worker, for 1 to 2 ms. */
#define GPU_ENTRIES	2048
#define GPU_LATENCY_US	2000

bool doctor_exists(const struct doctor *d, const char *path, struct stat *st)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s/%s", d->ctl->root, path);
	return !stat(full, st);
}

size_t doctor_glob(const struct doctor *d, const char *pattern, glob_t *g)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s/%s", d->ctl->root, pattern);
	return glob(full, 0, NULL, g) ? 0 : g->gl_pathc;
}

void doctor_gpu_init(struct doctor_gpu *g, struct doctor *d, const char *check,
		     const struct vendor *vendor)
{
	struct config_error err;
	char path[PATH_MAX];

	g->d = d;
	g->check = check;
	g->vendor = vendor;
	config_init(&g->config);
	snprintf(path, sizeof(path), "%s%s", d->ctl->root, CONFIG_DEFAULT);
	config_file(&g->config, path, &err);
	g->here = vendor_here(vendor, d->ctl->root);
	g->wanted = !strcmp(g->config.backend, vendor->backend) ||
		    !strcmp(text(d->helper, "backend"), vendor->backend);
	g->worst = g->wanted ? DOCTOR_BAD : DOCTOR_NOTE;
	g->unit = unit_read(d->ctl->root);
}

void doctor_gpu_exit(struct doctor_gpu *g)
{
	json_decref(g->unit);
}

void doctor_gpu_choice(const struct doctor_gpu *g)
{
	char advice[64];

	snprintf(advice, sizeof(advice), "backend = %s in " CONFIG_DEFAULT,
		 g->vendor->backend);
	if (!g->wanted)
		doctor_say(g->d, g->check, DOCTOR_NOTE, advice,
			   "there is one, and the daemon is not told to use it");
}

/* Where one of several does not work, the others' packets say nothing of it. */
static void check_state(const struct doctor_gpu *g, const json_t *device)
{
	const char *name = text(device, "name"), *state = text(device, "state");
	const char *why = text(device, "why");

	if (!strcmp(state, "refused"))
		doctor_say(g->d, g->check, g->worst,
			   "its messages say more: journalctl -u wavecryptd; if its driver came after the daemon, systemctl restart wavecryptd",
			   "%s cannot be used: %s", name, why);
	else if (json_is_true(json_object_get(device, "given_up")))
		doctor_say(g->d, g->check, DOCTOR_WARNING,
			   "the kernel log may say why; systemctl restart wavecryptd has it tried again",
			   "%s is lost: %s", name, why);
	else if (!strcmp(state, "lost"))
		doctor_say(g->d, g->check, DOCTOR_WARNING,
			   "it is tried again by itself; if it does not come back, the kernel log may say why",
			   "%s is lost: %s", name, why);
	else if (!strcmp(state, "ready") && why[0])
		doctor_say(g->d, g->check, DOCTOR_WARNING,
			   "its messages say more: journalctl -u wavecryptd",
			   "%s is there, and no worker can have it: %s", name, why);
	else if (!strcmp(state, "in use") && why[0])
		doctor_say(g->d, g->check, DOCTOR_WARNING,
			   "its messages say more: journalctl -u wavecryptd",
			   "%s is there, and not every worker can have it: %s", name, why);
	else if (!strcmp(state, "ready") && !number(device, "workers"))
		doctor_say(g->d, g->check, DOCTOR_WARNING,
			   "more workers, and worker-cpus for them, or device-workers = auto, in "
			   CONFIG_DEFAULT,
			   "%s is there, and no worker uses it", name);
}

/* Defaults are for lanes, which want few packets, and soon. With many CPUs there is not
 * room for as many as a GPU may want.
 */
static void check_room(const struct doctor_gpu *g)
{
	long long entries = number(g->d->helper, "entries");
	__u32 most = wavecrypt_slots_most(number(g->d->helper, "queues"),
					  WAVECRYPT_SLOTS_ETHERNET, getpagesize());
	char us[32], advice[96];

	snprintf(advice, sizeof(advice),
		 "entries = %u in " CONFIG_DEFAULT ", and restart the daemon", most);
	if (entries > 0 && entries < GPU_ENTRIES && entries < most)
		doctor_say(g->d, g->check, DOCTOR_NOTE, advice,
			   "a CPU can have %lld requests in flight: a GPU wants thousands at a time",
			   entries);
	if (doctor_read(g->d, "sys/module/wavecrypt/parameters/latency_us", us, sizeof(us)) &&
	    strtoul(us, NULL, 10) < GPU_LATENCY_US)
		doctor_say(g->d, g->check, DOCTOR_NOTE,
			   "options wavecrypt latency_us=4000 in /etc/modprobe.d/wavecrypt.conf, and echo 4000 >/sys/module/wavecrypt/parameters/latency_us",
			   "latency_us=%s: a GPU may have packets for longer, and mode=auto then takes it for a helper that is behind",
			   us);
}

/* The module's memory being registered for it */
bool doctor_gpu_traffic(const struct doctor_gpu *g)
{
	json_int_t packets = 0, failed = 0;
	const json_t *worker, *one;
	size_t i;

	if (strcmp(text(g->d->helper, "backend"), g->vendor->backend))
		return false;
	json_array_foreach(json_object_get(g->d->helper, "devices"), i, one)
		check_state(g, one);
	check_room(g);
	json_array_foreach(json_object_get(g->d->helper, "workers"), i, worker) {
		const json_t *device = json_object_get(worker, "device");

		packets += number(device, "packets");
		failed += number(device, "failed");
	}
	if (failed)
		doctor_say(g->d, g->check, DOCTOR_WARNING,
			   "its messages say why: journalctl -u wavecryptd",
			   "the daemon's gave back %lld chunks undone, and has done %lld packets",
			   (long long)failed, (long long)packets);
	else if (packets)
		doctor_say(g->d, g->check, DOCTOR_GOOD, NULL,
			   "the daemon's has done %lld packets in the module's memory",
			   (long long)packets);
	else
		doctor_say(g->d, g->check, DOCTOR_NOTE,
			   "see what is offloaded at all: wavecryptctl route",
			   "the daemon's has done nothing yet");
	return packets;
}

/* Is a group among the "Groups:" of a process, whose file this is? */
static bool process_in_group(FILE *f, gid_t group, bool *root)
{
	char *line = NULL, *at, *end;
	bool member = false;
	unsigned int uid;
	size_t size = 0;

	while (getline(&line, &size, f) >= 0) {
		if (sscanf(line, "Uid: %*u %u", &uid) == 1)
			*root = !uid;
		if (strncmp(line, "Groups:", 7))
			continue;
		for (at = line + 7;; at = end) {
			unsigned long gid = strtoul(at, &end, 10);

			if (end == at)
				break;
			member |= gid == group;
		}
	}
	free(line);
	return member;
}

static bool user_in_group(const char *name, gid_t group)
{
	const struct passwd *pw = getpwnam(name);
	gid_t groups[256];
	int nr = 256;

	if (!pw || getgrouplist(name, pw->pw_gid, groups, &nr) < 0)
		return false;
	while (nr--)
		if (groups[nr] == group)
			return true;
	return false;
}

/* Is it among those that the unit gives its user besides? */
static bool unit_in_group(const json_t *unit, const struct group *group)
{
	const json_t *names;
	size_t i;

	json_array_foreach(json_object_get(unit, "SupplementaryGroups"), i, names) {
		char words[256], *word, *rest;

		snprintf(words, sizeof(words), "%s", json_string_value(names));
		for (word = strtok_r(words, " ", &rest); word;
		     word = strtok_r(NULL, " ", &rest))
			if (group && !strcmp(word, group->gr_name))
				return true;
	}
	return false;
}

/* What it will be, of one that does not run */
static bool may_open_then(const struct doctor_gpu *g, const struct stat *st,
			  const struct group *group, bool *root)
{
	const char *user = unit_last(g->unit, "User");
	const struct passwd *pw;

	if (!user[0])
		user = harden_user(g->config.user);
	pw = getpwnam(user);
	*root = !user[0] || (pw && !pw->pw_uid);
	return user[0] && (user_in_group(user, st->st_gid) ||
			   unit_in_group(g->unit, group));
}

static bool may_open(const struct doctor_gpu *g, const struct stat *st,
		     const struct group *group)
{
	bool root = false, member;
	char path[PATH_MAX];
	FILE *f = NULL;

	if (g->d->helper) {
		snprintf(path, sizeof(path), "%s/proc/%lld/status",
			 g->d->ctl->root, (long long)number(g->d->helper, "pid"));
		f = fopen(path, "re");
	}
	if (f) {
		member = process_in_group(f, st->st_gid, &root);
		fclose(f);
	} else {
		member = may_open_then(g, st, group, &root);
	}
	/* Root without capabilities is still the owner. */
	return (root && !st->st_uid) || st->st_mode & 0002 ||
	       (member && st->st_mode & 0020);
}

void doctor_gpu_node(const struct doctor_gpu *g, const char *path)
{
	const struct group *group;
	const char *name;
	char advice[256];
	struct stat st;

	if (!doctor_exists(g->d, path, &st))
		return;
	group = getgrgid(st.st_gid);
	name = group ? group->gr_name : "without a name";
	snprintf(advice, sizeof(advice),
		 "wavecryptctl gpu enable %s, or add its user to the group: SupplementaryGroups=%s in the unit, or usermod -a -G %s USER",
		 g->vendor->name, name, name);
	if (may_open(g, &st, group))
		doctor_say(g->d, g->check, DOCTOR_GOOD, NULL,
			   "the daemon may open /%s (group %s)", path, name);
	else
		doctor_say(g->d, g->check, g->worst, advice,
			   "the daemon's user may not open /%s (group %s, mode %o)",
			   path, name, st.st_mode & 0777);
}

unsigned int doctor_gpu_render(const struct doctor_gpu *g)
{
	unsigned int nr = 0;
	glob_t nodes;

	doctor_glob(g->d, "sys/class/drm/renderD*", &nodes);
	for (size_t i = 0; i < nodes.gl_pathc; i++) {
		const char *at = nodes.gl_pathv[i] + strlen(g->d->ctl->root);
		char path[PATH_MAX], vendor[16];

		snprintf(path, sizeof(path), "%s/device/vendor", at);
		if (!doctor_read(g->d, path, vendor, sizeof(vendor)) ||
		    strcmp(vendor, g->vendor->pci))
			continue;
		nr++;
		snprintf(path, sizeof(path), "dev/dri%s", strrchr(at, '/'));
		doctor_gpu_node(g, path);
	}
	globfree(&nodes);
	return nr;
}

/* "A=b, C=d"; to be freed */
static char *join(const json_t *lines)
{
	char *all = NULL;
	const json_t *line;
	size_t i, size;
	FILE *f = open_memstream(&all, &size);

	if (!f)
		return NULL;
	json_array_foreach(lines, i, line)
		fprintf(f, "%s%s", i ? ", " : "", json_string_value(line));
	fclose(f);
	return all;
}

void doctor_gpu_unit(const struct doctor_gpu *g)
{
	char path[VENDOR_PATH], advice[128], *all;
	json_t *lacks;

	/* Somebody starts it otherwise. */
	if (!g->unit)
		return;
	lacks = vendor_drop_in(g->vendor, g->d->ctl->root, path) ?
		unit_lacks(g->unit, path) : NULL;
	all = join(lacks);
	snprintf(advice, sizeof(advice),
		 "wavecryptctl gpu enable %s; systemctl restart wavecryptd",
		 g->vendor->name);
	if (!lacks)
		doctor_say(g->d, g->check, DOCTOR_NOTE, "install it anew",
			   "there is no %s to compare the daemon's unit with",
			   path);
	else if (json_array_size(lacks))
		doctor_say(g->d, g->check, g->worst, advice,
			   "the daemon's unit does not allow what it needs: %s",
			   all ? all : "");
	else
		doctor_say(g->d, g->check, DOCTOR_GOOD, NULL,
			   "the daemon's unit allows what it needs");
	free(all);
	json_decref(lacks);
}

/* What others than root may not open need not be amiss. */
static enum doctor_grade tried(const struct doctor_gpu *g)
{
	return geteuid() ? DOCTOR_NOTE : g->worst;
}

static void try_one(const struct doctor_gpu *g, const struct backend_ops *backend,
		    const struct gpu_settings *settings, const char *name, bool several)
{
	struct device *gpu = backend->device(settings, name);
	const char *why, *which = several ? name : "", *space = several ? " " : "";

	if (!gpu)
		return;
	why = backend->probe(gpu);
	if (why)
		doctor_say(g->d, g->check, tried(g), NULL, "tried%s%s: %s", space, which,
			   why);
	else
		doctor_say(g->d, g->check, DOCTOR_GOOD, NULL,
			   "tried%s%s: it computes what the CPU does; %s", space, which,
			   backend->describe(gpu));
	device_release(gpu);
}

/* All that settings name. NULL, or why there are none */
static const char *try_all(const struct doctor_gpu *g, const struct backend_ops *backend,
			   const struct gpu_settings *settings)
{
	static char none[GPU_WHY];
	struct gpu_chosen chosen;
	struct gpu_list list;
	const char *why = backend->look(settings, &list);

	if (why)
		return why;
	if (!gpu_choose(&list, backend->wanted(settings), &chosen, none) || !chosen.nr)
		return none;
	for (unsigned int i = 0; i < chosen.nr; i++) {
		char name[GPU_NAME];

		gpu_name(&list, chosen.number[i], name);
		try_one(g, backend, settings, name, chosen.nr > 1);
	}
	return NULL;
}

void doctor_gpu_try(const struct doctor_gpu *g, const struct backend_ops *backend)
{
	static struct config config;
	const char *why;

	config = g->config;
	config.gpu.balance = false;
	config.gpu.chunk = 256;
	/* What the daemon finds there has to be its own. */
	config.gpu.opencl_cache[0] = '\0';
	clock_setup();
	log_setup("wavecryptctl", LOG_ERR);
	why = cpu_backend.probe(&cpu_device);
	if (!why)
		why = try_all(g, backend, &config.gpu);
	if (why)
		doctor_say(g->d, g->check, tried(g), NULL, "tried: %s", why);
}
