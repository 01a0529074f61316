// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>

#include "backends/opencl/device.h"
#include "lib/array.h"

#define MAX_PLATFORMS	16
#define MAX_DEVICES	16

static __thread char why[768];
static __thread char found[512];

static bool info(cl_device_id id, cl_device_info what, void *to, size_t size)
{
	memset(to, 0, size);
	return !cl.GetDeviceInfo(id, what, size, to, NULL);
}

/* Fill in what is to be known about a device; false: it does not say. */
static bool examine(struct opencl_device *dev, cl_platform_id platform,
		    cl_device_id id)
{
	cl_bool unified, available, compiler;
	cl_int err;

	memset(dev, 0, sizeof(*dev));
	dev->id = id;
	/* A string that does not fit is an error. */
	if (!info(id, CL_DEVICE_NAME, dev->name, sizeof(dev->name)) ||
	    !info(id, CL_DRIVER_VERSION, dev->driver, sizeof(dev->driver)) ||
	    cl.GetPlatformInfo(platform, CL_PLATFORM_NAME,
			       sizeof(dev->platform), dev->platform, NULL) ||
	    !info(id, CL_DEVICE_TYPE, &dev->type, sizeof(dev->type)) ||
	    !info(id, CL_DEVICE_MAX_COMPUTE_UNITS, &dev->units,
		  sizeof(dev->units)) ||
	    !info(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &dev->max_alloc,
		  sizeof(dev->max_alloc)) ||
	    !info(id, CL_DEVICE_HOST_UNIFIED_MEMORY, &unified,
		  sizeof(unified)) ||
	    !info(id, CL_DEVICE_AVAILABLE, &available, sizeof(available)) ||
	    !info(id, CL_DEVICE_COMPILER_AVAILABLE, &compiler,
		  sizeof(compiler)))
		return false;
	err = cl.GetDeviceInfo(id, CL_DEVICE_SVM_CAPABILITIES,
			       sizeof(dev->svm), &dev->svm, NULL);
	if (err == CL_INVALID_VALUE)
		dev->svm = 0; /* Older than OpenCL 2.0 */
	else if (err)
		return false;
	dev->unified = unified;
	return available && compiler;
}

/* How good a choice is it? 0: none. */
static int rate(const struct opencl_device *dev, const char *wanted)
{
	static const struct {
		const char *name;
		cl_device_type type;
	} kinds[] = {
		{ "gpu", CL_DEVICE_TYPE_GPU },
		{ "accelerator", CL_DEVICE_TYPE_ACCELERATOR },
		{ "cpu", CL_DEVICE_TYPE_CPU },
	};

	if (!strcmp(wanted, "auto"))
		return dev->type & CL_DEVICE_TYPE_GPU ? 2 :
		       dev->type & CL_DEVICE_TYPE_ACCELERATOR ? 1 : 0;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(wanted, kinds[i].name))
			return !!(dev->type & kinds[i].type);
	return !!strcasestr(dev->name, wanted);
}

/* Remember its name for the message that there may have to be. */
static void note(const struct opencl_device *dev)
{
	size_t len = strlen(found);

	snprintf(found + len, sizeof(found) - len, "%s\"%s\"",
		 len ? ", " : "", dev->name);
}

const char *opencl_device_find(struct opencl_device *best, const char *wanted)
{
	cl_platform_id platforms[MAX_PLATFORMS];
	cl_uint nr = 0;
	cl_int err = cl.GetPlatformIDs(MAX_PLATFORMS, platforms, &nr);
	struct opencl_device dev;
	int rating = 0;

	if (err || !nr) {
		snprintf(why, sizeof(why),
			 "no OpenCL platform: %s (is a driver's file in /etc/OpenCL/vendors?)",
			 err ? opencl_error(err) : "none is installed");
		return why;
	}
	found[0] = '\0';
	for (cl_uint i = 0; i < nr && i < MAX_PLATFORMS; i++) {
		cl_device_id ids[MAX_DEVICES];
		cl_uint nr_ids = 0;

		if (cl.GetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL,
				    MAX_DEVICES, ids, &nr_ids))
			continue;
		for (cl_uint k = 0; k < nr_ids && k < MAX_DEVICES; k++) {
			if (!examine(&dev, platforms[i], ids[k]))
				continue;
			note(&dev);
			if (rate(&dev, wanted) > rating) {
				rating = rate(&dev, wanted);
				*best = dev;
			}
		}
	}
	if (rating)
		return NULL;
	if (!found[0])
		return "no OpenCL device";
	snprintf(why, sizeof(why), "no OpenCL device \"%s\"; there is %s",
		 wanted, found);
	return why;
}
