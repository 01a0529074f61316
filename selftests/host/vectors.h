/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What goes in and what comes out, as RFCs print it.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef HOST_VECTORS_H
#define HOST_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** VECTOR_PARTS - pieces that a line has room for */
#define VECTOR_PARTS	9

/** VECTOR_ROOM - more bytes than any of them has */
#define VECTOR_ROOM	1024

/**
 * struct vector - an example; all but the numbers in hexadecimal, in parts
 * @name: where it stands
 * @alg: &enum wavecrypt_alg
 * @key: the cipher's
 * @auth: HMAC's
 * @iv: CBC: the IV; CTR, ChaCha20-Poly1305: nonce, explicit IV, counter's start
 * @aad: what is authenticated before the payload
 * @in: payload
 * @out: what becomes of it; nothing: the same
 * @icv: as much of the ICV as is said: nothing where a cipher's vector knows of no HMAC
 * @forged: @icv is wrong
 */
struct vector {
	const char *name;
	unsigned int alg;
	const char *key[VECTOR_PARTS], *auth[VECTOR_PARTS], *iv[VECTOR_PARTS];
	const char *aad[VECTOR_PARTS];
	const char *in[VECTOR_PARTS], *out[VECTOR_PARTS], *icv[VECTOR_PARTS];
	bool forged;
};

/** vectors - of RFCs 3602, 3686, 4231, 4868, 7634 and 8439 */
extern const struct vector vectors[];

/** nr_vectors - how many there are */
extern const unsigned int nr_vectors;

/** vector_out - what becomes of the payload */
static inline const char *const *vector_out(const struct vector *v)
{
	return v->out[0] ? v->out : v->in;
}

/** vector_bytes - what hexadecimal numbers say; returns how many bytes */
size_t vector_bytes(uint8_t *to, const char *const parts[VECTOR_PARTS]);

#endif
