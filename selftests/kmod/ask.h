/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /dev/wavecrypt_ask: an AEAD for a test program, one transform for each open file
 *
 * What AF_ALG is for, but for any driver: from 7.2 on AF_ALG has synchronous ones
 * only. For the module and for its users.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WAVECRYPT_ASK_H
#define _WAVECRYPT_ASK_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define ASK_DEVICE	"/dev/wavecrypt_ask"
#define ASK_MAX_KEY	256
#define ASK_MAX_LEN	65536
#define ASK_MAX_IV	16

/**
 * struct ask_driver - which one, first of all
 * @name: the driver's name
 * @authsize: bytes of ICV
 */
struct ask_driver {
	char name[128];
	__u32 authsize;
};

/**
 * struct ask_key - a key for it
 * @len: its length in bytes
 * @key: the key, in the form that the algorithm wants it
 */
struct ask_key {
	__u32 len;
	__u8 key[ASK_MAX_KEY];
};

/**
 * struct ask_request - a request, which is waited for
 * @in: where its AAD, payload and, to decrypt, ICV are
 * @out: where AAD, result and, encrypted, ICV go, should it succeed
 * @in_len: bytes there
 * @out_len: bytes there
 * @assoclen: of them, AAD
 * @encrypt: or else decrypt
 * @iv: as long as the algorithm's
 */
struct ask_request {
	__u64 in;
	__u64 out;
	__u32 in_len;
	__u32 out_len;
	__u32 assoclen;
	__u32 encrypt;
	__u8 iv[ASK_MAX_IV];
};

#define ASK_IOC_DRIVER	_IOW('a', 1, struct ask_driver)
#define ASK_IOC_KEY	_IOW('a', 2, struct ask_key)
#define ASK_IOC_REQUEST	_IOW('a', 3, struct ask_request)

#endif /* _WAVECRYPT_ASK_H */
