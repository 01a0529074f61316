/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_HAZARD_H
#define _WC_HAZARD_H

#include <linux/compiler.h>
#include <linux/jump_label.h>

#include "uapi/wavecrypt.h"

struct device;

/**
 * enum wc_hold - what becomes of the requests of one direction
 * @WC_HOLD_NONE: what the router says
 * @WC_HOLD_DRAIN: in the call, but not before those that are pending
 * @WC_HOLD_CALL: in the call
 */
enum wc_hold {
	WC_HOLD_NONE,
	WC_HOLD_DRAIN,
	WC_HOLD_CALL,
};

DECLARE_STATIC_KEY_FALSE(wc_hazard_key);
extern u8 wc_hazard_holds[WAVECRYPT_OPS];

/**
 * wc_hazard_hold - must this request be done in the call?
 * @op: its direction
 *
 * Context: BH disabled, until it has its place in its order.
 */
static __always_inline enum wc_hold wc_hazard_hold(enum wavecrypt_op op)
{
	if (!static_branch_unlikely(&wc_hazard_key))
		return WC_HOLD_NONE;
	return READ_ONCE(wc_hazard_holds[op]);
}

int wc_hazard_init(struct device *dev);
void wc_hazard_exit(void);

#endif /* _WC_HAZARD_H */
