// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ctl/tunnel.h"
#include "ctl/tunnel_sa.h"

#define NEAR	"192.0.2.1"
#define FAR	"192.0.2.2"

/* Of the first pair of SAs, less one */
#define PORT	10000

#define PACKET	(sizeof(struct iphdr) + sizeof(struct udphdr) + \
		 TUNNEL_PAYLOAD + ESP_MORE)

/**
 * struct tunnel - one end of tunnels
 * @tun: a network interface: its other side
 * @udp: socket of the SAs in use
 * @netlink: XFRM's
 * @near: this end's address
 * @far: the other's
 * @port: of both ends
 */
struct tunnel {
	int tun;
	int udp;
	struct mnl_socket *netlink;
	struct in_addr near;
	struct in_addr far;
	uint16_t port;
};

static bool set_address(int fd, unsigned long which, struct ifreq *request,
			struct in_addr address)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_addr = address,
	};

	memcpy(&request->ifr_addr, &addr, sizeof(addr));
	return !ioctl(fd, which, request);
}

/* The interface is there, with an address at either end, and up. */
static bool set_up(const struct tunnel *t, struct ifreq *request)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool good;

	good = fd >= 0 && set_address(fd, SIOCSIFADDR, request, t->near) &&
	       set_address(fd, SIOCSIFDSTADDR, request, t->far);
	request->ifr_flags = IFF_UP | IFF_RUNNING;
	good = good && !ioctl(fd, SIOCSIFFLAGS, request);
	if (fd >= 0)
		close(fd);
	return good;
}

static const char *make_tun(struct tunnel *t)
{
	struct ifreq request = {
		.ifr_name = "wavecrypt",
		.ifr_flags = IFF_TUN | IFF_NO_PI,
	};

	t->tun = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (t->tun < 0)
		return "there is no /dev/net/tun (modprobe tun)";
	if (ioctl(t->tun, TUNSETIFF, &request) || !set_up(t, &request))
		return strerror(errno);
	return NULL;
}

/* On one CPU: from two, packets of one SA would overtake each other, with any driver. */
static void stay(void)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	sched_setaffinity(0, sizeof(here), &here);
}

static const char *begin(struct tunnel *t)
{
	const char *why;

	stay();
	if (unshare(CLONE_NEWNET))
		return errno == EPERM ? "only root may do that" :
					strerror(errno);
	why = make_tun(t);
	if (why)
		return why;
	t->netlink = mnl_socket_open2(NETLINK_XFRM, SOCK_CLOEXEC);
	if (!t->netlink)
		return errno == EPROTONOSUPPORT ?
		       "this kernel has no IPsec (modprobe xfrm_user)" :
		       strerror(errno);
	return mnl_socket_bind(t->netlink, 0, MNL_SOCKET_AUTOPID) ?
	       strerror(errno) : NULL;
}

struct tunnel *tunnel_open(const char **why)
{
	struct tunnel *t = malloc(sizeof(*t));

	if (!t) {
		*why = "no memory";
		return NULL;
	}
	*t = (struct tunnel) {
		.tun = -1,
		.udp = -1,
		.near.s_addr = inet_addr(NEAR),
		.far.s_addr = inet_addr(FAR),
	};
	*why = begin(t);
	if (!*why)
		return t;
	tunnel_close(t);
	return NULL;
}

void tunnel_close(struct tunnel *t)
{
	if (t->netlink)
		mnl_socket_close(t->netlink);
	if (t->udp >= 0)
		close(t->udp);
	if (t->tun >= 0)
		close(t->tun);
	free(t);
}

/* Between the two ends, at the same port */
static bool open_udp(struct tunnel *t)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_port = htons(t->port),
		.sin_addr = t->near,
	};

	if (t->udp >= 0)
		close(t->udp);
	t->udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (t->udp < 0 || bind(t->udp, (struct sockaddr *)&addr, sizeof(addr)))
		return false;
	addr.sin_addr = t->far;
	return !connect(t->udp, (struct sockaddr *)&addr, sizeof(addr));
}

const char *tunnel_use(struct tunnel *t, const struct esp_sa *out,
		       const struct esp_sa *in, unsigned int number)
{
	struct flow there = {
		.src = t->near,
		.dst = t->far,
		.port = PORT + number,
		.reqid = number,
	};
	struct flow back = there;

	back.src = t->far;
	back.dst = t->near;
	t->port = there.port;
	if (tunnel_sa_add(t->netlink, out, &there) ||
	    tunnel_sa_add(t->netlink, in, &back) ||
	    tunnel_policy_add(t->netlink, &there) || !open_udp(t))
		return strerror(errno);
	return NULL;
}

bool tunnel_send(struct tunnel *t, const void *data, size_t len)
{
	return send(t->udp, data, len, 0) == (ssize_t)len;
}

static bool wait_for(int fd, int patience_ms)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };

	return poll(&ready, 1, patience_ms) == 1;
}

/* A packet of ESP, as the kernel sends no other; but IPv6 has something to say. */
static bool is_esp(const uint8_t *packet, ssize_t len)
{
	struct iphdr ip;

	if (len < (ssize_t)sizeof(ip))
		return false;
	memcpy(&ip, packet, sizeof(ip));
	return ip.version == 4 && ip.protocol == IPPROTO_ESP && ip.ihl == 5;
}

int tunnel_sent(struct tunnel *t, struct esp_sa *out, void *data,
		int patience_ms)
{
	uint8_t packet[2 * PACKET];
	const uint8_t *datagram;
	struct udphdr udp;
	size_t size;
	ssize_t n;

	do {
		if (!wait_for(t->tun, patience_ms))
			return -1;
		/* With room for what esp_open() puts behind it */
		n = read(t->tun, packet, PACKET);
	} while (!is_esp(packet, n));
	datagram = esp_open(out, packet + sizeof(struct iphdr),
			    n - sizeof(struct iphdr), &size, IPPROTO_UDP);
	if (!datagram || size < sizeof(udp) ||
	    size - sizeof(udp) > TUNNEL_PAYLOAD)
		return -2;
	memcpy(&udp, datagram, sizeof(udp));
	if (ntohs(udp.len) != size || ntohs(udp.dest) != t->port)
		return -2;
	memcpy(data, datagram + sizeof(udp), size - sizeof(udp));
	return size - sizeof(udp);
}

static uint16_t checksum(const struct iphdr *ip)
{
	const uint16_t *words = (const uint16_t *)ip;
	uint32_t sum = 0;

	for (size_t i = 0; i < sizeof(*ip) / 2; i++)
		sum += words[i];
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16));
}

/* Of what is no header of ESP's */
static bool change_bit(uint8_t *esp, size_t len)
{
	uint32_t n;

	if (getrandom(&n, sizeof(n), 0) != sizeof(n))
		return false;
	n %= 8 * (len - 8);
	esp[8 + n / 8] ^= 1 << n % 8;
	return true;
}

bool tunnel_give(struct tunnel *t, struct esp_sa *in, const void *data,
		 size_t len, bool changed)
{
	uint8_t packet[PACKET], datagram[sizeof(struct udphdr) + TUNNEL_PAYLOAD];
	struct udphdr udp = {
		.source = htons(t->port),
		.dest = htons(t->port),
		.len = htons(sizeof(udp) + len),
	};
	struct iphdr ip = {
		.version = 4,
		.ihl = 5,
		.ttl = 64,
		.protocol = IPPROTO_ESP,
		.saddr = t->far.s_addr,
		.daddr = t->near.s_addr,
	};
	uint8_t *esp = packet + sizeof(ip);
	size_t size;

	memcpy(datagram, &udp, sizeof(udp));
	memcpy(datagram + sizeof(udp), data, len);
	size = esp_seal(in, esp, datagram, sizeof(udp) + len, IPPROTO_UDP);
	if (!size || (changed && !change_bit(esp, size)))
		return false;
	ip.tot_len = htons(sizeof(ip) + size);
	ip.check = checksum(&ip);
	memcpy(packet, &ip, sizeof(ip));
	return write(t->tun, packet, sizeof(ip) + size) > 0;
}

int tunnel_received(struct tunnel *t, void *data, int patience_ms)
{
	return wait_for(t->udp, patience_ms) ?
	       recv(t->udp, data, TUNNEL_PAYLOAD, 0) : -1;
}
