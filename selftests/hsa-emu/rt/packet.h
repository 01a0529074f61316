/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Whether packets are right, and what they launch
 */
#ifndef RT_PACKET_H
#define RT_PACKET_H

#include "device.h"
#include "elf.h"

/* kernel_code_properties: what the kernel finds in its first registers */
enum {
	KERNEL_PRIVATE_BUFFER = 1,
	KERNEL_DISPATCH_PTR = 2,
	KERNEL_QUEUE_PTR = 4,
	KERNEL_KERNARG_PTR = 8,
	KERNEL_DISPATCH_ID = 16,
	KERNEL_FLAT_SCRATCH = 32,
	KERNEL_PRIVATE_SIZE = 64,
	KERNEL_WAVE32 = 1 << 10,
};

/**
 * packet_check_header() - check a packet's header
 * @q: the queue
 * @packet: its number
 * @header: the header
 *
 * Return: HSA_STATUS_SUCCESS, or what the queue's callback is to be told; the
 * reason was reported
 */
hsa_status_t packet_check_header(const struct queue *q, u64 packet, u16 header);

/**
 * packet_check() - check a kernel dispatch packet
 * @q: the queue
 * @packet: its number
 * @p: the packet
 * @k: its kernel, or NULL if there is none
 *
 * Return: as packet_check_header()
 */
hsa_status_t packet_check(const struct queue *q, u64 packet,
			  const hsa_kernel_dispatch_packet_t *p, const struct kernel *k);

/**
 * packet_launch() - prepare a dispatch
 * @q: the queue
 * @packet: the packet's number
 * @p: the packet, checked
 * @k: its kernel
 * @d: the dispatch
 */
void packet_launch(const struct queue *q, u64 packet, const hsa_kernel_dispatch_packet_t *p,
		   const struct kernel *k, struct dispatch *d);

#endif
