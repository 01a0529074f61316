/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The host's side of the GPU kernels: their source, how work is cut for them,
 * and keys in the form they want. Knows nothing of OpenCL or HSA; whoever runs
 * the kernels moves the memory.
 *
 * wavecrypt_batch: one work-group of &wavecrypt_gpu_shape.lanes work-items, in
 * one dimension, for each group. Arguments: groups, packets, keys, data.
 *
 * wavecrypt_persistent: as many work-groups as surely run at once. Arguments:
 * ring, groups, packets, keys, data; all of it memory shared with the host,
 * fine-grained, with atomics. See &struct wavecrypt_gpu_ring.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_KERNELS_GPU_H
#define WAVECRYPT_KERNELS_GPU_H

#include <stdbool.h>

#include <wavecrypt.h>

#include "layout.h"

/** wavecrypt_gpu_source - the kernels, in OpenCL C, one string without includes */
extern const char wavecrypt_gpu_source[];

/**
 * struct wavecrypt_gpu_alg - what the kernels call an algorithm
 * @cipher: how the payload is encrypted, and
 * @auth: how it is authenticated; if neither is, there is no kernel for it
 */
struct wavecrypt_gpu_alg {
	__u8 cipher;
	__u8 auth;
};

/** wavecrypt_gpu_algs - by &enum wavecrypt_alg */
extern const struct wavecrypt_gpu_alg wavecrypt_gpu_algs[WAVECRYPT_ALGS];

/**
 * struct wavecrypt_gpu_shape - how work-groups are cut for a kind of device
 * @options: for the OpenCL compiler. The persistent kernel wants
 *	"-DWAVECRYPT_PERSISTENT -cl-std=CL2.0" (or later) besides.
 * @lanes: work-items of a work-group
 * @packets: most packets in a group, by cipher and direction
 */
struct wavecrypt_gpu_shape {
	const char *options;
	unsigned int lanes;
	unsigned int packets[WAVECRYPT_GPU_CIPHERS][WAVECRYPT_OPS];
};

/** wavecrypt_gpu_narrow - any device; the shape of the code objects for AMD */
extern const struct wavecrypt_gpu_shape wavecrypt_gpu_narrow;

/** wavecrypt_gpu_wide - NVIDIA's: more lanes on a packet, so less to wait for */
extern const struct wavecrypt_gpu_shape wavecrypt_gpu_wide;

/**
 * wavecrypt_gpu_packets() - most packets that a group can have; 0: no kernel does it
 * @shape: the device's
 * @alg: &enum wavecrypt_alg
 * @op: &enum wavecrypt_op
 */
static inline unsigned int wavecrypt_gpu_packets(const struct wavecrypt_gpu_shape *shape,
						 unsigned int alg, unsigned int op)
{
	const struct wavecrypt_gpu_alg *a = &wavecrypt_gpu_algs[alg];

	return a->cipher || a->auth ? shape->packets[a->cipher][op] : 0;
}

/**
 * wavecrypt_gpu_group_init() - an empty group
 * @group: to fill in
 * @alg: &enum wavecrypt_alg
 * @op: &enum wavecrypt_op
 * @key_len: AES key length in bytes; for another cipher, or none, any
 * @first: index of its first packet
 */
static inline void wavecrypt_gpu_group_init(struct wavecrypt_gpu_group *group,
					    unsigned int alg, unsigned int op,
					    unsigned int key_len, unsigned int first)
{
	*group = (struct wavecrypt_gpu_group) {
		.first = first,
		.cipher = wavecrypt_gpu_algs[alg].cipher,
		.auth = wavecrypt_gpu_algs[alg].auth,
		.op = op,
		.rounds = key_len / 4 + 6,
	};
}

/**
 * wavecrypt_gpu_key_init() - prepare a key
 * @to: the entry in the GPU's key table; may be write-combined memory
 * @from: the key, copied out of the channel
 *
 * Takes no time that depends on the key's bits. Whoever no longer needs @to
 * wipes it.
 */
void wavecrypt_gpu_key_init(struct wavecrypt_gpu_key *to, const struct wavecrypt_key *from);

#endif /* WAVECRYPT_KERNELS_GPU_H */
