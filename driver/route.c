// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inline or offload?
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "route.h"

enum wc_mode {
	WC_MODE_AUTO,
	WC_MODE_INLINE,
	WC_MODE_OFFLOAD,
};

static const char * const wc_mode_names[] = { "auto", "inline", "offload" };

static unsigned int wc_mode = WC_MODE_AUTO;

static int wc_mode_set(const char *val, const struct kernel_param *kp)
{
	int mode = sysfs_match_string(wc_mode_names, val);

	if (mode < 0) {
		pr_err("mode is auto, inline or offload\n");
		return mode;
	}
	WRITE_ONCE(wc_mode, mode);
	return 0;
}

static int wc_mode_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%s\n", wc_mode_names[wc_mode]);
}

static const struct kernel_param_ops wc_mode_ops = {
	.set = wc_mode_set,
	.get = wc_mode_get,
};
module_param_cb(mode, &wc_mode_ops, NULL, 0644);
MODULE_PARM_DESC(mode,
		 "auto: where it is cheaper (default); inline: never offload; offload: whenever it is possible");

/**
 * wc_route_offload - whether a request that could be offloaded should be
 * @tfm: its transform
 * @rq: the request
 *
 * Context: BH disabled.
 */
bool wc_route_offload(struct wc_tfm *tfm, struct wc_req *rq)
{
	return READ_ONCE(wc_mode) != WC_MODE_INLINE;
}
