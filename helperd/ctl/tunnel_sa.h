/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's SAs for a tunnel, by netlink.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_TUNNEL_SA_H
#define WAVECRYPT_CTL_TUNNEL_SA_H

#include <libmnl/libmnl.h>
#include <netinet/in.h>

#include "ctl/esp.h"

/**
 * struct flow - the datagrams of a pair of SAs
 * @src: from where
 * @dst: and where to
 * @port: both ports
 * @reqid: which of the pairs it is
 */
struct flow {
	struct in_addr src;
	struct in_addr dst;
	uint16_t port;
	uint32_t reqid;
};

/**
 * tunnel_sa_add - have the kernel encrypt or decrypt a flow
 * @netlink: its socket
 * @sa: how
 * @flow: what
 *
 * Return: 0; -1, with errno: the kernel does not.
 */
int tunnel_sa_add(struct mnl_socket *netlink, const struct esp_sa *sa,
		  const struct flow *flow);

/** tunnel_policy_add - have the kernel encrypt a flow, and not send it otherwise */
int tunnel_policy_add(struct mnl_socket *netlink, const struct flow *flow);

#endif
