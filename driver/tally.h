/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_TALLY_H
#define _WC_TALLY_H

#include "aead.h"

int wc_tally_add(struct wc_tfm *tfm);
void wc_tally_remove(struct wc_tfm *tfm);
void wc_tally_learn(struct wc_tfm *tfm, const struct aead_request *req);
bool wc_tally_none(void);
void wc_tally_init(void);
void wc_tally_exit(void);

#endif /* _WC_TALLY_H */
