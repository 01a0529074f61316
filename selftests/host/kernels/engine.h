/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Something that runs the kernels over memory of its own.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef KERNELS_TEST_ENGINE_H
#define KERNELS_TEST_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#include "gpu.h"

#define ENGINE_GROUPS	4096
#define ENGINE_PACKETS	65536
#define ENGINE_KEYS	4096
#define ENGINE_DATA	(96u << 20)

/**
 * struct engine - see engine_open()
 * @name: of the device
 * @shape: what it was built for
 * @groups: ENGINE_GROUPS of them, and so on; all to be written by the test
 * @packets: packets
 * @keys: keys
 * @data: payload
 * @run: does @nr groups. Returns NULL, or what went wrong
 * @close: ends it. Returns the same
 */
struct engine {
	char name[256];
	const struct wavecrypt_gpu_shape *shape;
	struct wavecrypt_gpu_group *groups;
	struct wavecrypt_gpu_packet *packets;
	struct wavecrypt_gpu_key *keys;
	uint8_t *data;
	const char *(*run)(struct engine *engine, unsigned int nr);
	const char *(*close)(struct engine *engine);
};

/** engine_hosted() - the kernels compiled for this processor */
const char *engine_hosted(struct engine *engine);

/** engine_batch() - an OpenCL device, a launch for each run */
const char *engine_batch(struct engine *engine);

/** engine_persistent() - an OpenCL device, one launch for all */
const char *engine_persistent(struct engine *engine);

#endif
