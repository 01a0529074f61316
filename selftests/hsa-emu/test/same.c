// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * same.cl, compiled for the host
 */
#include "same.h"

uint32_t host_gid;

#include "same.cl"

const struct same_kernel same_kernels[] = {
	{ "sha1", sha1 },
	{ "aes", aes },
	{ "ghash", ghash },
	{ "mix", mix },
	{ 0 },
};

const unsigned int same_words = WORDS;
