// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's algorithms, as the kernels call them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "gpu.h"

#define ALG(number, by, with)	\
	[WAVECRYPT_ALG_##number] = { WAVECRYPT_GPU_##by, WAVECRYPT_GPU_##with }

const struct wavecrypt_gpu_alg wavecrypt_gpu_algs[WAVECRYPT_ALGS] = {
	ALG(CBC_SHA1, CBC, SHA1),
	ALG(CBC_SHA256, CBC, SHA256),
	ALG(CBC_SHA384, CBC, SHA384),
	ALG(CBC_SHA512, CBC, SHA512),
	ALG(CTR_SHA1, CTR, SHA1),
	ALG(CTR_SHA256, CTR, SHA256),
	ALG(CTR_SHA384, CTR, SHA384),
	ALG(CTR_SHA512, CTR, SHA512),
	ALG(NULL_SHA1, PLAIN, SHA1),
	ALG(NULL_SHA256, PLAIN, SHA256),
	ALG(NULL_SHA384, PLAIN, SHA384),
	ALG(NULL_SHA512, PLAIN, SHA512),
	ALG(CBC, CBC, NO_AUTH),
	ALG(GCM, GCM, GHASH),
	ALG(CHACHA20_POLY1305, CHACHA20, POLY1305),
};
