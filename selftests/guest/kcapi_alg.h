/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcapi_alg: wavecrypt's algorithms, and messages of which libcrypto has said
 * what has to become of them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _GUEST_KCAPI_ALG_H
#define _GUEST_KCAPI_ALG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof(*(array)))

#define MAX_LEN		40000
#define MAX_AAD		256
#define MAX_KEY		256
#define MAX_MESSAGE	(MAX_AAD + MAX_LEN + 32)

#define NR_ALGS		2

/**
 * struct message - what is encrypted or decrypted
 * @iv: as it is given to the kernel beside the data
 * @aad_len: bytes of AAD
 * @len: bytes of payload
 * @icv_len: bytes of ICV
 * @plain: AAD and payload
 * @cipher: AAD, encrypted payload, ICV: what libcrypto makes of @plain
 */
struct message {
	uint8_t iv[16];
	size_t aad_len;
	size_t len;
	size_t icv_len;
	uint8_t plain[MAX_MESSAGE];
	uint8_t cipher[MAX_MESSAGE];
};

/**
 * struct alg - an algorithm
 * @name: what the suite calls it
 * @driver: our implementation's name
 * @generic: and that of the kernel's plain C
 * @iv_len: bytes of IV
 * @block: a payload is a multiple of so many bytes
 * @auth_tail: bytes at the end of the AAD that are not authenticated
 * @max_icv: longest ICV
 * @icvs: ICVs that can be set; the first three are IPsec's; ends with 0
 * @aads: AADs that a message can have; the first two are IPsec's; ends with 0
 * @make_key: makes a key of random bytes, returns its length
 * @key_byte: a byte of it that decides whether a message is authentic
 * @encrypt: has libcrypto make &message.cipher of the rest
 * @offloadable: whether the module can give such a message to a helper
 */
struct alg {
	const char *name;
	const char *driver;
	const char *generic;
	size_t iv_len;
	size_t block;
	size_t auth_tail;
	size_t max_icv;
	const size_t *icvs;
	const size_t *aads;
	size_t (*make_key)(uint8_t *key, size_t aes_len, uint64_t *rng);
	size_t key_byte;
	void (*encrypt)(const uint8_t *key, size_t key_len, struct message *m);
	bool (*offloadable)(size_t aad_len, size_t len);
};

extern const struct alg algs[NR_ALGS];

/* The longest payload that fits a slot of each size: uapi/slots.h */
size_t slot_edge(unsigned int class);

#endif /* _GUEST_KCAPI_ALG_H */
