/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Choosing an OpenCL device, and what it can do.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_OPENCL_DEVICE_H
#define WAVECRYPT_BACKENDS_OPENCL_DEVICE_H

#include <stdbool.h>

#include "backends/opencl/api.h"

/**
 * struct opencl_device - a device
 * @id: OpenCL's name for it
 * @type: GPU, CPU, accelerator
 * @name: name for people
 * @platform: of whose platform
 * @driver: version of its driver
 * @units: compute units
 * @max_alloc: largest buffer, in bytes
 * @unified: it works in the host's own memory
 * @svm: how memory can be shared
 */
struct opencl_device {
	cl_device_id id;
	cl_device_type type;
	char name[128];
	char platform[128];
	char driver[64];
	cl_uint units;
	cl_ulong max_alloc;
	bool unified;
	cl_device_svm_capabilities svm;
};

/**
 * opencl_device_find - choose one
 * @dev: result
 * @wanted: "auto": a GPU, or else an accelerator; "gpu", "accelerator", "cpu":
 *	the first of that kind; otherwise part of a name, in any case
 *
 * Return: NULL, or why there is none, naming those that there are.
 */
const char *opencl_device_find(struct opencl_device *dev, const char *wanted);

#endif
