// SPDX-License-Identifier: GPL-2.0-only
/*
 * PoCL as an OpenCL driver that does not return, as long as there is a file
 * $DRIVER_WEDGED, which says from where: "look" for devices, or "probe" one; or that does
 * return, and has only the first of its devices: "hide". The second is called "late".
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
static cl_api_clGetDeviceIDs get_devices;
static cl_api_clGetDeviceInfo get_info;
static cl_device_id second;

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

static cl_int fewer_devices(cl_platform_id platform, cl_device_type type, cl_uint nr,
			    cl_device_id *devices, cl_uint *all)
{
	cl_int err = get_devices(platform, type, nr, devices, all);

	if (err || !devices || *all < 2)
		return err;
	second = devices[1];
	if (is_wedged("hide"))
		*all = 1;
	return err;
}

static cl_int other_name(cl_device_id device, cl_device_info what, size_t size, void *to,
			 size_t *used)
{
	cl_int err = get_info(device, what, size, to, used);

	if (!err && to && what == CL_DEVICE_NAME && device == second)
		strcpy(to, "late");
	return err;
}

cl_int clIcdGetPlatformIDsKHR(cl_uint nr, cl_platform_id *platforms, cl_uint *all)
{
	cl_int err;

	wait_while_wedged("look");
	err = get_platforms(nr, platforms, all);
	if (!err && nr && platforms) {
		/* Which all of its platforms, devices and contexts have in common */
		cl_icd_dispatch *calls = *(cl_icd_dispatch **)platforms[0];

		if (calls->clCreateContext != slow_context) {
			create_context = calls->clCreateContext;
			get_devices = calls->clGetDeviceIDs;
			get_info = calls->clGetDeviceInfo;
		}
		calls->clCreateContext = slow_context;
		calls->clGetDeviceIDs = fewer_devices;
		calls->clGetDeviceInfo = other_name;
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
