/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * IPsec's cryptography on a GPU: the whole of it, in the order of reading.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "layout.h"
#include "platform.cl"

#include "aes.cl"
#include "sha1.cl"
#include "sha256.cl"
#include "sha512.cl"
#include "ghash.cl"

#include "work.cl"
#include "ring.cl"
#include "hmac.cl"

#ifdef WAVECRYPT_WIDE
#include "aes_team.cl"
#include "cbc_wide.cl"
#else
#include "cbc_narrow.cl"
#endif
#include "cbc_decrypt.cl"
#include "ctr.cl"
#include "gcm.cl"
#include "chacha20.cl"
#include "poly1305.cl"

#include "batch.cl"
#ifdef WAVECRYPT_PERSISTENT
#include "persistent.cl"
#endif
