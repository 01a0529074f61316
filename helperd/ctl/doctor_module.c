// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module, its device, its algorithms.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ctl/doctor.h"
#include "ctl/drain.h"
#include "lib/array.h"
#include "report/json.h"
#include "report/sysfs.h"
#include "version.h"
#include "wavecrypt.h"

static bool release_of(const struct doctor *d, char release[256])
{
	return doctor_read(d, "proc/sys/kernel/osrelease", release, 256);
}

/*
 * The module's file for the kernel that runs, or "" if there is none.
 * Return: false, if nobody can tell, as in a container.
 */
static bool on_disk(const struct doctor *d, char file[PATH_MAX])
{
	char path[PATH_MAX], release[256], *line = NULL;
	size_t size = 0;
	FILE *f;

	file[0] = '\0';
	if (!release_of(d, release))
		return false;
	snprintf(path, sizeof(path), "%s/lib/modules/%s/modules.dep",
		 d->ctl->root, release);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!file[0] && getline(&line, &size, f) >= 0) {
		line[strcspn(line, ":\n")] = '\0';
		if (strstr(line, "/wavecrypt.ko"))
			snprintf(file, PATH_MAX, "%s/lib/modules/%s/%s",
				 d->ctl->root, release, line);
	}
	fclose(f);
	free(line);
	return true;
}

static bool installed(const struct doctor *d)
{
	char file[PATH_MAX];

	return on_disk(d, file) && file[0];
}

/* "" if it is not known: that of one that is compressed is not. */
static void srcversion_of(const char *file, char srcversion[64])
{
	char *entry = NULL;
	size_t size = 0;
	FILE *f = fopen(file, "re");

	srcversion[0] = '\0';
	while (f && !srcversion[0] && getdelim(&entry, &size, '\0', f) >= 0)
		sscanf(entry, "srcversion=%63s", srcversion);
	if (f)
		fclose(f);
	free(entry);
}

/* Versions are for releases: two builds of one may be of different sources. */
static bool is_another(const struct doctor *d, const char *file)
{
	char there[64], loaded[64];

	srcversion_of(file, there);
	return there[0] &&
	       doctor_read(d, "sys/module/wavecrypt/srcversion", loaded, sizeof(loaded)) &&
	       strcmp(there, loaded);
}

/* What the next boot has */
static void check_next(struct doctor *d)
{
	char file[PATH_MAX];

	if (!on_disk(d, file))
		return;
	if (!file[0])
		doctor_say(d, "module", DOCTOR_WARNING,
			   "install it for this kernel: \"dkms status wavecrypt\", or make install",
			   "loaded, but there is none on disk for this kernel: its next boot has none");
	else if (is_another(d, file))
		doctor_say(d, "module", DOCTOR_NOTE,
			   "it is used from the next boot on, or now: see UPGRADING in wavecryptctl(8)",
			   "%s is of other sources than what is loaded",
			   file + strlen(d->ctl->root));
}

/* "[none] integrity confidentiality", as Secure Boot does; or told to. In FIPS mode it is the
 * module that wants it.
 */
static bool signed_only(const struct doctor *d)
{
	char line[256];

	return (doctor_read(d, "proc/sys/crypto/fips_enabled", line,
			    sizeof(line)) && line[0] == '1') ||
		(doctor_read(d, "sys/kernel/security/lockdown", line,
			    sizeof(line)) && !strstr(line, "[none]")) ||
		(doctor_read(d, "sys/module/module/parameters/sig_enforce",
			     line, sizeof(line)) && line[0] == 'Y');
}

/* Where make install, DKMS and akmods put it */
static void check_copies(struct doctor *d)
{
	static const char *const places[] = {
		"updates", "updates/dkms", "extra/wavecrypt"
	};
	char pattern[4096], release[256];
	glob_t g = { 0 };

	if (!release_of(d, release))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		snprintf(pattern, sizeof(pattern),
			 "%s/lib/modules/%s/%s/wavecrypt.ko*", d->ctl->root,
			 release, places[i]);
		glob(pattern, i ? GLOB_APPEND : 0, NULL, &g);
	}
	if (g.gl_pathc > 1)
		doctor_say(d, "module", DOCTOR_WARNING,
			   "keep one installation: make uninstall, or remove the package; modinfo -n wavecrypt says which is loaded",
			   "there are two for this kernel, %s and %s",
			   g.gl_pathv[0] + strlen(d->ctl->root),
			   g.gl_pathv[1] + strlen(d->ctl->root));
	globfree(&g);
}

static void check_loaded(struct doctor *d)
{
	char version[64];

	if (!doctor_read(d, "sys/module/wavecrypt/version", version,
			 sizeof(version)))
		version[0] = '\0';
	if (d->module && strcmp(version, WAVECRYPT_VERSION))
		doctor_say(d, "module", DOCTOR_WARNING,
			   "one that was upgraded since it was loaded is used from the next boot on, or now: see UPGRADING in wavecryptctl(8)",
			   "loaded is version %s, this tool " WAVECRYPT_VERSION,
			   version);
	else if (d->module)
		doctor_say(d, "module", DOCTOR_GOOD, NULL, "loaded, version %s",
			   version);
	else if (!installed(d))
		doctor_say(d, "module", DOCTOR_BAD,
			   "install it for this kernel: \"dkms status wavecrypt\", or make install",
			   "not loaded, and there is none for this kernel");
	else if (signed_only(d))
		doctor_say(d, "module", DOCTOR_BAD,
			   "modprobe wavecrypt; if that is refused: mokutil --import /var/lib/dkms/mok.pub, reboot and choose \"Enroll MOK\"",
			   "not loaded, and this kernel loads only what is signed by a key that it trusts (Secure Boot, or FIPS mode)");
	else
		doctor_say(d, "module", DOCTOR_BAD,
			   "modprobe wavecrypt; the kernel log says why if that fails",
			   "not loaded");
}

static void check_version(struct doctor *d)
{
	long long abi = number(d->module, "abi");

	if (abi == WAVECRYPT_ABI_VERSION)
		doctor_say(d, "interface", DOCTOR_GOOD, NULL, "version %lld",
			   abi);
	else if (!strcmp(text(d->module, "state"), "live"))
		doctor_say(d, "interface", DOCTOR_WARNING,
			   "change over both at once: see UPGRADING in wavecryptctl(8)",
			   "the module speaks version %lld, these programs %d: the daemon that runs fits it, one that is started now does not",
			   abi, WAVECRYPT_ABI_VERSION);
	else
		doctor_say(d, "interface", DOCTOR_BAD,
			   "upgrade both to one release; the new module is used from the next boot on, or now: see UPGRADING in wavecryptctl(8)",
			   "the module speaks version %lld, these programs %d: they are from different releases",
			   abi, WAVECRYPT_ABI_VERSION);
}

/* A daemon has it, be it elsewhere: in another container, or outside of this one. */
static bool has_daemon(const struct doctor *d)
{
	const char *state = text(d->module, "state");

	return !strcmp(state, "live") || !strcmp(state, "stalled");
}

static void check_device(struct doctor *d)
{
	char path[4096];
	struct stat st;
	int err;

	snprintf(path, sizeof(path), "%s%s", d->ctl->root, WAVECRYPT_DEVICE);
	err = stat(path, &st) ? errno : 0;
	if (err && has_daemon(d))
		doctor_say(d, "device", DOCTOR_NOTE, NULL,
			   WAVECRYPT_DEVICE " is not here; the daemon that serves has it");
	else if (err)
		doctor_say(d, "device", DOCTOR_BAD,
			   "is udev, or a devtmpfs on /dev, there? A container needs the device passed on",
			   WAVECRYPT_DEVICE ": %s", strerror(err));
	else if (!S_ISCHR(st.st_mode))
		doctor_say(d, "device", DOCTOR_BAD,
			   "remove it, and load the module anew",
			   WAVECRYPT_DEVICE " is no device");
	else if (st.st_mode & (0077))
		doctor_say(d, "device", DOCTOR_WARNING,
			   "chmod 600 it; look for a udev rule that opens it",
			   WAVECRYPT_DEVICE " has mode %o: others than root may try to open it",
			   st.st_mode & 07777);
	else
		doctor_say(d, "device", DOCTOR_GOOD, NULL, WAVECRYPT_DEVICE);
}

static void check_algorithm(struct doctor *d, const json_t *alg)
{
	const json_t *other = proc_crypto_preferred(d->aeads, alg);

	if (strcmp(text(alg, "selftest"), "passed"))
		doctor_say(d, "algorithm", DOCTOR_BAD,
			   "the kernel log says what failed: do not use it",
			   "%s: the kernel's self-test has not passed (%s)",
			   text(alg, "driver"), text(alg, "selftest"));
	else if (other)
		doctor_say(d, "algorithm", DOCTOR_BAD,
			   "load wavecrypt with a higher priority=, or unload the other",
			   "%s: the kernel prefers %s (priority %lld against %lld)",
			   text(alg, "driver"), text(other, "driver"),
			   (long long)number(other, "priority"),
			   (long long)number(alg, "priority"));
	else
		doctor_say(d, "algorithm", DOCTOR_GOOD, NULL,
			   "%s: self-test passed, preferred",
			   text(alg, "driver"));
}

/* All of them are at a time, so that they are one finding. */
static bool is_retired(const struct doctor *d, const json_t *alg)
{
	return !number(alg, "priority") && proc_crypto_preferred(d->aeads, alg);
}

static void check_algorithms(struct doctor *d)
{
	size_t i, nr = 0, retired = 0;
	const json_t *alg;

	json_array_foreach(d->aeads, i, alg) {
		if (strcmp(text(alg, "module"), "wavecrypt"))
			continue;
		nr++;
		if (is_retired(d, alg))
			retired++;
		else
			check_algorithm(d, alg);
	}
	if (retired)
		doctor_say(d, "algorithm", DOCTOR_BAD,
			   "only loading it anew undoes that: once all SAs were rekeyed, systemctl stop wavecryptd; rmmod wavecrypt; systemctl start wavecryptd",
			   "retired (%zu of %zu): the kernel prefers others to the module's",
			   retired, nr);
	if (!nr)
		doctor_say(d, "algorithm", DOCTOR_BAD,
			   "the kernel log says why",
			   "the module has registered none");
}

static void check_mode(struct doctor *d)
{
	json_t *mode = sysfs_mode(d->ctl->root);
	const char *name = json_string_value(mode);

	if (name && !strcmp(name, "inline"))
		doctor_say(d, "mode", DOCTOR_BAD,
			   drained(d->ctl) ? "wavecryptctl resume" :
			   "echo auto >/sys/module/wavecrypt/parameters/mode",
			   "inline: the module was told to offload nothing");
	else if (name && !strcmp(name, "offload"))
		doctor_say(d, "mode", DOCTOR_NOTE,
			   "for measurements; otherwise set it to auto",
			   "offload: also what the kernel would do faster");
	else if (name)
		doctor_say(d, "mode", DOCTOR_GOOD, NULL, "%s", name);
	json_decref(mode);
}

/* As the module shows them; what has a finding of its own is not among them. */
static const struct {
	const char *name;
	const char *value;
} defaults[] = {
	{ "prefer", "throughput" },
	{ "latency_us", "1000" },
	{ "stall_ms", "0" },
	{ "entries", "512" },
	{ "mtu", "0" },
	{ "pending", "0" },
	{ "keys", "20480" },
	{ "reap_batch", "4" },
	{ "poll_us", "0" },
	{ "wipe_slots", "N" },
	{ "priority", "10000" },
	{ "algs", "(null)" },
	{ "unauthenticated", "N" },
};

static void check_parameters(struct doctor *d)
{
	char path[128], value[1024], *set = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&set, &size);

	if (!f)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(defaults); i++) {
		snprintf(path, sizeof(path), "sys/module/wavecrypt/parameters/%s",
			 defaults[i].name);
		if (doctor_read(d, path, value, sizeof(value)) && value[0] &&
		    strcmp(value, defaults[i].value))
			fprintf(f, " %s=%s", defaults[i].name, value);
	}
	if (fclose(f))
		size = 0;
	if (size)
		doctor_say(d, "parameters", DOCTOR_NOTE,
			   "modinfo wavecrypt says what they are, and their defaults",
			   "set:%s", set);
	else
		doctor_say(d, "parameters", DOCTOR_GOOD, NULL,
			   "as they are unless set");
	free(set);
}

void doctor_module(struct doctor *d)
{
	check_copies(d);
	check_loaded(d);
	if (!d->module)
		return;
	check_next(d);
	check_version(d);
	check_device(d);
	check_algorithms(d);
	check_mode(d);
	check_parameters(d);
}
