// SPDX-License-Identifier: GPL-2.0-only
/*
 * moving NETNS DEVICE ADDRESS PACKETS: sends packets to an address behind a tunnel, some
 * from one CPU and some from the next, and looks in which order they leave the device, by
 * ESP's own numbers. Fails if one has overtaken another, or was lost.
 *
 * At the device, because whoever forwards or receives packets of two CPUs may mix them up
 * himself.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "netns.h"

/* So many from a CPU, and so many on their way at most */
#define BURST		24
#define WINDOW		256

/* CPUs that take turns without a pause, in us, share the SA. */
#define PAUSE		1000

/* Nothing leaving for so long, in seconds, is a loss. */
#define PATIENCE	30

static unsigned int left, overtaken;

static int capture_open(const char *device)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL),
				  .sll_ifindex = if_nametoindex(device) };
	int size = 32 << 20, fd = socket(AF_PACKET, SOCK_DGRAM, htons(ETH_P_ALL));

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) ||
	    bind(fd, (struct sockaddr *)&at, sizeof(at)))
		err(2, "capturing at %s", device);
	return fd;
}

/* What has left the device since: ESP behind an IPv4 header */
static void capture(int fd)
{
	static uint32_t last;
	struct sockaddr_ll from;
	socklen_t len = sizeof(from);
	uint8_t packet[64];
	uint32_t number;
	ssize_t size;

	while ((size = recvfrom(fd, packet, sizeof(packet), MSG_DONTWAIT,
				(struct sockaddr *)&from, &len)) >= 0) {
		if (from.sll_pkttype != PACKET_OUTGOING || size < 28 || packet[0] >> 4 != 4 ||
		    packet[9] != IPPROTO_ESP)
			continue;
		memcpy(&number, packet + 4 * (packet[0] & 15) + 4, sizeof(number));
		number = ntohl(number);
		overtaken += number < last;
		if (number > last)
			last = number;
		left++;
	}
	if (errno != EAGAIN)
		err(2, "capturing");
}

/* Until no more than so many are on their way */
static bool settle(int fd, unsigned int sent, unsigned int most)
{
	time_t end = time(NULL) + PATIENCE;
	unsigned int before = left;

	for (capture(fd); sent - left > most; capture(fd)) {
		if (left != before)
			end = time(NULL) + PATIENCE;
		before = left;
		if (time(NULL) > end)
			return false;
		usleep(100);
	}
	return true;
}

static void move(unsigned int to)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(to, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "no CPU %u", to);
}

int main(int argc, char **argv)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	unsigned int packets, sent, moves, cpus = sysconf(_SC_NPROCESSORS_ONLN);
	static const uint8_t payload[1200];
	int fd, out;

	if (argc != 5 || !inet_pton(AF_INET, argv[3], &to.sin_addr))
		errx(2, "usage: moving NETNS DEVICE ADDRESS PACKETS");
	packets = atoi(argv[4]);
	netns_enter(argv[1]);
	fd = capture_open(argv[2]);
	out = socket(AF_INET, SOCK_DGRAM, 0);

	for (sent = 0, moves = 0; sent < packets; moves++) {
		move(moves % cpus);
		for (unsigned int i = 0; i < BURST; i++, sent++)
			if (sendto(out, payload, sizeof(payload), 0, (struct sockaddr *)&to,
				   sizeof(to)) != sizeof(payload))
				err(2, "sending");
		if (!settle(fd, sent, WINDOW))
			break;
		if (moves % 2)
			usleep(PAUSE);
	}
	settle(fd, sent, 0);
	printf("%u packets, %u moves: %u lost, %u overtaken\n", sent, moves, sent - left,
	       overtaken);
	return left != sent || overtaken;
}
