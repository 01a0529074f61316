/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_ROUTE_H
#define _WC_ROUTE_H

#include "aead.h"

bool wc_route_offload(struct wc_tfm *tfm, struct wc_req *rq);

#endif /* _WC_ROUTE_H */
