/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is to be known about an algorithm to check and sort its packets.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CHANNEL_ALG_H
#define WAVECRYPT_CHANNEL_ALG_H

#include <stdbool.h>
#include <stdint.h>

#include "wavecrypt.h"

/** enum alg_cipher - how a payload is encrypted */
enum alg_cipher {
	CIPHER_NONE,
	CIPHER_CBC,
	CIPHER_CTR,
	CIPHER_GCM,
	CIPHER_CHACHA20,
};

/** enum alg_auth - how it is authenticated */
enum alg_auth {
	AUTH_NONE,
	AUTH_HMAC_SHA1,
	AUTH_HMAC_SHA256,
	AUTH_HMAC_SHA384,
	AUTH_HMAC_SHA512,
	AUTH_GHASH,
	AUTH_POLY1305,
};

/**
 * struct alg - properties of one &enum wavecrypt_alg
 * @name: as in the kernel's crypto API
 * @label: in short, for people
 * @cipher: how the payload is encrypted
 * @auth: how it is authenticated
 * @hash: what its HMAC is made of, as the kernel and OpenSSL call it; NULL: it has none
 * @hash_block: bytes that this hash takes at a time; 0: there is none
 * @icv_len: bytes of the full ICV
 * @block: the payload is a multiple of this power of two
 * @key_lens: bit i: there are cipher keys of 8 * i bytes
 * @seq_hi: the high half of an extended sequence number may be authenticated
 *	behind the payload
 * @side_by_side: many packets fill a CPU's lanes; one alone does not
 */
struct alg {
	const char *name;
	const char *label;
	enum alg_cipher cipher;
	enum alg_auth auth;
	const char *hash;
	uint8_t hash_block;
	uint8_t icv_len;
	uint8_t block;
	uint8_t key_lens;
	bool seq_hi;
	bool side_by_side;
};

/** algs - by &enum wavecrypt_alg; a gap has no name */
extern const struct alg algs[WAVECRYPT_ALGS];

/** alg_set - all of them, bit i for number i, as attach wants it */
void alg_set(uint64_t set[WAVECRYPT_ALG_WORDS]);

/** alg_exists - whether there is such an algorithm, and we know it */
static inline bool alg_exists(unsigned int alg)
{
	return alg < WAVECRYPT_ALGS && algs[alg].name;
}

/** ALG_KEY_MAX - bytes of the longest cipher key */
#define ALG_KEY_MAX	32

/** alg_has_key_len - whether a cipher key can be so long; @alg exists */
static inline bool alg_has_key_len(unsigned int alg, unsigned int key_len)
{
	return key_len <= ALG_KEY_MAX && key_len % 8 == 0 &&
	       algs[alg].key_lens >> key_len / 8 & 1;
}

/** alg_key_min - bytes of the shortest cipher key, 0 where there is none; @alg exists */
static inline unsigned int alg_key_min(unsigned int alg)
{
	return 8 * __builtin_ctz(algs[alg].key_lens);
}

/** ALG_KEY_SIZES - sizes of ciphers' keys: 16, 24, 32 */
#define ALG_KEY_SIZES	3

/**
 * alg_key_size - 0, 1, 2 for a key of 16, 24, 32 bytes
 *
 * Where there is no key, the longest takes its place.
 */
static inline unsigned int alg_key_size(unsigned int key_len)
{
	return key_len ? key_len / 8 - 2 : 2;
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

/** alg_key_len_of_kind - how many bytes of cipher key */
static inline unsigned int alg_key_len_of_kind(unsigned int kind)
{
	unsigned int len = 16 + kind % ALG_KEY_SIZES * 8;

	return algs[alg_of_kind(kind)].key_lens == 1 ? 0 : len;
}

/** alg_kind_exists - whether there are packets of that kind */
static inline bool alg_kind_exists(unsigned int kind)
{
	unsigned int alg = alg_of_kind(kind);

	return alg_exists(alg) &&
	       alg_has_key_len(alg, alg_key_len_of_kind(kind)) &&
	       alg_kind(alg, alg_op_of_kind(kind),
			alg_key_len_of_kind(kind)) == kind;
}

#endif
