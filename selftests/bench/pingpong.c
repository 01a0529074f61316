// SPDX-License-Identifier: GPL-2.0-only
/*
 * pingpong CPU ECHO_CPU: how long a cache line takes from CPU to ECHO_CPU and back
 *
 * One process has the kernel module wavecrypt_bench send numbers from CPU, this
 * one echoes them from ECHO_CPU, as a helper that polls its rings would. Prints
 * a line of JSON for every sample, in nanoseconds a round trip.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICE	"/dev/wavecrypt_bench"

/* where in the page the numbers are, in words */
#define PING	0
#define PONG	32

static void pin(pid_t pid, const char *cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(strtoul(cpu, NULL, 10), &set);
	if (sched_setaffinity(pid, sizeof(set), &set))
		err(1, "CPU %s", cpu);
}

/* ahead of a helper that polls on the same CPU */
static void hurry(void)
{
	const struct sched_param first = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &first))
		err(1, "sched_setscheduler");
}

static int ask(int device)
{
	char text[4096];
	ssize_t len;

	if (write(device, "pingpong", 8) != 8) {
		warn(DEVICE);
		return 1;
	}
	while ((len = read(device, text, sizeof(text))) > 0) {
		if (write(STDOUT_FILENO, text, len) != len)
			return 1;
	}
	return len < 0;
}

int main(int argc, char **argv)
{
	uint32_t *page, ping, echoed = 0;
	int device, status;
	pid_t child;

	if (argc != 3)
		errx(2, "usage: pingpong CPU ECHO_CPU");
	device = open(DEVICE, O_RDWR);
	if (device < 0)
		err(1, DEVICE);
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, device, 0);
	if (page == MAP_FAILED)
		err(1, "mmap " DEVICE);

	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child) {
		hurry();
		_exit(ask(device));
	}

	/* the child first: on one CPU with this one it would never run */
	pin(child, argv[1]);
	pin(0, argv[2]);
	hurry();
	/* until it has asked, there is nothing to echo; after it, 0 again */
	do {
		ping = __atomic_load_n(&page[PING], __ATOMIC_ACQUIRE);
		if (ping == echoed)
			continue;
		__atomic_store_n(&page[PONG], ping, __ATOMIC_RELEASE);
		echoed = ping;
	} while (ping || waitpid(child, &status, WNOHANG) == 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
