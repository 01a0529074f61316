// SPDX-License-Identifier: GPL-2.0-only
/*
 * espinudp NETNS: what an IKE daemon does for ESP in UDP (RFC 3948), beyond
 * negotiation. It holds port 4500 open, has the kernel take the ESP packets
 * that come in there, and exempts the port from IPsec policies, for in transport
 * mode they would apply to these UDP packets, too. Prints "ready", and stays
 * until it is killed.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <linux/xfrm.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include "netns.h"

static void exempt(int fd, int family)
{
	struct xfrm_userpolicy_info policy = {
		.sel.family = family,
		.action = XFRM_POLICY_ALLOW,
	};
	int level = family == AF_INET ? IPPROTO_IP : IPPROTO_IPV6;
	int name = family == AF_INET ? IP_XFRM_POLICY : IPV6_XFRM_POLICY;

	for (policy.dir = XFRM_POLICY_IN; policy.dir <= XFRM_POLICY_OUT;
	     policy.dir++)
		if (setsockopt(fd, level, name, &policy, sizeof(policy)))
			err(2, "IP_XFRM_POLICY");
}

static void open_port(int family, const struct sockaddr *any, socklen_t len)
{
	int fd = socket(family, SOCK_DGRAM, 0), type = UDP_ENCAP_ESPINUDP;
	int one = 1;

	if (fd < 0)
		err(2, "socket");
	if (family == AF_INET6 &&
	    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one)))
		err(2, "IPV6_V6ONLY");
	if (bind(fd, any, len))
		err(2, "port 4500");
	if (setsockopt(fd, IPPROTO_UDP, UDP_ENCAP, &type, sizeof(type)))
		err(2, "UDP_ENCAP");
	exempt(fd, family);
}

int main(int argc, char **argv)
{
	const struct sockaddr_in any = {
		.sin_family = AF_INET,
		.sin_port = htons(4500),
	};
	const struct sockaddr_in6 any6 = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(4500),
	};

	if (argc != 2)
		errx(2, "usage: espinudp NETNS");
	netns_enter(argv[1]);
	open_port(AF_INET, (const struct sockaddr *)&any, sizeof(any));
	open_port(AF_INET6, (const struct sockaddr *)&any6, sizeof(any6));
	printf("ready\n");
	fflush(stdout);
	for (;;)
		pause();
}
