/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_HMAC_H
#define _WC_HMAC_H

#include <linux/types.h>

/*
 * hash(HASH, hash, state): the hashes that there is an HMAC of, as constants and as
 * the crypto API call them, and how many bytes of its words a block leaves behind
 */
#define WC_EACH_HASH(hash)						\
	hash(SHA1, sha1, 20)						\
	hash(SHA256, sha256, 32)					\
	hash(SHA384, sha384, 64)					\
	hash(SHA512, sha512, 64)

#define WC_HASH_DECLARE(HASH, name, state)	extern struct wc_hash wc_##name;

WC_EACH_HASH(WC_HASH_DECLARE)

void wc_hmac_open(struct wc_hash *hash);
int wc_hmac_prepare(const struct wc_hash *hash, u8 inner[64], u8 outer[64],
		    const u8 *raw, unsigned int raw_len);
void wc_hmac_exit(void);

#endif /* _WC_HMAC_H */
