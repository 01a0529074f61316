/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Kernels with one mistake each
 */
#include "portable.clh"

/* Nothing wrong with this one */
KERNEL(64) void good(__global uint *data)
{
	data[GID(64)] = GID(64);
}

/* One past the end, in the last lane of all */
KERNEL(64) void past_end(__global uint *data)
{
	data[GID(64) + 1] = 0;
}

KERNEL(64) void read_past_end(__global const uint4 *data, __global uint4 *out)
{
	out[LID()] = data[LID() + 1];
}

/* Two groups write the same word. */
KERNEL(64) void race_write(__global uint *data)
{
	data[LID() & 31] = LID() & 31;
}

/* One group reads what another one writes. */
KERNEL(64) void race_read(__global uint *data)
{
	if (GROUP() == 0)
		data[LID()] = 1;
	else
		data[64 + LID()] = data[LID()];
}

/* One wave writes what another one reads. */
KERNEL(128) void race_write_read(__global uint *data)
{
	if (LID() < 64)
		data[64 + LID()] = data[LID()];
	else
		data[LID() - 64] = 1;
}

/* Two waves of a group, without a barrier */
KERNEL(128) void race_waves(__global uint *data)
{
	data[127 - LID()] = LID();
	data[LID()] += 1;
}

KERNEL(128) void race_lds(__global uint *data)
{
	__local uint tmp[128];
	volatile __local uint *v = tmp;

	v[LID()] = LID();
	group_barrier();
	v[LID()] += 1;
	data[LID()] = v[LID() ^ 64];
}

/* Lanes store different values at one place. */
KERNEL(64) void same_place(__global uint *data)
{
	data[LID() & 1] = LID();
}

KERNEL(64) void unwritten_lds(__global uint *data)
{
	__local uint tmp[64];

	if (LID() < 32)
		tmp[LID()] = 1;
	group_barrier();
	data[LID()] = tmp[LID()];
}

KERNEL(64) void past_lds(__global uint *data, __local uint *tmp)
{
	tmp[LID()] = 5;
	group_barrier();
	data[LID()] = tmp[LID() ^ 1];
}

/* The first wave leaves, the second waits for it. */
KERNEL(128) void half_barrier(__global uint *data)
{
	__local uint tmp[128];

	tmp[LID()] = data[LID()];
	if (LID() >= 64) {
		group_barrier();
		data[LID()] = tmp[LID() ^ 1];
	}
}

KERNEL(64) void write_const(__global uint *data)
{
	static __constant uint table[4] = { 1, 2, 3, 4 };

	*(__global uint *)(ulong)(&table[LID() & 3]) = data[LID()];
}

KERNEL(64) void trap(__global uint *data)
{
	if (data[0] == 12345)
		__builtin_trap();
	data[LID()] = 0;
}

KERNEL(64) void unaligned_atomic(__global uchar *data)
{
	__atomic_fetch_add((__global uint *)(data + 1), 1, __ATOMIC_RELAXED);
}

KERNEL(64) void atomic_far(__global uint *data)
{
	__atomic_fetch_add(data + (1 << 28), 1, __ATOMIC_RELAXED);
}

/* Runs until it is told to end, which nobody does. */
KERNEL(64) void forever(__global uint *data)
{
	while (!__scoped_atomic_load_n(data, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_SYSTEM))
		__builtin_amdgcn_s_sleep(8);
}

/* Each of many packets counts, without an order between them. */
KERNEL(64) void unordered(__global uint *data)
{
	data[LID()] += 1;
}

__kernel void scratch(__global uint *data, uint n)
{
	volatile uint big[64];

	for (uint k = 0; k < 64; k++)
		big[k] = data[k];
	data[n] = big[n & 63];
}
