/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_HOME_H
#define _WC_HOME_H

#include <linux/jiffies.h>

#include "aead.h"

/** WC_HOME_NONE - no CPU has submitted yet */
#define WC_HOME_NONE	U32_MAX

/** WC_HOME_SHARED - several do at a time, and none waits for another */
#define WC_HOME_SHARED	(U32_MAX - 1)

void wc_home_move(struct wc_tfm *tfm, struct wc_order *order,
		  struct wc_node *node);

/**
 * wc_home_here - whether a CPU may submit as it likes
 * @tfm: to this transform
 * @order: the CPU's order of it
 *
 * While CPUs share it, each says so once in a while: then this is false, too.
 *
 * Context: BH disabled.
 * Return: if not, wc_home_move() is due.
 */
static __always_inline bool wc_home_here(const struct wc_tfm *tfm,
					 const struct wc_order *order)
{
	u32 home = READ_ONCE(tfm->home);

	if (likely(home == order->cpu))
		return true;
	return home == WC_HOME_SHARED && order->looked == (u32)jiffies;
}

#endif /* _WC_HOME_H */
