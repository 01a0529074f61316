/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a packet should have become, by OpenSSL's libcrypto.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef SELFTESTS_REFERENCE_H
#define SELFTESTS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wavecrypt.h"

/** SA_AUTH_MAX - longest HMAC key: a block of SHA-512 */
#define SA_AUTH_MAX	128

/** SA_AUTH_SHA1 - length of IPsec's HMAC-SHA-1 keys (RFC 2404) */
#define SA_AUTH_SHA1	20

/**
 * struct sa - keys as a user has them
 * @alg: &enum wavecrypt_alg
 * @aes_len: bytes of @aes
 * @aes: AES or ChaCha20 key
 * @auth_len: bytes of @auth
 * @auth: HMAC key
 * @esn: extended sequence numbers: HMAC ends with @seq_hi
 * @seq_hi: the high half of all of them, as it is authenticated
 */
struct sa {
	uint16_t alg;
	uint16_t aes_len;
	uint8_t aes[32];
	uint16_t auth_len;
	uint8_t auth[SA_AUTH_MAX];
	bool esn;
	uint32_t seq_hi;
};

/**
 * reference - what the helper has to do with one packet
 * @sa: keys
 * @op: &enum wavecrypt_op
 * @iv: as in the descriptor
 * @data: payload, transformed in place; the full ICV goes right behind it
 * @len: length of the payload
 * @aad: authenticated data
 * @aad_len: its length
 */
void reference(const struct sa *sa, uint8_t op, const uint8_t iv[16],
	       uint8_t *data, size_t len, const uint8_t *aad, size_t aad_len);

/** sa_auth_len - length of IPsec's HMAC keys for an algorithm (RFC 2404, 4868) */
uint16_t sa_auth_len(uint16_t alg);

/** random_bytes - reproducible ones, see random_seed() */
void random_bytes(void *to, size_t len);

/** random_below - a number from 0 to @n - 1 */
uint32_t random_below(uint32_t n);

/** random_seed - begin a sequence; per thread */
void random_seed(uint64_t seed);

#endif
