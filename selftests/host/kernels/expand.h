/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A key as the module publishes it, without the module's or the helper's code.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef KERNELS_TEST_EXPAND_H
#define KERNELS_TEST_EXPAND_H

#include <wavecrypt.h>

#include "reference.h"

/** random_sa() - a new key */
void random_sa(struct sa *sa, unsigned int alg, unsigned int aes_len);

/** expand_sa() - the same key as the module would publish it; no decryption keys */
void expand_sa(struct wavecrypt_key *key, const struct sa *sa);

#endif
