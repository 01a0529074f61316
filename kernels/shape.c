// SPDX-License-Identifier: GPL-2.0-only
/*
 * The shapes of work-groups, as platform.cl cuts them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "gpu.h"

#define TEAMS	WAVECRYPT_GPU_NARROW_TEAMS
#define HASHED	WAVECRYPT_GPU_NARROW_HASHED
#define CHAINS	(2 * WAVECRYPT_GPU_NARROW_PAIRS)

const struct wavecrypt_gpu_shape wavecrypt_gpu_narrow = {
	.options	= "",
	.lanes		= WAVECRYPT_GPU_NARROW_LANES,
	.packets	= {
		[WAVECRYPT_GPU_PLAIN] = { HASHED, HASHED },
		[WAVECRYPT_GPU_CBC] = { CHAINS, HASHED },
		[WAVECRYPT_GPU_CTR] = { HASHED, HASHED },
		[WAVECRYPT_GPU_GCM] = { TEAMS, TEAMS },
		[WAVECRYPT_GPU_CHACHA20] = { TEAMS, TEAMS },
	},
};

#define WIDE	WAVECRYPT_GPU_WIDE_TEAMS

const struct wavecrypt_gpu_shape wavecrypt_gpu_wide = {
	/* Registers for two work-groups on a multiprocessor, which is with none spilled */
	.options	= "-DWAVECRYPT_WIDE -cl-nv-maxrregcount=200",
	.lanes		= WAVECRYPT_GPU_WIDE_LANES,
	.packets	= {
		/* With more, a scheduler of four has two warps. */
		[WAVECRYPT_GPU_PLAIN] = { WIDE, WIDE },
		[WAVECRYPT_GPU_CBC] = { WIDE, WIDE },
		[WAVECRYPT_GPU_CTR] = { WIDE, WIDE },
		[WAVECRYPT_GPU_GCM] = { WIDE, WIDE },
		[WAVECRYPT_GPU_CHACHA20] = { WIDE, WIDE },
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
