/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests of tests, described to a GPU as the helper describes those of the module.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef KERNELS_TEST_DESCRIBE_H
#define KERNELS_TEST_DESCRIBE_H

#include "backends/gpu/describe.h"

/**
 * describe_packet() - a request as the GPU finds it
 * @to: to fill in
 * @desc: the request
 */
static inline void describe_packet(struct wavecrypt_gpu_packet *to,
				   const struct wavecrypt_desc *desc)
{
	const struct packet p = {
		.len = desc->len,
		.key_index = desc->key,
		.aad_len = desc->aad_len,
		.auth_len = desc->auth_len,
		.iv = desc->iv,
	};

	gpu_packet(to, &p, desc->data);
}

/**
 * describe_in_group() - one more packet of a group, the next in the array
 * @group: the group
 * @shape: the device's
 * @len: the packet's payload in bytes
 *
 * Returns false if the group is full.
 */
static inline bool describe_in_group(struct wavecrypt_gpu_group *group,
				     const struct wavecrypt_gpu_shape *shape,
				     unsigned int len)
{
	if (group->count == shape->packets[group->cipher][group->op])
		return false;
	group->count++;
	if (group->longest < len)
		group->longest = len;
	return true;
}

#endif
