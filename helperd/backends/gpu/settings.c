// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "backends/gpu/settings.h"

const char *const gpu_hsa_mode_name[] = {
	[HSA_MODE_AUTO] = "auto",
	[HSA_MODE_DISPATCH] = "dispatch",
	[HSA_MODE_PERSISTENT] = "persistent",
};

const char *const opencl_way_name[] = {
	[OPENCL_AUTO] = "auto",
	[OPENCL_COPY] = "copy",
	[OPENCL_SHARED] = "shared",
	[OPENCL_PERSISTENT] = "persistent",
};
