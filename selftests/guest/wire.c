// SPDX-License-Identifier: GPL-2.0-only
/*
 * wire NETNS INTERFACE: watches the ESP packets that pass an interface, until
 * SIGTERM, and fails if the sequence numbers of an SA are not one after the
 * other. Reassembly or a socket would hide it if a packet overtook another.
 *
 * Prints "ready" when it watches, and at the end what it saw of each SA.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/udp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include "netns.h"

#define MAX_SAS		256
#define ENCAP_PORT	4500

/**
 * struct sa - an SA, as its packets on the wire are
 * @spi: its SPI
 * @first: sequence number of the first packet seen
 * @next: the one that has to come
 * @packets: how many were seen
 * @wrong: how many had another sequence number
 */
struct sa {
	uint32_t spi;
	uint32_t first;
	uint32_t next;
	unsigned long packets;
	unsigned long wrong;
};

static struct sa sas[MAX_SAS];
static unsigned int nr_sas;
static volatile sig_atomic_t stop;

static struct sa *find(uint32_t spi, uint32_t seq)
{
	unsigned int i;

	for (i = 0; i < nr_sas; i++)
		if (sas[i].spi == spi)
			return &sas[i];
	if (nr_sas == MAX_SAS)
		errx(2, "more than %d SAs", MAX_SAS);
	sas[nr_sas] = (struct sa){ .spi = spi, .first = seq, .next = seq };
	return &sas[nr_sas++];
}

static void take_esp(const uint8_t *esp, const uint8_t *end)
{
	uint32_t head[2];
	struct sa *sa;

	if (esp + sizeof(head) > end)
		return;
	memcpy(head, esp, sizeof(head));
	/* In UDP a zero SPI marks IKE (RFC 3948, 2.2). */
	if (!head[0])
		return;
	sa = find(ntohl(head[0]), ntohl(head[1]));
	sa->packets++;
	if (ntohl(head[1]) != sa->next)
		sa->wrong++;
	sa->next = ntohl(head[1]) + 1;
}

static void take_payload(int protocol, const uint8_t *data, const uint8_t *end)
{
	struct udphdr udp;

	if (protocol == IPPROTO_ESP) {
		take_esp(data, end);
	} else if (protocol == IPPROTO_UDP && data + sizeof(udp) <= end) {
		memcpy(&udp, data, sizeof(udp));
		if (udp.dest == htons(ENCAP_PORT))
			take_esp(data + sizeof(udp), end);
	}
}

/* Of a fragmented packet only the first fragment has ESP's header. */
static void take(const uint8_t *data, const uint8_t *end)
{
	if (end - data >= (long)sizeof(struct iphdr) && data[0] >> 4 == 4) {
		struct iphdr ip;

		memcpy(&ip, data, sizeof(ip));
		if (!(ntohs(ip.frag_off) & IP_OFFMASK))
			take_payload(ip.protocol, data + ip.ihl * 4, end);
	} else if (end - data >= (long)sizeof(struct ip6_hdr)) {
		struct ip6_hdr ip6;
		struct ip6_frag frag;

		memcpy(&ip6, data, sizeof(ip6));
		data += sizeof(ip6);
		if (ip6.ip6_nxt != IPPROTO_FRAGMENT) {
			take_payload(ip6.ip6_nxt, data, end);
		} else if (data + sizeof(frag) <= end) {
			memcpy(&frag, data, sizeof(frag));
			if (!(frag.ip6f_offlg & IP6F_OFF_MASK))
				take_payload(frag.ip6f_nxt,
					     data + sizeof(frag), end);
		}
	}
}

static void on_signal(int signal)
{
	(void)signal;
	stop = 1;
}

static int open_wire(const char *netns, const char *interface)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
	};
	int size = 256 << 20;
	int fd;

	netns_enter(netns);
	address.sll_ifindex = if_nametoindex(interface);
	fd = socket(AF_PACKET, SOCK_DGRAM, 0);
	if (fd < 0 || !address.sll_ifindex)
		err(2, "%s", interface);
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		err(2, "SO_RCVBUFFORCE");
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)))
		err(2, "bind to %s", interface);
	return fd;
}

/* Until SIGTERM, and then what there is. */
static void watch(int fd, const sigset_t *unblocked)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	uint8_t buf[256];
	ssize_t size;

	while (!stop || poll(&pollfd, 1, 0) > 0) {
		if (!stop && ppoll(&pollfd, 1, NULL, unblocked) < 0) {
			if (errno == EINTR)
				continue;
			err(2, "poll");
		}
		size = recv(fd, buf, sizeof(buf), 0);
		if (size < 0)
			err(2, "recv");
		take(buf, buf + size);
	}
}

static bool report(int fd)
{
	struct tpacket_stats stats;
	socklen_t len = sizeof(stats);
	bool good = nr_sas;
	unsigned int i;

	for (i = 0; i < nr_sas; i++) {
		printf("SPI %#x: %lu packets from %u on, %lu out of sequence\n",
		       sas[i].spi, sas[i].packets, sas[i].first, sas[i].wrong);
		good = good && !sas[i].wrong;
	}
	if (getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &stats, &len))
		err(2, "PACKET_STATISTICS");
	if (stats.tp_drops)
		errx(2, "missed %u packets", stats.tp_drops);
	if (!nr_sas)
		printf("no ESP packet was seen\n");
	return good;
}

int main(int argc, char **argv)
{
	sigset_t blocked, unblocked;
	int fd;

	if (argc != 3)
		errx(2, "usage: wire NETNS INTERFACE");
	/* It comes while we wait, and at no other time. */
	signal(SIGTERM, on_signal);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &unblocked);
	fd = open_wire(argv[1], argv[2]);
	printf("ready\n");
	fflush(stdout);
	watch(fd, &unblocked);
	return report(fd) ? 0 : 1;
}
