// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbered UDP: what was lost, doubled, overtaken or changed on the way.
 *
 *	traffic receive PORT SILENCE-MS
 *	traffic send ADDRESS PORT SECONDS PACKETS-PER-SECOND SIZE...
 *
 * The sender goes through the sizes in turn and prints how many packets it
 * sent. The receiver prints "ready", and at the end, when nothing has come for
 * so long after the last one, "received N lost N doubled N overtaken N changed N".
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define LARGEST		65000u
#define MOST		(1u << 24)

/* The rest of a packet follows from its number. */
struct packet {
	uint64_t number;
	uint64_t size;
	uint8_t body[LARGEST - 16];
};

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void fill(struct packet *p, uint64_t number, size_t size)
{
	uint64_t x = number * 0x9e3779b97f4a7c15u + 1;

	p->number = number;
	p->size = size;
	for (size_t i = 0; i < size - 16; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		p->body[i] = x >> 32;
	}
}

static int udp(const char *address, const char *port, bool sender)
{
	struct addrinfo hints = {
		.ai_socktype = SOCK_DGRAM,
		.ai_family = sender ? AF_UNSPEC : AF_INET6,
		.ai_flags = AI_NUMERICSERV | (sender ? AI_NUMERICHOST : AI_PASSIVE),
	}, *ai;
	int buffer = 256 << 20, fd;

	if (getaddrinfo(address, port, &hints, &ai))
		die(address ? address : port);
	fd = socket(ai->ai_family, SOCK_DGRAM, 0);
	if (fd < 0)
		die("socket");
	if (sender ? connect(fd, ai->ai_addr, ai->ai_addrlen) :
		     setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof(buffer)) ||
		     bind(fd, ai->ai_addr, ai->ai_addrlen))
		die("connect or bind");
	freeaddrinfo(ai);
	return fd;
}

static int receive(const char *port, int silence)
{
	static struct packet got, want;
	uint64_t received = 0, doubled = 0, overtaken = 0, changed = 0, next = 0, end = 0;
	uint8_t *seen = calloc(1, MOST);
	int fd = udp(NULL, port, false);
	struct pollfd pfd = { .fd = fd, .events = POLLIN };

	if (!seen)
		die("calloc");
	puts("ready");
	fflush(stdout);
	while (poll(&pfd, 1, received ? silence : 60000) > 0) {
		ssize_t n = recv(fd, &got, sizeof(got), 0);

		if (n < 0)
			die("recv");
		received++;
		if (n < 16 || got.size != (uint64_t)n || got.number >= MOST) {
			changed++;
			continue;
		}
		fill(&want, got.number, n);
		changed += !!memcmp(&got, &want, n);
		doubled += seen[got.number];
		seen[got.number] = 1;
		if (got.number < next)
			overtaken++;
		else
			next = got.number + 1;
		if (got.number >= end)
			end = got.number + 1;
	}
	uint64_t lost = 0;

	for (uint64_t i = 0; i < end; i++) {
		if (!seen[i] && !lost++)
			printf("the first that was lost is number %lu\n", i);
	}
	printf("received %lu lost %lu doubled %lu overtaken %lu changed %lu\n",
	       received, lost, doubled, overtaken, changed);
	return !received || lost || doubled || overtaken || changed;
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static int transmit(const char *address, const char *port, double seconds, double rate,
		    char **sizes, int nr)
{
	static struct packet p;
	int fd = udp(address, port, true);
	int64_t start = now_ns(), end = start + (int64_t)(seconds * 1e9);
	uint64_t number = 0;

	for (; now_ns() < end && number < MOST; number++) {
		size_t size = strtoul(sizes[number % nr], NULL, 0);
		int64_t due = start + (int64_t)(number * 1e9 / rate) - now_ns();

		if (size < 16 || size > LARGEST) {
			fprintf(stderr, "traffic: size %zu\n", size);
			return 2;
		}
		if (due > 0)
			nanosleep(&(struct timespec) { due / 1000000000, due % 1000000000 },
				  NULL);
		fill(&p, number, size);
		while (send(fd, &p, size, 0) < 0)
			if (errno != ENOBUFS && errno != ECONNREFUSED)
				die("send");
	}
	printf("sent %lu\n", number);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "receive"))
		return receive(argv[2], atoi(argv[3]));
	if (argc > 6 && !strcmp(argv[1], "send"))
		return transmit(argv[2], argv[3], atof(argv[4]), atof(argv[5]), argv + 6,
				argc - 6);
	fputs("usage: traffic receive PORT SILENCE-MS\n"
	      "       traffic send ADDRESS PORT SECONDS PACKETS-PER-SECOND SIZE...\n", stderr);
	return 2;
}
