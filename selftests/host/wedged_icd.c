// SPDX-License-Identifier: GPL-2.0-only
/*
 * PoCL as an OpenCL driver that does not return, as long as there is a file
 * $DRIVER_WEDGED, which says from where: "look" for devices, or "probe" one.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static clIcdGetPlatformIDsKHR_fn get_platforms;
static cl_api_clCreateContext create_context;

static bool is_wedged(const char *where)
{
	FILE *file = fopen(getenv("DRIVER_WEDGED"), "re");
	char said[16] = "";

	if (!file)
		return false;
	if (!fgets(said, sizeof(said), file))
		said[0] = '\0';
	fclose(file);
	return !strncmp(said, where, strlen(where));
}

static void wait_while_wedged(const char *where)
{
	while (is_wedged(where))
		usleep(10000);
}

static cl_context slow_context(const cl_context_properties *properties, cl_uint nr,
			       const cl_device_id *devices,
			       void (*told)(const char *, const void *, size_t, void *),
			       void *context, cl_int *err)
{
	wait_while_wedged("probe");
	return create_context(properties, nr, devices, told, context, err);
}

cl_int clIcdGetPlatformIDsKHR(cl_uint nr, cl_platform_id *platforms, cl_uint *all)
{
	cl_int err;

	wait_while_wedged("look");
	err = get_platforms(nr, platforms, all);
	if (!err && nr && platforms) {
		/* Which all of its platforms, devices and contexts have in common */
		cl_icd_dispatch *calls = *(cl_icd_dispatch **)platforms[0];

		if (calls->clCreateContext != slow_context)
			create_context = calls->clCreateContext;
		calls->clCreateContext = slow_context;
	}
	return err;
}

void *clGetExtensionFunctionAddress(const char *name)
{
	void *pocl = dlopen("libpocl.so.2", RTLD_NOW | RTLD_LOCAL);
	cl_api_clGetExtensionFunctionAddress find =
		(cl_api_clGetExtensionFunctionAddress)dlsym(pocl, __func__);

	if (strcmp(name, "clIcdGetPlatformIDsKHR"))
		return find(name);
	get_platforms = (clIcdGetPlatformIDsKHR_fn)find(name);
	return (void *)clIcdGetPlatformIDsKHR;
}
