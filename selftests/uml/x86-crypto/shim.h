/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel's x86 crypto glue asks of its architecture and User-Mode Linux
 * does not answer. Force-included into that glue when it is built for ARCH=um,
 * after asm/cpufeature.h.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef __ASSEMBLY__
#include <linux/mod_devicetable.h>
#include <linux/types.h>

/* there is no arch/x86/kernel/cpu/match.c */
static inline const struct x86_cpu_id *shim_match_cpu(const struct x86_cpu_id *id)
{
	for (; id->vendor | id->family | id->model | id->steppings | id->feature; id++)
		if (id->feature == X86_FEATURE_ANY || boot_cpu_has(id->feature))
			return id;
	return NULL;
}

#define x86_match_cpu shim_match_cpu

/*
 * Nor an FPU core. The feature bits are those of the host's /proc/cpuinfo, which
 * lists nothing whose registers the host has not enabled.
 */
#ifndef cpu_has_xfeatures
#define cpu_has_xfeatures(needed, name) ((void)(needed), true)
#endif
#ifndef XFEATURE_MASK_SSE
#define XFEATURE_MASK_SSE	2
#define XFEATURE_MASK_YMM	4
#endif
#endif
