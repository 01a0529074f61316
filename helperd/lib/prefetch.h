/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Having cache lines come before they are needed, and go to where others find them.
 *
 * In assembly, because gcc takes a function that only prefetches for one without
 * effect, and removes it; and because it does not use PREFETCHW, which every
 * x86-64 CPU has (or ignores), unless it is told for which CPU it compiles.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_LIB_PREFETCH_H
#define WAVECRYPT_LIB_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "wavecrypt.h"

/** PREFETCH_AHEAD - lines to have on their way: a core waits for about so many */
#define PREFETCH_AHEAD	16

/** prefetch - the line at @p will be read */
static inline void prefetch(const void *p)
{
#if defined(__x86_64__)
	__asm__ volatile("prefetcht0 %0" : : "m"(*(const char *)p));
#else
	__builtin_prefetch(p);
#endif
}

/** prefetch_write - the line at @p will be written; it is to be ours alone */
static inline void prefetch_write(const void *p)
{
#if defined(__x86_64__)
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *)p));
#else
	__builtin_prefetch(p, 1);
#endif
}

/**
 * prefetch_far - @len bytes at @from will be needed, but not at once
 *
 * They come into the second level cache, which has room for a chunk.
 */
static inline void prefetch_far(const uint8_t *from, uint32_t len)
{
	for (const uint8_t *p = from; p < from + len; p += WAVECRYPT_LINE)
#if defined(__x86_64__)
		__asm__ volatile("prefetcht1 %0" : : "m"(*p));
#else
		__builtin_prefetch(p, 0, 2);
#endif
}

/** pass_on - another CPU wants @len bytes at @from next: to the cache that is everybody's */
static inline void pass_on(const uint8_t *from, uint32_t len)
{
#if defined(__x86_64__)
	for (const uint8_t *p = from; p < from + len; p += WAVECRYPT_LINE)
		__asm__ volatile("cldemote %0" : : "m"(*p));
#else
	(void)from;
	(void)len;
#endif
}

/** pass_on_works - does the processor do that? */
static inline bool pass_on_works(void)
{
#if defined(__x86_64__)
	unsigned int a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (c & 1u << 25);
#else
	return false;
#endif
}

#endif
