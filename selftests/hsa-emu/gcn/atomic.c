// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "atomic.h"

#define ATOMIC(name, value)				\
u64 atomic_ ## name(u64 old, u64 data, u64 data2)	\
{							\
	(void)old;					\
	(void)data;					\
	(void)data2;					\
	old = (value);					\
	return old;					\
}

ATOMIC(add, old + data)
ATOMIC(sub, old - data)
ATOMIC(rsub, data - old)
ATOMIC(inc, old >= data ? 0 : old + 1)
ATOMIC(dec, !old || old > data ? data : old - 1)
ATOMIC(smin32, (s32)old < (s32)data ? old : data)
ATOMIC(smin64, (s64)old < (s64)data ? old : data)
ATOMIC(smax32, (s32)old > (s32)data ? old : data)
ATOMIC(smax64, (s64)old > (s64)data ? old : data)
ATOMIC(umin, old < data ? old : data)
ATOMIC(umax, old > data ? old : data)
ATOMIC(and, old & data)
ATOMIC(or, old | data)
ATOMIC(xor, old ^ data)
ATOMIC(swap, data)
ATOMIC(wrap, old >= data ? old - data : old + data2)
ATOMIC(mskor, (old & ~data) | data2)
ATOMIC(cmpswap, old == data2 ? data : old)
ATOMIC(cmpst, old == data ? data2 : old)

static u64 do32(u32 *at, atomic_fn fn, u64 data, u64 data2)
{
	u32 old = __atomic_load_n(at, __ATOMIC_RELAXED);

	while (!__atomic_compare_exchange_n(at, &old, (u32)fn(old, data, data2), false,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
	return old;
}

static u64 do64(u64 *at, atomic_fn fn, u64 data, u64 data2)
{
	u64 old = __atomic_load_n(at, __ATOMIC_RELAXED);

	while (!__atomic_compare_exchange_n(at, &old, fn(old, data, data2), false,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
	return old;
}

u64 atomic_do(u8 *p, unsigned int size, atomic_fn *fn, u64 data, u64 data2)
{
	return size == 4 ? do32((u32 *)(void *)p, fn, data, data2) :
	       do64((u64 *)(void *)p, fn, data, data2);
}
