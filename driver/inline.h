/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_INLINE_H
#define _WC_INLINE_H

#include "aead.h"

int wc_inline_now(struct wc_req *rq);
bool wc_inline_may_wait(struct wc_tfm *tfm);
int wc_inline_in_order(struct wc_req *rq);

#endif /* _WC_INLINE_H */
