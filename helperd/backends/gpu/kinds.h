/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which kinds of packets stand for others. Kernels are put together of ciphers and
 * authenticators that do not know of each other: with a dozen of each there are too
 * many kinds to take seconds over each, whenever a device is opened.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_KINDS_H
#define WAVECRYPT_BACKENDS_GPU_KINDS_H

#include "channel/alg.h"

/**
 * gpu_kind_like - the kind that is tested at length, and measured, for another
 *
 * Each cipher's first algorithm, with every key size, and each authenticator's
 * first, with the shortest key, stand for themselves. None is like a later one.
 */
static inline unsigned int gpu_kind_like(unsigned int kind)
{
	unsigned int alg = alg_of_kind(kind), op = alg_op_of_kind(kind);
	unsigned int cipher = 1, auth = 1;

	while (algs[cipher].cipher != algs[alg].cipher)
		cipher++;
	while (algs[auth].auth != algs[alg].auth)
		auth++;
	if (cipher == alg)
		return kind;
	if (algs[alg].auth == AUTH_NONE)
		return alg_kind(cipher, op, alg_key_len_of_kind(kind));
	return alg_kind(auth, op, alg_key_min(auth));
}

#endif
