// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's GPUs: whether the "hsa" backend will work, by what it needs, and by
 * having it work.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctl/doctor_gpu.h"
#include "layout.h"
#include "report/json.h"
#if WAVECRYPT_HSA
#include "backends/hsa/instance.h"
#endif

#define CHECK		"AMD GPU"
#define OVERRIDE	"HSA_OVERRIDE_GFX_VERSION"

static bool check_driver(struct doctor_gpu *h)
{
	struct stat st;

	if (!doctor_exists(h->d, "sys/module/amdgpu", &st)) {
		doctor_say(h->d, CHECK, h->worst,
			   "modprobe amdgpu; it wants the package firmware-amd-graphics",
			   "the amdgpu driver is not loaded");
		return false;
	}
	if (!doctor_exists(h->d, "dev/kfd", &st)) {
		doctor_say(h->d, CHECK, h->worst,
			   "a kernel with CONFIG_HSA_AMD, and a GPU that it supports; dmesg | grep kfd",
			   "amdgpu is loaded, but there is no /dev/kfd");
		return false;
	}
	doctor_say(h->d, CHECK, DOCTOR_GOOD, NULL,
		   "amdgpu is loaded, and there is /dev/kfd");
	return true;
}

static void check_iommu(struct doctor_gpu *h)
{
	glob_t g;

	if (doctor_glob(h->d, "sys/class/iommu/*", &g))
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

static void file_of(const struct doctor_gpu *h, const char *gfx, char *path)
{
	snprintf(path, PATH_MAX, "%s/%s-v%u.co", h->config.gpu.hsa_code, gfx,
		 WAVECRYPT_GPU_LAYOUT);
}

static void check_code(struct doctor_gpu *h, unsigned long version)
{
	char gfx[32], path[PATH_MAX], advice[SETTING_TEXT + 256];

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
		 "in wavecrypt's sources, with clang 19 and lld 19: make code-objects AMDGCN=%s; cp build/code-objects/%s-v%u.co %s",
		 gfx, gfx, WAVECRYPT_GPU_LAYOUT, h->config.gpu.hsa_code);
	doctor_say(h->d, CHECK, h->worst, advice, "%s, and there is no %s", gfx,
		   path);
}

/* Number of that name in a file of names and numbers */
static unsigned long property(const struct doctor_gpu *h, const char *path,
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

static void check_topology(struct doctor_gpu *h)
{
	unsigned int gpus = 0;
	glob_t g;

	doctor_glob(h->d, "sys/class/kfd/kfd/topology/nodes/*/properties", &g);
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
static const char *override(const struct doctor_gpu *h)
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

static void check_override(struct doctor_gpu *h)
{
	const char *value = override(h);

	if (value[0])
		doctor_say(h->d, CHECK, DOCTOR_NOTE,
			   "unset it if there is a code object for the GPU itself",
			   OVERRIDE "=%s: the GPU is taken for another", value);
}

#if WAVECRYPT_HSA
static bool check_runtime(struct doctor_gpu *h)
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

/* A persistent kernel would be in the way of the daemon's. */
static void check_work(struct doctor_gpu *h)
{
	if (h->config.gpu.hsa_mode == HSA_MODE_AUTO)
		h->config.gpu.hsa_mode = HSA_MODE_DISPATCH;
	doctor_gpu_try(h, &hsa_backend);
}
#endif

static void check_all(struct doctor_gpu *h)
{
	doctor_gpu_choice(h);
	doctor_gpu_traffic(h);
	if (!check_driver(h))
		return;
	doctor_gpu_node(h, "dev/kfd");
	doctor_gpu_render(h);
	doctor_gpu_unit(h);
	check_iommu(h);
	check_topology(h);
	check_override(h);
#if WAVECRYPT_HSA
	if (check_runtime(h))
		check_work(h);
#else
	doctor_say(h->d, CHECK, h->worst,
		   "build it where the package libhsa-runtime-dev is installed",
		   "this wavecrypt was built without ROCm");
#endif
}

void doctor_hsa(struct doctor *d)
{
	struct doctor_gpu h;
	struct stat st;

	doctor_gpu_init(&h, d, CHECK, &vendors[VENDOR_AMD]);
	if (h.wanted || h.here || doctor_exists(d, "dev/kfd", &st))
		check_all(&h);
	doctor_gpu_exit(&h);
}
