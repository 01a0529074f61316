// SPDX-License-Identifier: GPL-2.0-only
/*
 * in_clear NETNS INTERFACE PATTERN: watches the ESP packets that pass an interface,
 * until SIGTERM, and says how many there were and how many had PATTERN in them,
 * which is a word of what they carry. Fails if one had.
 *
 * Prints "ready" when it watches.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>

#include "netns.h"

#define IPV4_HEADER	20

static volatile sig_atomic_t stop;

static void on_signal(int unused)
{
	(void)unused;
	stop = 1;
}

static int open_interface(const char *name)
{
	struct sockaddr_ll where = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_IP),
	};
	int fd = socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_IP));

	where.sll_ifindex = if_nametoindex(name);
	if (fd < 0 || bind(fd, (const struct sockaddr *)&where, sizeof(where)))
		err(2, "%s", name);
	return fd;
}

int main(int argc, char **argv)
{
	/* recv() is interrupted */
	struct sigaction action = { .sa_handler = on_signal };
	unsigned int packets = 0, clear = 0;
	unsigned char packet[65536];
	ssize_t len;
	int fd;

	if (argc != 4)
		errx(2, "usage: in_clear NETNS INTERFACE PATTERN");
	netns_enter(argv[1]);
	fd = open_interface(argv[2]);
	sigaction(SIGTERM, &action, NULL);
	printf("ready\n");
	fflush(stdout);
	while (!stop) {
		len = recv(fd, packet, sizeof(packet), 0);
		if (len < 0 && errno != EINTR)
			err(2, "recv");
		if (len < IPV4_HEADER || packet[9] != IPPROTO_ESP)
			continue;
		packets++;
		clear += !!memmem(packet, len, argv[3], strlen(argv[3]));
	}
	printf("%u packets, %u of them in the clear\n", packets, clear);
	return clear > 0;
}
