/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does a device compute what the lanes do? Asked before it is used, of every kind
 * that it has a kernel for.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_SELFTEST_H
#define WAVECRYPT_BACKENDS_GPU_SELFTEST_H

#include "backends/gpu/device.h"

/** gpu_has_kernel - is there such a kind, and a kernel for it? */
static inline bool gpu_has_kernel(const struct gpu_session *session,
				  unsigned int kind)
{
	return alg_kind_exists(kind) &&
	       wavecrypt_gpu_packets(session->shape, alg_of_kind(kind),
				     alg_op_of_kind(kind));
}

/** GPU_SELFTEST_PACKETS - packets that each kind is tried with */
#define GPU_SELFTEST_PACKETS	146u

/** gpu_selftest_len, gpu_selftest_aad - what the one of number @i looks like */
uint32_t gpu_selftest_len(unsigned int kind, uint32_t i);
uint16_t gpu_selftest_aad(uint32_t i);

/**
 * gpu_selftest - compare a device with the lanes, which were probed before
 * @session: the device
 * @whole: with all packets; else with some, for a device that has passed before
 *
 * Return: NULL, or why it cannot be used: it fails, or computes something else.
 */
const char *gpu_selftest(struct gpu_session *session, bool whole);

#endif
