// SPDX-License-Identifier: GPL-2.0-only
/*
 * GPUs by way of OpenCL, NVIDIA's and Intel's: driver, devices, the driver's file in
 * /etc/OpenCL/vendors; and then the "opencl" backend, by having it work.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>

#include "backends/opencl/opencl.h"
#include "ctl/doctor_gpu.h"
#include "daemon/registry.h"
#include "lib/array.h"
#include "report/json.h"

#define OPENCL	"OpenCL"
#define ICDS	"etc/OpenCL/vendors"

static bool is_loaded(const struct doctor *d, const char *module)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "sys/module/%s", module);
	return doctor_exists(d, path, &st);
}

/* Without them the driver's part in user space would run a program that may make
 * them, which the unit does not let gain privileges.
 */
static bool nvidia_nodes(const struct doctor_gpu *g)
{
	static const char *const needed[] = { "nvidiactl", "nvidia-uvm", "nvidia[0-9]*" };
	bool all = true;
	char path[64];
	glob_t nodes;

	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		snprintf(path, sizeof(path), "dev/%s", needed[i]);
		if (!doctor_glob(g->d, path, &nodes)) {
			all = false;
			doctor_say(g->d, g->check, g->worst,
				   "nvidia-modprobe -c 0 -u; at each boot, systemctl enable nvidia-persistenced does it",
				   "there is no /%s", path);
		}
		for (size_t k = 0; k < nodes.gl_pathc; k++)
			doctor_gpu_node(g, nodes.gl_pathv[k] +
					   strlen(g->d->ctl->root) + 1);
		globfree(&nodes);
	}
	return all;
}

static void nvidia_missing(const struct doctor_gpu *g)
{
	if (is_loaded(g->d, "nouveau"))
		doctor_say(g->d, g->check, g->worst,
			   "install NVIDIA's driver (Debian: nvidia-driver), which keeps nouveau away, and boot",
			   "nouveau drives it, which cannot compute");
	else
		doctor_say(g->d, g->check, g->worst,
			   "modprobe nvidia; the kernel log says why if that fails. Debian: nvidia-driver",
			   "the nvidia driver is not loaded");
}

static bool nvidia_driver(const struct doctor_gpu *g)
{
	char version[64];

	if (!is_loaded(g->d, "nvidia")) {
		nvidia_missing(g);
		return false;
	}
	if (!doctor_read(g->d, "sys/module/nvidia/version", version,
			 sizeof(version)))
		snprintf(version, sizeof(version), "of unknown version");
	doctor_say(g->d, g->check, DOCTOR_GOOD, NULL, "nvidia is loaded, %s",
		   version);
	return nvidia_nodes(g);
}

static bool intel_driver(const struct doctor_gpu *g)
{
	bool xe = is_loaded(g->d, "xe");

	if (!xe && !is_loaded(g->d, "i915")) {
		doctor_say(g->d, g->check, g->worst,
			   "modprobe i915, or xe for new ones; is \"nomodeset\" on the kernel's command line?",
			   "neither i915 nor xe is loaded");
		return false;
	}
	doctor_say(g->d, g->check, DOCTOR_GOOD, NULL, "%s is loaded",
		   xe ? "xe" : "i915");
	if (doctor_gpu_render(g))
		return true;
	doctor_say(g->d, g->check, g->worst, "the kernel log says why",
		   "it has no render node: the kernel does not drive it");
	return false;
}

/**
 * struct way - how a maker's GPUs do OpenCL
 * @vendor: who
 * @check: what findings are called
 * @library: part of the name of its library
 * @package: and of Debian's package
 * @driver: is it driven, with its devices there?
 */
struct way {
	enum vendor_index vendor;
	const char *check;
	const char *library;
	const char *package;
	bool (*driver)(const struct doctor_gpu *g);
};

static const struct way ways[] = {
	{ VENDOR_NVIDIA, "NVIDIA GPU", "nvidia-opencl",
	  "apt install nvidia-opencl-icd", nvidia_driver },
	{ VENDOR_INTEL, "Intel GPU", "igdrcl",
	  "apt install intel-opencl-icd", intel_driver },
};

/* The line of a file in there that names such a library; false: there is none */
static bool find_icd(const struct doctor *d, const char *library, char *line,
		     size_t size)
{
	bool found = false;
	glob_t icds;

	doctor_glob(d, ICDS "/*.icd", &icds);
	for (size_t i = 0; !found && i < icds.gl_pathc; i++)
		found = doctor_read(d, icds.gl_pathv[i] + strlen(d->ctl->root),
				    line, size) && strstr(line, library);
	globfree(&icds);
	return found;
}

static void check_icd(const struct doctor_gpu *g, const struct way *way)
{
	char line[512];
	struct stat st;

	if (!find_icd(g->d, way->library, line, sizeof(line)))
		doctor_say(g->d, g->check, g->worst, way->package,
			   "no file in /" ICDS " names its driver's OpenCL");
	else if (line[0] == '/' && !doctor_exists(g->d, line, &st))
		doctor_say(g->d, g->check, g->worst, way->package,
			   "a file in /" ICDS " names %s, which is not there",
			   line);
	else
		doctor_say(g->d, g->check, DOCTOR_GOOD, NULL,
			   "a file in /" ICDS " names %s", line);
}

/* Of several makers' GPUs, one that the daemon is not to use may be as it likes. */
static void be_lenient(struct doctor_gpu *g)
{
	unsigned int here = 0;

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		here += vendor_here(&vendors[ways[i].vendor], g->d->ctl->root);
	if (here > 1 && g->wanted &&
	    !strcasestr(g->config.gpu.opencl_device, g->vendor->name))
		g->worst = DOCTOR_NOTE;
}

static void check_vendor(struct doctor *d, const struct way *way)
{
	struct doctor_gpu g;

	doctor_gpu_init(&g, d, way->check, &vendors[way->vendor]);
	if (g.here) {
		be_lenient(&g);
		doctor_gpu_choice(&g);
		if (way->driver(&g))
			check_icd(&g, way);
		doctor_gpu_unit(&g);
	}
	doctor_gpu_exit(&g);
}

/* What the daemon works with may have another name by now than the file has. */
static void check_name(const struct doctor_gpu *g)
{
	char why[BACKEND_WHY];

	if (backend_devices_there(&g->config, why) == BACKEND_MISSING)
		doctor_say(g->d, OPENCL, g->worst,
			   "the daemon will not start with it: wavecryptd.conf(5)",
			   "opencl-device = %s: %s", g->config.gpu.opencl_device, why);
}

/* Mesa's, which is installed for other programs as well, has no device of its own accord. */
static void check_rusticl(const struct doctor_gpu *g)
{
	struct gpu_list list;
	char line[512];

	if (find_icd(g->d, "RusticlOpenCL", line, sizeof(line)) &&
	    (opencl_backend.look(&g->config.gpu, &list) || !list.nr))
		doctor_say(g->d, OPENCL, DOCTOR_NOTE,
			   "Environment=RUSTICL_ENABLE=radeonsi, or whatever its driver is called, in a drop-in of the unit; and for wavecryptctl, RUSTICL_ENABLE=radeonsi wavecryptctl doctor",
			   "a file in /%s names %s, which has devices only if RUSTICL_ENABLE names their driver",
			   ICDS, line);
}

/* Whatever the device is. One that is at work is not tried: kernels would have to be
 * compiled for that, which can take a minute.
 */
static void check_backend(struct doctor *d)
{
	const char *why = opencl_api_load();
	struct doctor_gpu g;

	doctor_gpu_init(&g, d, OPENCL, &vendors[VENDOR_NVIDIA]);
	if (g.wanted && why) {
		doctor_say(d, OPENCL, g.worst, "apt install ocl-icd-libopencl1",
			   "%s", why);
	} else if (g.wanted && doctor_gpu_traffic(&g)) {
		check_name(&g);
	} else if (g.wanted) {
		doctor_gpu_try(&g, &opencl_backend);
		check_rusticl(&g);
	}
	doctor_gpu_exit(&g);
}

void doctor_opencl(struct doctor *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		check_vendor(d, &ways[i]);
	check_backend(d);
}
