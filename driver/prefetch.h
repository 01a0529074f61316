/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Having lines come that will be written to, and go that another CPU will read.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_PREFETCH_H
#define _WC_PREFETCH_H

#include <linux/prefetch.h>

#include "uapi/wavecrypt.h"

/* A generic prefetchw() does not ask for ownership, and without that a line of
 * another CPU's is waited for twice.
 */
static inline void wc_prefetchw(const void *line)
{
#if defined(CONFIG_UML) && defined(CONFIG_X86_64)
	asm volatile("prefetchw %0" : : "m" (*(const char *)line));
#else
	prefetchw(line);
#endif
}

/** wc_prefetchw_lines - the same for each line of @len bytes at @from */
static inline void wc_prefetchw_lines(const u8 *from, unsigned int len)
{
	const u8 *line;

	for (line = from; line < from + len; line += WAVECRYPT_LINE)
		wc_prefetchw(line);
}

/* CLDEMOTE: lines go to the cache that CPUs share, where others find them in half of
 * the time. As bytes, for assemblers from before 2018. For processors that do not know
 * it, it is a NOP.
 */
static inline void wc_pass_on_lines(const u8 *from, unsigned int len)
{
#if defined(CONFIG_X86_64)
	const u8 *line;

	for (line = from; line < from + len; line += WAVECRYPT_LINE)
		asm volatile(".byte 0x0f, 0x1c, 0x07" : : "D" (line) : "memory");
#endif
}

#endif /* _WC_PREFETCH_H */
