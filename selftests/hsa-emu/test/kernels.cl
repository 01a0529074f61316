/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Kernels of which work-items have to do with one another
 */
#include "portable.clh"

/* Sums of each group of 256, before and including each item: four waves */
KERNEL(256) void scan(__global const uint *in, __global uint *out)
{
	__local uint sum[2][256];
	uint l = LID(), g = GID(256), at = 0;

	sum[0][l] = in[g];
	group_barrier();
	for (uint step = 1; step < 256; step <<= 1) {
		sum[at ^ 1][l] = sum[at][l] + (l >= step ? sum[at][l - step] : 0);
		at ^= 1;
		group_barrier();
	}
	out[g] = sum[at][l];
}

/* 16-byte accesses to local memory, and every width of the others */
KERNEL(128) void turn(__global const uint4 *in, __global uint4 *out)
{
	__local uint4 tile[128];
	__local uchar bytes[128];
	__local ushort shorts[128];
	__local ulong longs[128];
	uint l = LID(), g = GID(128);
	uint4 x;

	tile[l] = in[g];
	bytes[l] = (uchar)(in[g].x);
	shorts[l] = (ushort)(in[g].y);
	longs[l] = (ulong)in[g].z << 32 | in[g].w;
	group_barrier();
	x = tile[127 - l];
	x.x += bytes[l ^ 1];
	x.y += shorts[l ^ 65];
	x.z += (uint)longs[(l + 77) & 127];
	x.w += (uint)(longs[(l + 3) & 127] >> 32);
	out[g] = x;
}

/* total[0]: the sum of all; [1]: how many; [2], [3]: least and greatest; [4]: all or'ed;
 * [5]: highest by compare and swap. Each group's lock-step count is in counts.
 */
KERNEL(64) void atomics(__global const uint *in, __global uint *total, __global ulong *wide,
			__global uint *counts)
{
	__local uint bins[16];
	uint l = LID(), x = in[GID(64)];
	uint old = 0;

	if (l < 16)
		bins[l] = 0;
	group_barrier();
	__atomic_fetch_add(&bins[x & 15], 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&total[0], x, __ATOMIC_RELAXED);
	__atomic_fetch_add(&total[1], 1, __ATOMIC_RELAXED);
	__atomic_fetch_min(&total[2], x, __ATOMIC_RELAXED);
	__atomic_fetch_max(&total[3], x, __ATOMIC_RELAXED);
	__atomic_fetch_or(&total[4], x, __ATOMIC_RELAXED);
	old = __atomic_load_n(&total[5], __ATOMIC_RELAXED);
	while (old < x && !__atomic_compare_exchange_n(&total[5], &old, x, 0, __ATOMIC_RELAXED,
						       __ATOMIC_RELAXED))
		;
	__atomic_fetch_add(&wide[0], (ulong)x << 20, __ATOMIC_RELAXED);
	__atomic_fetch_xor(&wide[1], (ulong)x << 32 | ~x, __ATOMIC_RELAXED);
	group_barrier();
	if (l < 16)
		__atomic_fetch_add(&counts[l], bins[l], __ATOMIC_RELAXED);
}

/* Registers of other lanes */
KERNEL(64) void shuffle(__global const uint *in, __global uint *out)
{
	uint g = GID(64), l = LID(), x = in[g], y;

	y = (uint)__builtin_amdgcn_ds_bpermute((int)((l ^ 21) * 4), (int)x);
	y = y * 3 + (uint)__builtin_amdgcn_mov_dpp((int)x, 0x1b, 15, 15, true);
	y = y * 3 + (uint)__builtin_amdgcn_mov_dpp((int)x, 0x111, 15, 15, true);
	y = y * 3 + (uint)__builtin_amdgcn_ds_swizzle((int)x, 0x041f);
	y = y * 3 + (uint)__builtin_amdgcn_readfirstlane((int)x);
	y = y * 3 + (uint)__builtin_amdgcn_readlane((int)x, 37);
	out[g] = y;
}

/* A two-dimensional grid whose last groups are not full */
__kernel void grid(__global uint *out, uint width)
{
	uint x = __builtin_amdgcn_workgroup_id_x() * 8 + __builtin_amdgcn_workitem_id_x();
	uint y = __builtin_amdgcn_workgroup_id_y() * 4 + __builtin_amdgcn_workitem_id_y();

	out[y * width + x] = y << 16 | x;
}

/* Local memory that the packet allots, and where the packet says how much */
KERNEL(64) void reverse(__global uint *data, __local uint *tmp)
{
	uint l = LID();

	tmp[l] = data[l];
	group_barrier();
	data[l] = tmp[63 - l];
}

struct mailbox {
	uint request, stop, value, reply, result;
};

/* Stays until it is told to go, and answers what it is asked meanwhile */
KERNEL(64) void persistent(__global struct mailbox *boxes)
{
	__global struct mailbox *box = &boxes[GROUP()];
	uint seen = 0, request;

	for (;;) {
		request = __scoped_atomic_load_n(&box->request, __ATOMIC_ACQUIRE,
						 __MEMORY_SCOPE_SYSTEM);
		if (request == seen) {
			if (__scoped_atomic_load_n(&box->stop, __ATOMIC_ACQUIRE,
						   __MEMORY_SCOPE_SYSTEM))
				break;
			__builtin_amdgcn_s_sleep(8);
			continue;
		}
		seen = request;
		if (LID() == 0) {
			box->result = box->value * box->value;
			__scoped_atomic_store_n(&box->reply, seen, __ATOMIC_RELEASE,
						__MEMORY_SCOPE_SYSTEM);
		}
	}
}

/* Two groups that wait for each other: both have to be given turns */
KERNEL(64) void pingpong(__global uint *turn, uint rounds)
{
	uint me = GROUP();

	for (uint n = 0; n < rounds; n++) {
		while (__scoped_atomic_load_n(turn, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE) !=
		       2 * n + me)
			;
		if (LID() == 0)
			__scoped_atomic_store_n(turn, 2 * n + me + 1, __ATOMIC_RELEASE,
						__MEMORY_SCOPE_DEVICE);
	}
}

/* What is stored through a pointer that may be to any memory */
KERNEL(64) void anywhere(__global uint *out, uint local_too)
{
	__local uint tmp[64];
	uint l = LID();
	uint *p = local_too ? (uint *)&tmp[l] : (uint *)&out[l];

	*p = l * 7;
	group_barrier();
	if (local_too)
		out[l] = *p + 1;
}
