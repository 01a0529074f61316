/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which GPU to use, and how; wavecryptd.conf(5) says what each setting is for.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_SETTINGS_H
#define WAVECRYPT_BACKENDS_GPU_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/setting.h"

/**
 * enum hsa_mode - how kernels are used on the ROCm runtime
 * @HSA_MODE_AUTO: whichever is better
 * @HSA_MODE_DISPATCH: a dispatch for each chunk
 * @HSA_MODE_PERSISTENT: one that never ends
 */
enum hsa_mode {
	HSA_MODE_AUTO,
	HSA_MODE_DISPATCH,
	HSA_MODE_PERSISTENT,
	HSA_MODES,
};

/** gpu_hsa_mode_name - "auto", "dispatch", "persistent" */
extern const char *const gpu_hsa_mode_name[HSA_MODES];

/**
 * enum opencl_way - how packets get to an OpenCL device and back
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

/** GPU_WANTED - room for which devices are wanted */
#define GPU_WANTED	512

/**
 * struct gpu_settings - settings of GPUs
 * @balance: its work is shared with the lanes by cost, so that cost matters
 * @retry_ms: wait before one that failed is tried again
 * @timeout_ms: a chunk that takes longer has failed
 * @chunk: most packets in a chunk
 * @chunk_kib: most payload in a chunk
 * @chunks: chunks that an instance has in flight; 0: to be chosen
 * @hsa_device: which, of the ROCm runtime's
 * @hsa_code: directory of code objects
 * @hsa_mode: &enum hsa_mode
 * @hsa_groups: work-groups of the persistent kernel; 0: to be chosen
 * @opencl_device: which, of OpenCL's
 * @opencl_cache: directory of compiled kernels
 * @opencl_memory: &enum opencl_way
 * @opencl_groups: work-groups of the persistent kernel; 0: to be chosen
 * @opencl_runs: copy neighbouring slots in one go
 */
struct gpu_settings {
	bool balance;
	uint32_t retry_ms;
	uint32_t timeout_ms;
	uint32_t chunk;
	uint32_t chunk_kib;
	uint32_t chunks;
	char hsa_device[GPU_WANTED];
	char hsa_code[SETTING_TEXT];
	uint32_t hsa_mode;
	uint32_t hsa_groups;
	char opencl_device[GPU_WANTED];
	char opencl_cache[SETTING_TEXT];
	uint32_t opencl_memory;
	uint32_t opencl_groups;
	bool opencl_runs;
};

#endif
