// SPDX-License-Identifier: GPL-2.0-only
/*
 * espintcp NETNS ADDRESS NETNS ADDRESS: what an IKE daemon does for ESP in TCP
 * (RFC 8229), beyond negotiation: a connection from the first address's port 4500 to
 * the second's, which the kernel takes ESP packets out of and puts them into. Prints
 * "ready", and stays until it is killed.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "netns.h"

#define PORT	4500

static int bound(const char *netns, const char *address)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_port = htons(PORT),
	};
	int one = 1, fd;

	netns_enter(netns);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	inet_aton(address, &addr.sin_addr);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(fd, (const struct sockaddr *)&addr, sizeof(addr)))
		err(2, "%s", address);
	return fd;
}

static void take_esp(int fd)
{
	if (setsockopt(fd, IPPROTO_TCP, TCP_ULP, "espintcp", sizeof("espintcp")))
		err(2, "TCP_ULP espintcp");
}

int main(int argc, char **argv)
{
	struct sockaddr_in peer;
	socklen_t len = sizeof(peer);
	int listener, from, to;

	if (argc != 5)
		errx(2, "usage: espintcp NETNS ADDRESS NETNS ADDRESS");
	listener = bound(argv[3], argv[4]);
	if (listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&peer, &len))
		err(2, "%s", argv[4]);
	from = bound(argv[1], argv[2]);
	if (connect(from, (const struct sockaddr *)&peer, len))
		err(2, "connect");
	to = accept(listener, NULL, NULL);
	if (to < 0)
		err(2, "accept");
	take_esp(from);
	take_esp(to);
	printf("ready\n");
	fflush(stdout);
	for (;;)
		pause();
}
