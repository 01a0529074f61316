/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * What atomic instructions make of memory
 */
#ifndef GCN_ATOMIC_H
#define GCN_ATOMIC_H

#include "types.h"

/* From old, zero-extended, and up to two operands; cut to the memory's width */
typedef u64 atomic_fn(u64 old, u64 data, u64 data2);

atomic_fn atomic_add, atomic_sub, atomic_rsub, atomic_inc, atomic_dec;
atomic_fn atomic_smin32, atomic_smin64, atomic_smax32, atomic_smax64;
atomic_fn atomic_umin, atomic_umax, atomic_and, atomic_or, atomic_xor;
atomic_fn atomic_swap, atomic_wrap, atomic_mskor;
/* data replaces data2 if that is what is there */
atomic_fn atomic_cmpswap;
/* The same with its operands the other way round, which local memory has */
atomic_fn atomic_cmpst;

/**
 * atomic_do() - change memory atomically
 * @p: where, aligned
 * @size: 4 or 8 bytes
 * @fn: how
 * @data: its operand
 * @data2: and the second
 *
 * Return: what was there
 */
u64 atomic_do(u8 *p, unsigned int size, atomic_fn *fn, u64 data, u64 data2);

#endif
