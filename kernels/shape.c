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
	.cbc_encrypt	= 120,	/* two to each of PAIRS lanes */
	.cbc_decrypt	= 32,	/* TEAMS */
	.gcm		= 32,	/* lanes / TEAM */
};

const struct wavecrypt_gpu_shape wavecrypt_gpu_wide = {
	.options	= "-DWAVECRYPT_WIDE",
	.lanes		= 160,
	.cbc_encrypt	= 32,	/* TEAMS */
	.cbc_decrypt	= 32,	/* TEAMS */
	.gcm		= 32,	/* TEAMS: with more, a scheduler of four has two warps */
};
