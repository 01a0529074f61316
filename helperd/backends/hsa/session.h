/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all instances have in common: the runtime, the GPU, its code.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_HSA_SESSION_H
#define WAVECRYPT_BACKENDS_HSA_SESSION_H

#include "backends/gpu/device.h"
#include "backends/hsa/code.h"
#include "backends/hsa/memory.h"

/**
 * struct hsa_session - a GPU in use
 * @base: what any device has
 * @machine: what the runtime knows of
 * @gpu: the GPU, one of the machine's
 * @found: what it is called
 * @code: the kernels
 * @mode: how they are used: %HSA_MODE_DISPATCH, or %HSA_MODE_PERSISTENT by as many
 *	instances as there is room for
 * @gpus: it, and those that are used beside it
 * @lacks: one of these was not there when it was last looked for
 */
struct hsa_session {
	struct gpu_session base;
	struct hsa_machine machine;
	const struct hsa_gpu *gpu;
	const struct gpu_found *found;
	struct hsa_code code;
	enum hsa_mode mode;
	struct hsa_gpus gpus;
	bool lacks;
};

/** hsa_kind - for gpu_device() */
extern const struct gpu_kind hsa_kind;

#endif
