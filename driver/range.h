/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parameters that are numbers from one to another: others are refused, rather than
 * taken for something else.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_RANGE_H
#define _WC_RANGE_H

#include <linux/moduleparam.h>

/**
 * wc_param_range - a parameter that is a number
 * @name: its name
 * @var: an unsigned int
 * @least: what it may be at least
 * @most: and at most
 * @perm: permissions in sysfs
 */
#define wc_param_range(name, var, least, most, perm)			\
	static int var##_set(const char *val, const struct kernel_param *kp)	\
	{								\
		return param_set_uint_minmax(val, kp, least, most);	\
	}								\
	static const struct kernel_param_ops var##_ops = {		\
		.set = var##_set,					\
		.get = param_get_uint,					\
	};								\
	__MODULE_PARM_TYPE(name, "uint");				\
	module_param_cb(name, &var##_ops, &(var), perm)

#endif /* _WC_RANGE_H */
