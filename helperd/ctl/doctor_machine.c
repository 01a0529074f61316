// SPDX-License-Identifier: GPL-2.0-only
/*
 * Privileges, kernel, processor.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl/doctor.h"
#include "lib/array.h"

#define KERNEL(major, minor)	(1000 * (major) + (minor))
/* The oldest kernel that the module is built for */
#define OLDEST			KERNEL(6, 1)
/* From then on AF_ALG has synchronous implementations only. */
#define NO_ASYNC_AF_ALG		KERNEL(7, 2)

static void check_privileges(struct doctor *d)
{
	if (geteuid())
		doctor_say(d, "privileges", DOCTOR_NOTE, "run it as root",
			   "not root: SAs, the daemon and /dev/wavecrypt are out of sight");
	else
		doctor_say(d, "privileges", DOCTOR_GOOD, NULL, "root");
}

static void check_kernel(struct doctor *d)
{
	char release[256];
	int major = 0, minor = 0, version;

	if (!doctor_read(d, "proc/sys/kernel/osrelease", release,
			 sizeof(release))) {
		doctor_say(d, "kernel", DOCTOR_WARNING, NULL,
			   "its release cannot be read: is /proc mounted?");
		return;
	}
	sscanf(release, "%d.%d", &major, &minor);
	version = KERNEL(major, minor);
	if (version && version < OLDEST)
		doctor_say(d, "kernel", DOCTOR_BAD,
			   "upgrade the kernel", "%s is older than 6.1",
			   release);
	else if (version >= NO_ASYNC_AF_ALG)
		doctor_say(d, "kernel", DOCTOR_NOTE,
			   "wavecryptctl selftest tries the module by way of IPsec",
			   "%s: programs that use AF_ALG, as kcapi, get no asynchronous implementation here; IPsec does",
			   release);
	else
		doctor_say(d, "kernel", DOCTOR_GOOD, NULL, "%s", release);
}

/* The processor's flags, with a blank around each; to be freed */
static char *cpu_flags(const struct doctor *d)
{
	char path[4096], *line = NULL, *flags = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/cpuinfo", d->ctl->root);
	f = fopen(path, "re");
	while (f && !flags && getline(&line, &size, f) >= 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "flags", 5) && strchr(line, ':') &&
		    asprintf(&flags, "%s ", strchr(line, ':') + 1) < 0)
			flags = NULL;
	}
	if (f)
		fclose(f);
	free(line);
	return flags;
}

static bool has(const char *flags, const char *flag)
{
	char word[32];

	snprintf(word, sizeof(word), " %s ", flag);
	return strstr(flags, word);
}

static void check_cpu(struct doctor *d)
{
	char *flags = cpu_flags(d);

	if (!flags)
		doctor_say(d, "processor", DOCTOR_WARNING, NULL,
			   "its features cannot be read (/proc/cpuinfo)");
	else if (!has(flags, "aes") || !has(flags, "sse4_1"))
		doctor_say(d, "processor", DOCTOR_BAD,
			   "use a processor with AES-NI, or pass that on to the virtual machine",
			   "it has no AES-NI");
	else if (!has(flags, "avx2"))
		doctor_say(d, "processor", DOCTOR_WARNING, NULL,
			   "AES-NI, but no AVX2: few packets fit side by side, so batching gains little");
	else
		doctor_say(d, "processor", DOCTOR_GOOD, NULL,
			   "AES-NI, AVX2%s%s%s",
			   has(flags, "avx512f") ? ", AVX-512" : "",
			   has(flags, "vaes") ? ", VAES" : "",
			   has(flags, "sha_ni") ? ", SHA-NI" : "");
	free(flags);
}

static void check_cpus(struct doctor *d)
{
	char online[256];

	if (!doctor_read(d, "sys/devices/system/cpu/online", online,
			 sizeof(online)))
		return;
	if (!strpbrk(online, "-,"))
		doctor_say(d, "processors", DOCTOR_WARNING,
			   "give it a second processor",
			   "only one: the daemon and the network take turns on it, so nothing is gained");
	else
		doctor_say(d, "processors", DOCTOR_GOOD, NULL, "%s", online);
}

void doctor_machine(struct doctor *d)
{
	check_privileges(d);
	check_kernel(d);
	check_cpu(d);
	check_cpus(d);
}
