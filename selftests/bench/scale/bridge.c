// SPDX-License-Identifier: GPL-2.0-only
/*
 * bridge: attaches to wavecrypt inside of a guest for a helper outside of it
 *
 *   bridge FILE ENTRIES CPU...	write to FILE where the channel's pages are, and ring
 *				the helper's bells from these CPUs until it goes
 *
 * FILE has the structure that attaching filled in, the frame of the page that bells
 * go by, and the frames of each region's pages. See shim.c for the other end.
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
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rig.h"
#include "wavecrypt.h"

#define PAGE	4096u

/**
 * struct bridge - both devices, and what lies between
 * @rig: the rig's
 * @channel: wavecrypt's
 * @attach: what attaching gave
 * @bells: the page that bells go by
 */
struct bridge {
	int rig;
	int channel;
	struct wavecrypt_attach attach;
	struct rig_bells *bells;
};

static void write_all(int fd, const void *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n <= 0)
			err(1, "write");
		data = (const char *)data + n;
		len -= n;
	}
}

/* Asking for a page's frame has it be there. */
static void write_frames(const struct bridge *b, int to, const void *start,
			 uint64_t nr)
{
	__u64 *frames = calloc(nr, sizeof(*frames));
	struct rig_frames ask = {
		.address = (uintptr_t)start,
		.nr = nr,
		.frames = (uintptr_t)frames,
	};

	if (!frames || ioctl(b->rig, RIG_IOC_FRAMES, &ask))
		err(1, "frames");
	write_all(to, frames, nr * sizeof(*frames));
	free(frames);
}

static void write_region(const struct bridge *b, int to, int region)
{
	uint64_t size = b->attach.region[region].size;
	void *p = mmap(NULL, size, PROT_READ, MAP_SHARED, b->channel,
		       b->attach.region[region].offset);

	if (p == MAP_FAILED)
		err(1, "region %d", region);
	write_frames(b, to, p, size / PAGE);
	munmap(p, size);
}

/* The helper waits for the file: it is there when it is complete. */
static void write_file(const struct bridge *b, const char *path)
{
	char new[512];
	int fd;

	snprintf(new, sizeof(new), "%s.new", path);
	fd = open(new, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0)
		err(1, "%s", new);
	write_all(fd, &b->attach, sizeof(b->attach));
	write_frames(b, fd, b->bells, 1);
	for (int i = 0; i < WAVECRYPT_REGIONS; i++)
		write_region(b, fd, i);
	close(fd);
	if (rename(new, path))
		err(1, "%s", path);
}

/* Whatever the module knows: bridge and helper are of one build. */
static void attach(struct bridge *b, uint32_t entries)
{
	b->attach.abi = WAVECRYPT_ABI_VERSION;
	for (int alg = WAVECRYPT_ALG_NONE + 1; alg < WAVECRYPT_ALGS; alg++)
		b->attach.algs[alg / 64] |= 1ull << alg % 64;
	b->attach.entries = entries;
	b->rig = open(RIG_DEVICE, O_RDWR | O_CLOEXEC);
	b->channel = open(WAVECRYPT_DEVICE, O_RDWR | O_CLOEXEC);
	if (b->rig < 0 || b->channel < 0)
		err(1, "open");
	if (ioctl(b->channel, WAVECRYPT_IOC_ATTACH, &b->attach))
		err(1, "attach");
	if (b->attach.queues > 64 * RIG_WORDS)
		errx(1, "%u queues are too many", b->attach.queues);
	b->bells = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (b->bells == MAP_FAILED)
		err(1, "mmap");
	memset(b->bells, 0, PAGE);
}

/* In a process of its own. */
static void ring(const struct bridge *b, uint32_t ringer, int cpu)
{
	struct rig_ring ask = {
		.bells = (uintptr_t)b->bells,
		.fd = b->channel,
		.bell = WAVECRYPT_IOC_BELL,
		.ringer = ringer,
	};
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "CPU %d", cpu);
	_exit(ioctl(b->rig, RIG_IOC_RING, &ask) ? 1 : 0);
}

int main(int argc, char **argv)
{
	struct bridge b = { 0 };

	if (argc < 4 || argc - 3 > RIG_RINGERS)
		errx(2, "usage: bridge FILE ENTRIES CPU...");
	attach(&b, atoi(argv[2]));
	b.bells->nr = argc - 3;
	write_file(&b, argv[1]);
	for (int i = 3; i < argc; i++) {
		pid_t child = fork();

		if (child < 0)
			err(1, "fork");
		if (!child)
			ring(&b, i - 3, atoi(argv[i]));
	}
	while (wait(NULL) > 0)
		;
	if (ioctl(b.channel, WAVECRYPT_IOC_DETACH))
		err(1, "detach");
	return 0;
}
