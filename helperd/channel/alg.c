// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "channel/alg.h"

const struct alg algs[WAVECRYPT_ALGS] = {
	[WAVECRYPT_ALG_CBC_SHA1] = {
		.name = "authenc(hmac(sha1),cbc(aes))",
		.icv_len = 20,
		.block = 16,
	},
	[WAVECRYPT_ALG_GCM] = {
		.name = "rfc4106(gcm(aes))",
		.icv_len = 16,
		.block = 1,
	},
};
