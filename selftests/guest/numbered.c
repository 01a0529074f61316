// SPDX-License-Identifier: GPL-2.0-only
/*
 * numbered: sends numbered packets of known content between two network
 * namespaces, both ways at once, and fails if one is lost, doubled, reordered
 * or changed.
 *
 * One process has both ends, so that a sender knows how far its receiver is:
 * no packet is sent but the counted ones, and none can drown the receiver.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <netdb.h>
#include <netinet/ip.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "netns.h"
#include "progress.h"
#include "random.h"

#define MAX_SIZE	65000
#define MAX_SIZES	16

/* A protocol for experiments (RFC 3692), which nobody else looks at */
#define RAW_PROTOCOL	253

static const char usage[] =
"Usage: numbered [OPTION]... NETNS ADDRESS NETNS ADDRESS\n"
"\n"
"  --count N      packets each way, 100 unless told\n"
"  --seconds S    as many as go in that time instead, or until SIGTERM\n"
"  --sizes LIST   bytes of payload: numbers, or ranges, of which any; they take\n"
"                 turns; 16-1400 unless told\n"
"  --window N     packets on their way at most, 32 unless told\n"
"  --rate N       packets per second each way at most\n"
"  --cpus A,B     CPUs that send, the first and the last unless told\n"
"  --port N       5000 unless told\n"
"  --raw          packets of IP protocol 253, not UDP\n"
"  --patience S   nothing arriving for so long is a loss, 30 unless told\n"
"  --progress FILE  how far it is, for others to map (progress.h)\n"
"  --log FILE     the payloads sent, a line of hexadecimal digits each, those\n"
"                 of the second end's after those of the first's\n";

static struct {
	uint64_t count;
	unsigned int seconds;
	struct { size_t min, max; } sizes[MAX_SIZES];
	unsigned int nr_sizes;
	uint64_t window;
	unsigned int rate;
	int cpus[2];
	const char *port;
	bool raw;
	int patience;
	const char *log;
	const char *progress;
} opt = {
	.count = 100,
	.sizes = { { 16, 1400 } },
	.nr_sizes = 1,
	.window = 32,
	.port = "5000",
	.patience = 30,
};

/**
 * struct end - one of the two
 * @netns: its network namespace
 * @address: its address, as it was given
 * @sockaddr: the same
 * @addrlen: its length
 * @fd: its socket
 */
struct end {
	const char *netns;
	const char *address;
	struct sockaddr_storage sockaddr;
	socklen_t addrlen;
	int fd;
};

/**
 * struct flow - one of the two directions
 * @from: who sends
 * @to: who receives
 * @cpu: where the sender runs
 * @seed: of its packets' contents
 * @room: for so many packets more
 * @sent: how many were, or are just being, sent
 * @finished: the sender has ended
 * @seen: how many different ones were received
 * @expected: number of the packet that is next
 * @doubled: packets that came again
 * @reordered: packets that came after a later one
 * @changed: packets with another size or content
 * @longest_ns: longest time between two packets
 * @arrived: a bit for each number
 * @arrived_bytes: its length
 * @sender: thread
 * @receiver: thread
 */
struct flow {
	struct end *from, *to;
	int cpu;
	uint64_t seed;
	sem_t room;
	atomic_ulong sent;
	atomic_bool finished;
	atomic_ulong seen;
	uint64_t expected;
	uint64_t doubled, reordered, changed;
	uint64_t longest_ns;
	uint8_t *arrived;
	uint64_t arrived_bytes;
	pthread_t sender, receiver;
};

static struct end ends[2];
static struct flow flows[2];
static struct progress *progress;
static atomic_bool stop;

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* The senders end; one that waits for room need not. */
static void stop_sending(void)
{
	atomic_store(&stop, true);
	sem_post(&flows[0].room);
	sem_post(&flows[1].room);
}

/* Packet N of a flow: its number, and bytes that follow from it */
static size_t make(const struct flow *flow, uint64_t number, uint8_t *buf)
{
	uint64_t rng = flow->seed + (number << 20);
	unsigned int i = number % opt.nr_sizes;
	size_t size = opt.sizes[i].min +
		      random_below(&rng, opt.sizes[i].max - opt.sizes[i].min + 1);

	memcpy(buf, &number, sizeof(number));
	random_fill(&rng, buf + sizeof(number), size - sizeof(number));
	return size;
}

/* -- Sending -------------------------------------------------------------- */

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (pthread_setaffinity_np(pthread_self(), sizeof(set), &set))
		errx(2, "no CPU %d", cpu);
}

static bool more_to_send(uint64_t number)
{
	if (atomic_load(&stop))
		return false;
	return opt.seconds || number < opt.count;
}

/* Until it is packet N's turn; where that has passed, not at all */
static void keep_rate(uint64_t start, uint64_t number)
{
	uint64_t at = start + number * 1000000000 / opt.rate;
	struct timespec ts = { at / 1000000000, at % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

static void *send_all(void *arg)
{
	struct flow *flow = arg;
	uint8_t buf[MAX_SIZE];
	uint64_t number, start = now_ns();

	pin(flow->cpu);
	for (number = 0; more_to_send(number); number++) {
		size_t size = make(flow, number, buf);
		ssize_t sent;

		if (opt.rate)
			keep_rate(start, number);
		sem_wait(&flow->room);
		atomic_store(&flow->sent, number + 1);
		if (progress)
			atomic_store(&progress->flow[flow - flows].sent, number + 1);
		sent = send(flow->from->fd, buf, size, 0);
		if (sent != (ssize_t)size)
			err(1, "%s: sending packet %lu of %zu bytes",
			    flow->from->address, number, size);
	}
	atomic_store(&flow->finished, true);
	return NULL;
}

/* -- Receiving ------------------------------------------------------------ */

/* Whether that number has come before; it has now. */
static bool note_arrival(struct flow *flow, uint64_t number)
{
	uint8_t bit = 1 << number % 8;
	bool before;

	if (number / 8 >= flow->arrived_bytes) {
		uint64_t bytes = number / 8 * 2 + 4096;

		flow->arrived = realloc(flow->arrived, bytes);
		if (!flow->arrived)
			err(2, "memory");
		memset(flow->arrived + flow->arrived_bytes, 0,
		       bytes - flow->arrived_bytes);
		flow->arrived_bytes = bytes;
	}
	before = flow->arrived[number / 8] & bit;
	flow->arrived[number / 8] |= bit;
	return before;
}

static void take(struct flow *flow, const uint8_t *buf, size_t size)
{
	uint8_t wanted[MAX_SIZE];
	uint64_t number;

	if (size < sizeof(number)) {
		flow->changed++;
		return;
	}
	memcpy(&number, buf, sizeof(number));
	if (number >= atomic_load(&flow->sent) ||
	    make(flow, number, wanted) != size || memcmp(buf, wanted, size)) {
		flow->changed++;
		return;
	}
	if (note_arrival(flow, number)) {
		flow->doubled++;
		return;
	}
	if (number < flow->expected)
		flow->reordered++;
	else
		flow->expected = number + 1;
	atomic_fetch_add(&flow->seen, 1);
	if (progress)
		atomic_store(&progress->flow[flow - flows].seen, flow->seen);
	sem_post(&flow->room);
}

/* A raw IPv4 socket receives the IP header, too. */
static size_t header_len(const struct flow *flow, const uint8_t *buf)
{
	if (!opt.raw || flow->to->sockaddr.ss_family != AF_INET)
		return 0;
	return (buf[0] & 15) * 4;
}

static void *receive_all(void *arg)
{
	struct flow *flow = arg;
	struct pollfd pollfd = { .fd = flow->to->fd, .events = POLLIN };
	uint64_t last = now_ns();

	while (!atomic_load(&flow->finished) ||
	       atomic_load(&flow->seen) < atomic_load(&flow->sent)) {
		uint8_t buf[MAX_SIZE + 60];
		uint64_t now;
		ssize_t size;
		size_t skip;

		/* In steps, for the sender may finish meanwhile. */
		if (poll(&pollfd, 1, 100) == 0) {
			if (now_ns() - last > opt.patience * 1000000000ULL)
				break;
			continue;
		}
		size = recv(flow->to->fd, buf, sizeof(buf), 0);
		if (size < 0)
			err(1, "%s: receiving", flow->to->address);
		now = now_ns();
		if (now - last > flow->longest_ns)
			flow->longest_ns = now - last;
		last = now;
		skip = header_len(flow, buf);
		take(flow, buf + skip, size - skip);
	}
	/* What is here now has come too often. */
	while (poll(&pollfd, 1, 0) == 1) {
		uint8_t buf[MAX_SIZE + 60];

		if (recv(flow->to->fd, buf, sizeof(buf), 0) < 0)
			break;
		flow->doubled++;
	}
	if (atomic_load(&flow->seen) < atomic_load(&flow->sent))
		stop_sending();
	return NULL;
}

/* -- Set-up --------------------------------------------------------------- */

static void end_parse(struct end *end, const char *netns, const char *address)
{
	struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
		.ai_socktype = SOCK_DGRAM,
	};
	struct addrinfo *info;
	int ret = getaddrinfo(address, opt.raw ? NULL : opt.port, &hints, &info);

	if (ret)
		errx(2, "%s: %s", address, gai_strerror(ret));
	end->netns = netns;
	end->address = address;
	end->addrlen = info->ai_addrlen;
	memcpy(&end->sockaddr, info->ai_addr, info->ai_addrlen);
	freeaddrinfo(info);
}

static void end_open(struct end *end, const struct end *peer)
{
	int size = 32 << 20;

	netns_enter(end->netns);
	if (opt.raw)
		end->fd = socket(end->sockaddr.ss_family, SOCK_RAW,
				 RAW_PROTOCOL);
	else
		end->fd = socket(end->sockaddr.ss_family, SOCK_DGRAM, 0);
	if (end->fd < 0)
		err(2, "socket");
	if (setsockopt(end->fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		err(2, "SO_RCVBUFFORCE");
	if (bind(end->fd, (struct sockaddr *)&end->sockaddr, end->addrlen))
		err(2, "bind to %s in %s", end->address, end->netns);
	if (connect(end->fd, (struct sockaddr *)&peer->sockaddr, peer->addrlen))
		err(2, "connect to %s", peer->address);
}

/* Sending starts when both can receive. */
static void flows_start(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		flows[i].from = &ends[i];
		flows[i].to = &ends[1 - i];
		flows[i].cpu = opt.cpus[i];
		sem_init(&flows[i].room, 0, opt.window);
		flows[i].seed = (uint64_t)(i + 1) << 56 ^ atoi(opt.port);
		pthread_create(&flows[i].receiver, NULL, receive_all, &flows[i]);
	}
	for (i = 0; i < 2; i++)
		pthread_create(&flows[i].sender, NULL, send_all, &flows[i]);
}

static bool report(const struct flow *flow)
{
	uint64_t sent = flow->sent, lost = sent - flow->seen;

	printf("%s -> %s: %lu sent, %lu lost, ", flow->from->address,
	       flow->to->address, sent, lost);
	printf("%lu doubled, %lu reordered, %lu changed, gap %lu ms\n",
	       flow->doubled, flow->reordered, flow->changed,
	       flow->longest_ns / 1000000);
	return sent && !lost && !flow->doubled && !flow->reordered &&
	       !flow->changed;
}

static void write_log(void)
{
	FILE *file = fopen(opt.log, "w");
	uint8_t buf[MAX_SIZE];
	uint64_t number;
	size_t size, b;
	int i;

	if (!file)
		err(2, "%s", opt.log);
	for (i = 0; i < 2; i++)
		for (number = 0; number < flows[i].sent; number++) {
			size = make(&flows[i], number, buf);
			for (b = 0; b < size; b++)
				fprintf(file, "%02x", buf[b]);
			fprintf(file, "\n");
		}
	if (fclose(file))
		err(2, "%s", opt.log);
}

static void parse_sizes(char *list)
{
	char *item, *rest;

	for (opt.nr_sizes = 0; (item = strsep(&list, ",")); opt.nr_sizes++) {
		size_t min = strtoul(item, &rest, 10), max = min;

		if (*rest == '-')
			max = strtoul(rest + 1, &rest, 10);
		if (*rest || min < sizeof(uint64_t) || max < min ||
		    max > MAX_SIZE || opt.nr_sizes == MAX_SIZES)
			errx(2, "--sizes: what is %s?", item);
		opt.sizes[opt.nr_sizes].min = min;
		opt.sizes[opt.nr_sizes].max = max;
	}
}

static void parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "count", required_argument, NULL, 'c' },
		{ "seconds", required_argument, NULL, 's' },
		{ "sizes", required_argument, NULL, 'z' },
		{ "window", required_argument, NULL, 'w' },
		{ "rate", required_argument, NULL, 'a' },
		{ "cpus", required_argument, NULL, 'u' },
		{ "port", required_argument, NULL, 'p' },
		{ "raw", no_argument, NULL, 'r' },
		{ "patience", required_argument, NULL, 't' },
		{ "log", required_argument, NULL, 'l' },
		{ "progress", required_argument, NULL, 'g' },
		{ }
	};
	int c;

	opt.cpus[1] = sysconf(_SC_NPROCESSORS_ONLN) - 1;
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'c':
			opt.count = strtoul(optarg, NULL, 10);
			break;
		case 's':
			opt.seconds = atoi(optarg);
			break;
		case 'z':
			parse_sizes(optarg);
			break;
		case 'w':
			opt.window = strtoul(optarg, NULL, 10);
			break;
		case 'a':
			opt.rate = atoi(optarg);
			break;
		case 'u':
			if (sscanf(optarg, "%d,%d", &opt.cpus[0],
				   &opt.cpus[1]) != 2)
				errx(2, "--cpus: what is %s?", optarg);
			break;
		case 'p':
			opt.port = optarg;
			break;
		case 'r':
			opt.raw = true;
			break;
		case 't':
			opt.patience = atoi(optarg);
			break;
		case 'l':
			opt.log = optarg;
			break;
		case 'g':
			opt.progress = optarg;
			break;
		default:
			fputs(usage, stderr);
			exit(2);
		}
	}
	if (argc - optind != 4) {
		fputs(usage, stderr);
		exit(2);
	}
	end_parse(&ends[0], argv[optind], argv[optind + 1]);
	end_parse(&ends[1], argv[optind + 2], argv[optind + 3]);
}

static void on_signal(int signal)
{
	(void)signal;
	stop_sending();
}

int main(int argc, char **argv)
{
	bool good;
	int i;

	parse(argc, argv);
	signal(SIGTERM, on_signal);
	signal(SIGALRM, on_signal);
	if (opt.progress)
		progress = progress_map(opt.progress);
	end_open(&ends[0], &ends[1]);
	end_open(&ends[1], &ends[0]);
	flows_start();
	if (opt.seconds)
		alarm(opt.seconds);
	for (i = 0; i < 2; i++) {
		pthread_join(flows[i].sender, NULL);
		pthread_join(flows[i].receiver, NULL);
	}
	if (opt.log)
		write_log();
	good = report(&flows[0]);
	return report(&flows[1]) && good ? 0 : 1;
}
