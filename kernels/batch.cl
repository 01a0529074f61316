/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The batch kernel: as many work-groups as there are groups, each does one.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
INLINE void encrypt_or_decrypt(const __private struct work *work, int cipher, int op,
			       __local uint4 *pool)
{
	if (cipher == WAVECRYPT_GPU_GCM)
		gcm(work, op, pool);
	else if (cipher == WAVECRYPT_GPU_CTR)
		ctr(work, pool);
	else if (cipher == WAVECRYPT_GPU_CHACHA20)
		chacha20(work);
	else if (cipher == WAVECRYPT_GPU_CBC && op == WAVECRYPT_GPU_ENCRYPT)
		cbc_encrypt(work, pool);
	else if (cipher == WAVECRYPT_GPU_CBC)
		cbc_decrypt(work, pool);
}

/* What its cipher has not done already */
INLINE void authenticate(const __private struct work *work, int cipher, __local uint4 *pool)
{
#ifdef WAVECRYPT_WIDE
	if (cipher == WAVECRYPT_GPU_CBC)
		return;
#endif
	if (work->auth == WAVECRYPT_GPU_POLY1305)
		poly1305(work, pool);
	else if (work->auth != WAVECRYPT_GPU_NO_AUTH && work->auth != WAVECRYPT_GPU_GHASH)
		hmac_packets(work, pool);
}

INLINE void do_group(__global const struct wavecrypt_gpu_group *group,
		     __global const struct wavecrypt_gpu_packet *packets,
		     __global const struct wavecrypt_gpu_key *keys,
		     __global uchar *data, int lane, __local uint4 *pool)
{
	/* What is authenticated is the ciphertext. One copy of the code of either */
#pragma unroll 1
	for (int turn = 0; turn < 2;) {
		const uint next = afresh(turn + 1);
		/* Afresh: else registers keep all that can be known beforehand, for all kinds. */
		const int op = uniform(afresh(group->op)), cipher = uniform(afresh(group->cipher));
		const int quads = (uniform(afresh(group->longest)) + 15) >> 4;
		const struct work work = {
			packets + uniform(afresh(group->first)), keys, data, afresh(lane),
			uniform(afresh(group->count)), quads,
			uniform(afresh(group->rounds)), uniform(afresh(group->auth))
		};

		if (turn != (op == WAVECRYPT_GPU_ENCRYPT))
			encrypt_or_decrypt(&work, cipher, op, pool);
		else
			authenticate(&work, cipher, pool);
		group_barrier_global();
		turn = uniform(afresh(next));
	}
}

KERNEL void wavecrypt_batch(__global const struct wavecrypt_gpu_group *groups,
			    __global const struct wavecrypt_gpu_packet *packets,
			    __global const struct wavecrypt_gpu_key *keys,
			    __global uchar *data)
{
	__local uint4 pool[POOL];

	do_group(groups + group_id(), packets, keys, data, lane_id(), pool);
}
