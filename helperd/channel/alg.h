/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is to be known about an algorithm to check and sort its packets.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CHANNEL_ALG_H
#define WAVECRYPT_CHANNEL_ALG_H

#include <stdint.h>

#include "wavecrypt.h"

/**
 * struct alg - properties of one &enum wavecrypt_alg
 * @name: as in the kernel's crypto API
 * @icv_len: bytes of the full ICV
 * @block: the payload is a multiple of this power of two
 */
struct alg {
	const char *name;
	uint8_t icv_len;
	uint8_t block;
};

/** algs - by &enum wavecrypt_alg; a gap has no name */
extern const struct alg algs[WAVECRYPT_ALGS];

/** ALG_KEY_SIZES - AES key sizes: 16, 24, 32 */
#define ALG_KEY_SIZES	3

/** alg_key_size - 0, 1, 2 for a key of 16, 24, 32 bytes */
static inline unsigned int alg_key_size(unsigned int key_len)
{
	return key_len / 8 - 2;
}

/** ALG_KINDS - algorithm x direction x key size */
#define ALG_KINDS	((WAVECRYPT_ALGS - 1) * WAVECRYPT_OPS * ALG_KEY_SIZES)

/** alg_kind - number of a combination, from 0 to ALG_KINDS - 1 */
static inline unsigned int alg_kind(unsigned int alg, unsigned int op,
				    unsigned int key_len)
{
	return ((alg - 1) * WAVECRYPT_OPS + op) * ALG_KEY_SIZES +
	       alg_key_size(key_len);
}

/** alg_of_kind - which algorithm a kind is of */
static inline unsigned int alg_of_kind(unsigned int kind)
{
	return kind / (WAVECRYPT_OPS * ALG_KEY_SIZES) + 1;
}

/** alg_op_of_kind - which direction */
static inline unsigned int alg_op_of_kind(unsigned int kind)
{
	return kind / ALG_KEY_SIZES % WAVECRYPT_OPS;
}

/** alg_key_len_of_kind - how many bytes of AES key */
static inline unsigned int alg_key_len_of_kind(unsigned int kind)
{
	return 16 + kind % ALG_KEY_SIZES * 8;
}

#endif
