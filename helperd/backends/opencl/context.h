/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all instances have in common: the device, the compiled kernels, what they
 * cost there, and whether they still work.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_OPENCL_CONTEXT_H
#define WAVECRYPT_OPENCL_CONTEXT_H

#include "backends/opencl/device.h"
#include "backend.h"
#include "config.h"

struct arena;

/**
 * enum opencl_way - how packets get to the device and back
 * @OPENCL_AUTO: to be chosen
 * @OPENCL_COPY: they are copied to memory of its own, and back
 * @OPENCL_SHARED: it works on them where they are; one launch for each chunk
 * @OPENCL_PERSISTENT: likewise, by a kernel that never ends and is told of work
 *	through memory
 */
enum opencl_way {
	OPENCL_AUTO,
	OPENCL_COPY,
	OPENCL_SHARED,
	OPENCL_PERSISTENT,
	OPENCL_WAYS,
};

/** opencl_way_name - "auto", "copy", "shared", "persistent" */
extern const char *const opencl_way_name[OPENCL_WAYS];

/**
 * struct opencl_context - a device in use
 * @config: settings
 * @dev: the device
 * @context: OpenCL's context
 * @program: the kernels
 * @way: how packets get there
 * @cost: what they cost, by kind
 * @arenas: channels' packets that it knows of
 * @users: instances
 * @lost: it failed: there will be no more instances of it
 * @lost_at: when, in ns
 * @hung: it did not come to an end: nothing of it can be released
 * @calibrating: failures are no news
 */
struct opencl_context {
	const struct config *config;
	struct opencl_device dev;
	cl_context context;
	cl_program program;
	enum opencl_way way;
	struct backend_cost cost[ALG_KINDS];
	struct arena *arenas;
	unsigned int users;
	bool lost;
	uint64_t lost_at;
	bool hung;
	bool calibrating;
};

/**
 * opencl_context_create - start using a device
 * @config: which, and how
 * @why: set to what went wrong, if it did
 *
 * Calibrates; so the lanes must have been probed before, whose results it
 * compares the device's with.
 */
struct opencl_context *opencl_context_create(const struct config *config,
					     const char **why);

/** opencl_context_free - stop using it; there are no instances */
void opencl_context_free(struct opencl_context *ctx);

#endif
