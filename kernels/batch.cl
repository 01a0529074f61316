/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The batch kernel: as many work-groups as there are groups, each does one.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
INLINE void do_group(__global const struct wavecrypt_gpu_group *group,
		     __global const struct wavecrypt_gpu_packet *packets,
		     __global const struct wavecrypt_gpu_key *keys,
		     __global uchar *data, __global uchar *icv, int lane,
		     __local uint4 *pool)
{
	const int quads = (group->longest + 15) >> 4;
	const struct work work = {
		packets + group->first, keys, data, icv, lane, group->count, quads,
		quads > TILE ? (quads + TILE - 1) / TILE : 1, group->rounds
	};

	if (group->alg == WAVECRYPT_GPU_GCM)
		gcm(&work, group->op, pool);
	else if (group->op == WAVECRYPT_GPU_ENCRYPT)
		cbc_encrypt(&work, pool);
	else
		cbc_decrypt(&work, pool);
}

KERNEL void wavecrypt_batch(__global const struct wavecrypt_gpu_group *groups,
			    __global const struct wavecrypt_gpu_packet *packets,
			    __global const struct wavecrypt_gpu_key *keys,
			    __global uchar *data, __global uchar *icv)
{
	__local uint4 pool[POOL];

	do_group(groups + group_id(), packets, keys, data, icv, lane_id(), pool);
}
