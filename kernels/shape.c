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
		/* HASHED, once or twice; CBC encryption: two to each of as many lanes */
		[WAVECRYPT_GPU_PLAIN] = { 60, 60 },
		[WAVECRYPT_GPU_CBC] = { 120, 60 },
		[WAVECRYPT_GPU_CTR] = { 60, 60 },
		/* TEAMS */
		[WAVECRYPT_GPU_GCM] = { 32, 32 },
		[WAVECRYPT_GPU_CHACHA20] = { 32, 32 },
	},
};

const struct wavecrypt_gpu_shape wavecrypt_gpu_wide = {
	/* Registers for two work-groups on a multiprocessor, which is with none spilled */
	.options	= "-DWAVECRYPT_WIDE -cl-nv-maxrregcount=200",
	.lanes		= 160,
	.packets	= {
		/* TEAMS: with more, a scheduler of four has two warps */
		[WAVECRYPT_GPU_PLAIN] = { 32, 32 },
		[WAVECRYPT_GPU_CBC] = { 32, 32 },
		[WAVECRYPT_GPU_CTR] = { 32, 32 },
		[WAVECRYPT_GPU_GCM] = { 32, 32 },
		[WAVECRYPT_GPU_CHACHA20] = { 32, 32 },
	},
};

/* What layout.h says for OpenCL compilers is what the module says. */
_Static_assert(WAVECRYPT_GPU_ENCRYPT == WAVECRYPT_OP_ENCRYPT, "directions");
_Static_assert(WAVECRYPT_GPU_DECRYPT == WAVECRYPT_OP_DECRYPT, "directions");
_Static_assert(WAVECRYPT_GPU_MAX_AAD == WAVECRYPT_HEADROOM, "longest AAD");
_Static_assert(WAVECRYPT_GPU_MAX_LEN == WAVECRYPT_MAX_LEN, "longest payload");
_Static_assert(sizeof(((struct wavecrypt_gpu_packet *)0)->iv) ==
	       sizeof(((struct wavecrypt_desc *)0)->iv), "IVs");

/* And there is room for it. */
_Static_assert((typeof(((struct wavecrypt_gpu_packet *)0)->len))WAVECRYPT_MAX_LEN ==
	       WAVECRYPT_MAX_LEN, "a packet's payload");
_Static_assert((typeof(((struct wavecrypt_gpu_group *)0)->longest))WAVECRYPT_MAX_LEN ==
	       WAVECRYPT_MAX_LEN, "the longest payload of a group");
_Static_assert((typeof(((struct wavecrypt_gpu_packet *)0)->aad_len))WAVECRYPT_HEADROOM ==
	       WAVECRYPT_HEADROOM, "a packet's AAD");
