// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shapes of work-groups, as platform.cl cuts them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "gpu.h"

const struct wavecrypt_gpu_shape wavecrypt_gpu_narrow = {
	.options	= "",
	.lanes		= 64,
	.packets	= {
		/* two to each of PAIRS lanes, TEAMS */
		[WAVECRYPT_ALG_CBC_SHA1] = { 120, 32 },
		/* lanes / TEAM */
		[WAVECRYPT_ALG_GCM] = { 32, 32 },
	},
};

const struct wavecrypt_gpu_shape wavecrypt_gpu_wide = {
	.options	= "-DWAVECRYPT_WIDE",
	.lanes		= 160,
	.packets	= {
		[WAVECRYPT_ALG_CBC_SHA1] = { 32, 32 },	/* TEAMS */
		/* TEAMS: with more, a scheduler of four has two warps */
		[WAVECRYPT_ALG_GCM] = { 32, 32 },
	},
};

/* What layout.h says for OpenCL compilers is what the module says. */
_Static_assert(WAVECRYPT_GPU_CBC_SHA1 == WAVECRYPT_ALG_CBC_SHA1, "algorithms");
_Static_assert(WAVECRYPT_GPU_GCM == WAVECRYPT_ALG_GCM, "algorithms");
_Static_assert(WAVECRYPT_GPU_ENCRYPT == WAVECRYPT_OP_ENCRYPT, "directions");
_Static_assert(WAVECRYPT_GPU_DECRYPT == WAVECRYPT_OP_DECRYPT, "directions");
_Static_assert(WAVECRYPT_GPU_MAX_AAD == WAVECRYPT_HEADROOM, "longest AAD");

