// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's GPUs: whether the "hsa" backend will work, by what it needs, and by
 * having it work.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <glob.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "ctl/doctor.h"
#include "daemon/config.h"
#include "layout.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "report/json.h"
#if WAVECRYPT_HSA
#include "backends/hsa/instance.h"
#endif

#define CHECK		"AMD GPU"
#define OVERRIDE	"HSA_OVERRIDE_GFX_VERSION"

/* Whoever may open /dev/kfd, as a rule */
#define GROUP_ADVICE	"add its user to the group: SupplementaryGroups=render in the unit, or usermod -a -G render USER"

/**
 * struct hsa_doctor - what there is to look at
 * @d: whom to tell
 * @config: the daemon's, as far as it can be read
 * @wanted: it says that the GPU is to be used
 * @worst: how bad it is if the GPU cannot be
 */
struct hsa_doctor {
	struct doctor *d;
	struct config config;
	bool wanted;
	enum doctor_grade worst;
};

static bool exists(const struct doctor *d, const char *path, struct stat *st)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s/%s", d->ctl->root, path);
	return !stat(full, st);
}

/* Files of that pattern; to be freed with globfree() */
static size_t look_for(const struct doctor *d, const char *pattern, glob_t *g)
{
	char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s/%s", d->ctl->root, pattern);
	return glob(full, 0, NULL, g) ? 0 : g->gl_pathc;
}

/* Is there one at all, whoever drives it? */
static bool have_gpu(const struct doctor *d)
{
	bool found = false;
	char vendor[16];
	glob_t g;

	look_for(d, "sys/class/drm/card*/device/vendor", &g);
	for (size_t i = 0; i < g.gl_pathc; i++)
		if (doctor_read(d, g.gl_pathv[i] + strlen(d->ctl->root),
				vendor, sizeof(vendor)))
			found |= !strcmp(vendor, "0x1002");
	globfree(&g);
	return found;
}

static bool check_driver(struct hsa_doctor *h)
{
	struct stat st;

	if (!exists(h->d, "sys/module/amdgpu", &st)) {
		doctor_say(h->d, CHECK, h->worst,
			   "modprobe amdgpu; it wants the package firmware-amd-graphics",
			   "the amdgpu driver is not loaded");
		return false;
	}
	if (!exists(h->d, "dev/kfd", &st)) {
		doctor_say(h->d, CHECK, h->worst,
			   "a kernel with HSA_MODE_AMD, and a GPU that it supports; dmesg | grep kfd",
			   "amdgpu is loaded, but there is no /dev/kfd");
		return false;
	}
	doctor_say(h->d, CHECK, DOCTOR_GOOD, NULL,
		   "amdgpu is loaded, and there is /dev/kfd");
	return true;
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

/* May the daemon open it? */
static bool may_open(const struct hsa_doctor *h, const struct stat *st)
{
	bool root = false, member;
	char path[PATH_MAX];
	FILE *f = NULL;

	if (h->d->helper) {
		snprintf(path, sizeof(path), "%s/proc/%lld/status",
			 h->d->ctl->root, (long long)number(h->d->helper, "pid"));
		f = fopen(path, "re");
	}
	if (f) {
		member = process_in_group(f, st->st_gid, &root);
		fclose(f);
	} else {
		root = !h->config.user[0];
		member = !root && user_in_group(h->config.user, st->st_gid);
	}
	/* Root without capabilities is still the owner. */
	return (root && !st->st_uid) || st->st_mode & 0002 ||
	       (member && st->st_mode & 0020);
}

static void check_access(struct hsa_doctor *h)
{
	const struct group *group;
	struct stat st;

	if (!exists(h->d, "dev/kfd", &st))
		return;
	group = getgrgid(st.st_gid);
	if (may_open(h, &st))
		doctor_say(h->d, CHECK, DOCTOR_GOOD, NULL,
			   "the daemon may open /dev/kfd (group %s)",
			   group ? group->gr_name : "without a name");
	else
		doctor_say(h->d, CHECK, h->worst, GROUP_ADVICE,
			   "the daemon's user may not open /dev/kfd (group %s, mode %o)",
			   group ? group->gr_name : "without a name",
			   st.st_mode & 0777);
}

static void check_iommu(struct hsa_doctor *h)
{
	glob_t g;

	if (look_for(h->d, "sys/class/iommu/*", &g))
		doctor_say(h->d, CHECK, DOCTOR_GOOD, NULL, "the IOMMU is on");
	else
		doctor_say(h->d, CHECK, DOCTOR_NOTE,
			   "amd_iommu=on on the kernel's command line, and in the firmware's setup",
			   "the IOMMU is off: Carrizo (gfx801) needs it, later APUs do not");
	globfree(&g);
}

/* An instruction set from the kernel's number for it: 90012 is gfx90c. */
static void name_gfx(unsigned long version, char *name, size_t size)
{
	snprintf(name, size, "gfx%lu%lx%lx", version / 10000,
		 version / 100 % 100, version % 100);
}

static void file_of(const struct hsa_doctor *h, const char *gfx, char *path)
{
	snprintf(path, PATH_MAX, "%s/%s-v%u.co", h->config.gpu.hsa_code, gfx,
		 WAVECRYPT_GPU_LAYOUT);
}

static void check_code(struct hsa_doctor *h, unsigned long version)
{
	char gfx[32], path[PATH_MAX], advice[256];

	name_gfx(version, gfx, sizeof(gfx));
	file_of(h, gfx, path);
	if (!access(path, R_OK)) {
		doctor_say(h->d, CHECK, DOCTOR_GOOD, NULL,
			   "%s, for which there is %s", gfx, path);
		return;
	}
	/* Not another one's code by way of an override: neighbours differ in how
	 * many registers they have and how they are numbered.
	 */
	snprintf(advice, sizeof(advice),
		 "make code-objects AMDGCN=%s, with clang 19, and make install",
		 gfx);
	doctor_say(h->d, CHECK, h->worst, advice, "%s, and there is no %s", gfx,
		   path);
}

/* Number of that name in a file of names and numbers */
static unsigned long property(const struct hsa_doctor *h, const char *path,
			      const char *name)
{
	unsigned long value = 0, one;
	char line[128], word[64];
	FILE *f = fopen(path, "re");

	(void)h;
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%63s %lu", word, &one) == 2 &&
		    !strcmp(word, name))
			value = one;
	if (f)
		fclose(f);
	return value;
}

static void check_topology(struct hsa_doctor *h)
{
	unsigned int gpus = 0;
	glob_t g;

	look_for(h->d, "sys/class/kfd/kfd/topology/nodes/*/properties", &g);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		const char *path = g.gl_pathv[i];

		if (!property(h, path, "simd_count"))
			continue;
		gpus++;
		check_code(h, property(h, path, "gfx_target_version"));
	}
	globfree(&g);
	if (!gpus)
		doctor_say(h->d, CHECK, h->worst, "dmesg | grep kfd",
			   "the kernel drives no GPU that can compute");
}

/* The override in the daemon's environment, or ours; "" if there is none */
static const char *override(const struct hsa_doctor *h)
{
	static char value[64];
	char path[PATH_MAX], *entry = NULL;
	size_t size = 0;
	FILE *f;

	value[0] = '\0';
	snprintf(path, sizeof(path), "%s/proc/%lld/environ", h->d->ctl->root,
		 (long long)number(h->d->helper, "pid"));
	f = h->d->helper ? fopen(path, "re") : NULL;
	while (f && getdelim(&entry, &size, '\0', f) >= 0)
		if (!strncmp(entry, OVERRIDE "=", strlen(OVERRIDE "=")))
			snprintf(value, sizeof(value), "%s",
				 entry + strlen(OVERRIDE "="));
	if (f)
		fclose(f);
	free(entry);
	if (!value[0] && getenv(OVERRIDE))
		snprintf(value, sizeof(value), "%s", getenv(OVERRIDE));
	return value;
}

static void check_override(struct hsa_doctor *h)
{
	const char *value = override(h);

	if (value[0])
		doctor_say(h->d, CHECK, DOCTOR_NOTE,
			   "unset it if there is a code object for the GPU itself",
			   OVERRIDE "=%s: the GPU is taken for another", value);
}

#if WAVECRYPT_HSA
static bool check_runtime(struct hsa_doctor *h)
{
	const char *why = hsa_api_load();
	char real[PATH_MAX];

	if (why) {
		doctor_say(h->d, CHECK, h->worst,
			   "apt install libhsa-runtime64-1", "%s", why);
		return false;
	}
	if (!realpath(hsa_api_path(), real))
		snprintf(real, sizeof(real), "%s", hsa_api_path());
	doctor_say(h->d, CHECK, DOCTOR_GOOD, NULL, "ROCm runtime %s", real);
	return true;
}

/* Registers memory like the module's, and has packets of every kind computed. */
static void check_work(struct hsa_doctor *h)
{
	static struct config config;
	struct device *gpu;
	const char *why;

	config = h->config;
	config.gpu.balance = false;
	config.gpu.chunk = 256;
	if (config.gpu.hsa_mode == HSA_MODE_AUTO)
		config.gpu.hsa_mode = HSA_MODE_DISPATCH;
	clock_setup();
	log_setup("wavecryptctl", LOG_ERR);
	gpu = hsa_backend.device(&config.gpu);
	if (!gpu)
		return;
	why = cpu_backend.probe(&cpu_device);
	if (!why)
		why = hsa_backend.probe(gpu);
	if (why)
		doctor_say(h->d, CHECK, h->worst, NULL, "tried: %s", why);
	else
		doctor_say(h->d, CHECK, DOCTOR_GOOD, NULL,
			   "tried: it computes what the CPU does, in shared memory; %s",
			   hsa_backend.describe(gpu));
	gpu_forget(gpu);
}
#endif

static void check_choice(struct hsa_doctor *h)
{
	if (!h->wanted)
		doctor_say(h->d, CHECK, DOCTOR_NOTE,
			   "backend = hsa in " CONFIG_DEFAULT,
			   "there is one, and the daemon is not told to use it");
}

/* What the daemon did there, the module's memory being registered for it */
static void check_traffic(struct hsa_doctor *h)
{
	json_int_t packets = 0, failed = 0;
	const json_t *worker;
	size_t i;

	if (strcmp(text(h->d->helper, "backend"), "hsa"))
		return;
	json_array_foreach(json_object_get(h->d->helper, "workers"), i, worker) {
		const json_t *device = json_object_get(worker, "device");

		packets += number(device, "packets");
		failed += number(device, "failed");
	}
	if (failed)
		doctor_say(h->d, CHECK, DOCTOR_WARNING,
			   "its messages say why: journalctl -u wavecryptd",
			   "the daemon's gave back %lld chunks undone, and has done %lld packets",
			   (long long)failed, (long long)packets);
	else if (packets)
		doctor_say(h->d, CHECK, DOCTOR_GOOD, NULL,
			   "the daemon's has done %lld packets in the module's memory",
			   (long long)packets);
	else
		doctor_say(h->d, CHECK, DOCTOR_NOTE,
			   "see what is offloaded at all: wavecryptctl route",
			   "the daemon's has done nothing yet");
}

void doctor_hsa(struct doctor *d)
{
	struct hsa_doctor h = { .d = d };
	struct config_error err;
	char path[PATH_MAX];
	struct stat st;

	config_init(&h.config);
	snprintf(path, sizeof(path), "%s%s", d->ctl->root, CONFIG_DEFAULT);
	config_file(&h.config, path, &err);
	h.wanted = !strcmp(h.config.backend, "hsa") ||
		   !strcmp(text(d->helper, "backend"), "hsa");
	h.worst = h.wanted ? DOCTOR_BAD : DOCTOR_NOTE;
	if (!h.wanted && !have_gpu(d) && !exists(d, "dev/kfd", &st))
		return;
	check_choice(&h);
	check_traffic(&h);
	if (!check_driver(&h))
		return;
	check_access(&h);
	check_iommu(&h);
	check_topology(&h);
	check_override(&h);
#if WAVECRYPT_HSA
	if (check_runtime(&h))
		check_work(&h);
#else
	doctor_say(d, CHECK, h.worst,
		   "build it where the package libhsa-runtime-dev is installed",
		   "this wavecrypt was built without ROCm");
#endif
}
