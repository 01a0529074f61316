/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The OpenCL devices that there are, and what each can do.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_OPENCL_DEVICE_H
#define WAVECRYPT_BACKENDS_OPENCL_DEVICE_H

#include <stdbool.h>

#include "backends/gpu/choice.h"
#include "backends/opencl/api.h"

/**
 * struct opencl_device - a device
 * @id: OpenCL's name for it
 * @type: GPU, CPU, accelerator
 * @name: name for people
 * @platform: of whose platform
 * @driver: version of its driver
 * @vendor: number of its vendor
 * @units: compute units
 * @max_alloc: largest buffer, in bytes
 * @unified: it works in the host's own memory
 * @svm: how memory can be shared
 * @c3: its compiler has OpenCL C 3.0
 */
struct opencl_device {
	cl_device_id id;
	cl_device_type type;
	char name[128];
	char platform[128];
	char driver[64];
	cl_uint vendor;
	cl_uint units;
	cl_ulong max_alloc;
	bool unified;
	cl_device_svm_capabilities svm;
	bool c3;
};

/**
 * struct opencl_devices - all that there are
 * @list: what settings call them
 * @device: each, by the same number
 */
struct opencl_devices {
	struct gpu_list list;
	struct opencl_device device[GPU_FOUND_MAX];
};

/** opencl_devices_look - what is there? NULL, or why that cannot be known */
const char *opencl_devices_look(struct opencl_devices *all);

#endif
