/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all instances have in common: the device, the compiled kernels.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_OPENCL_SESSION_H
#define WAVECRYPT_BACKENDS_OPENCL_SESSION_H

#include "backends/gpu/device.h"
#include "backends/opencl/device.h"

struct gpu_arena;
struct flight;

/**
 * struct opencl_session - a device in use
 * @base: what any device has
 * @dev: the device
 * @context: OpenCL's context
 * @program: the kernels
 * @way: how packets get there
 * @may_copy: they may as well be copied
 * @copied: what work costs then
 * @arenas: channels' packets that it knows of
 * @entered: a worker is in the driver
 * @waiting: flights that it is to send, too, the last one first
 */
struct opencl_session {
	struct gpu_session base;
	struct opencl_device dev;
	cl_context context;
	cl_program program;
	enum opencl_way way;
	bool may_copy;
	struct backend_cost copied[ALG_KINDS];
	struct gpu_arena *arenas;
	bool entered;
	struct flight *waiting;
};

/** opencl_kind - for gpu_device() */
extern const struct gpu_kind opencl_kind;

#endif
