/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * AEAD requests, each waited for, by way of the module wavecrypt_ask
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef ALG_H
#define ALG_H

#include <stddef.h>

#define ALG_DRIVER	"authenc-hmac-sha1-cbc-aes-wavecrypt"
#define ALG_AAD		8
#define ALG_ICV		12

int alg_open(const char *driver);
int alg_setkey(int fd, const void *key, size_t len);
int alg_key(int fd, unsigned char seed);
int alg_crypt(int fd, int encrypt, const void *in, size_t in_len, void *out,
	      size_t out_len);

#endif /* ALG_H */
