/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's SAs.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_XFRM_H
#define WAVECRYPT_CTL_XFRM_H

#include <jansson.h>
#include <linux/netlink.h>

/**
 * xfrm_sas - ESP's SAs of this network namespace
 * @why: where to put why they cannot be had
 *
 * Return: an array of objects with spi, src, dst, mode, reqid, esn, packets,
 * bytes, added (seconds since 1970), algorithm (the AEAD that ESP asks for),
 * key_bits and, where known, icv_bits, proposal (what swanctl.conf calls that),
 * direction ("in", "out") and device (whose hardware does the work); or NULL.
 */
json_t *xfrm_sas(const char **why);

/**
 * xfrm_take - take one netlink message
 * @message: what the kernel sent; others than SAs are passed over, and those that are
 *	still being negotiated
 * @sas: array to append it to
 *
 * Return: MNL_CB_OK, as libmnl's callbacks do.
 */
int xfrm_take(const struct nlmsghdr *message, void *sas);

#endif
