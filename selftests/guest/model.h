/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the algorithms are, according to libcrypto.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _GUEST_MODEL_H
#define _GUEST_MODEL_H

#include <stddef.h>
#include <stdint.h>

void model_cbc(const uint8_t *key, size_t key_len, const uint8_t iv[16],
	       int encrypt, uint8_t *data, size_t len);
void model_hmac_sha1(const uint8_t *key, size_t key_len, const uint8_t *data,
		     size_t len, uint8_t mac[20]);
void model_gcm(const uint8_t *key, size_t key_len, const uint8_t nonce[12],
	       const uint8_t *aad, size_t aad_len, int encrypt, uint8_t *data,
	       size_t len, uint8_t tag[16]);

#endif /* _GUEST_MODEL_H */
