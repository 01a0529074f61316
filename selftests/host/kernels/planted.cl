/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two leaks that secrets.c must find: its Makefile puts a call of one of them
 * into what the kernels encrypt by, or what they authenticate by.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
static __constant uint planted_table[16] = {
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
};

/* An address: changes nothing but the time it takes */
static inline uint planted_lookup(uint secret)
{
	return *(volatile __constant uint *)&planted_table[secret & 15];
}

/* A branch, likewise */
static inline uint planted_branch(uint secret)
{
	volatile uint zero = 0;

	if (secret & 1)
		zero = 0;
	return zero;
}
