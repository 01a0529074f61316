/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_HMAC_H
#define _WC_HMAC_H

#include <linux/types.h>

struct wc_hash;

extern struct wc_hash wc_sha1;
extern struct wc_hash wc_sha256;
extern struct wc_hash wc_sha384;
extern struct wc_hash wc_sha512;

void wc_hmac_open(struct wc_hash *hash);
int wc_hmac_prepare(const struct wc_hash *hash, u8 inner[64], u8 outer[64],
		    const u8 *raw, unsigned int raw_len);
void wc_hmac_exit(void);

#endif /* _WC_HMAC_H */
