// SPDX-License-Identifier: GPL-2.0-only
/*
 * shim: preloaded into wavecryptd, whose device is in a User-Mode Linux guest
 *
 * A guest's memory is a file of its kernel's process. The channel's pages are mapped
 * out of it, by the frames that the bridge has found, and bells go by a page that
 * the bridge watches; there is nothing in between. RIG_PID is the guest's kernel,
 * RIG_FILE what the bridge wrote, RIG_CPUS a list of the guest's CPUs.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rig.h"
#include "wavecrypt.h"

#define PAGE		4096ull

/* As many as a daemon opens the device, and some */
#define MAX_FILES	64

/* How long to sleep before looking for work again: nobody can wake who sleeps here. Who
 * has found none for long sleeps longer, and leaves the CPU to others.
 */
#define NAP_NS		20000
#define LONG_NAP_NS	200000
#define IDLE_NS		10000000

/**
 * struct shim - the channel, as it is from outside
 * @files: descriptors that stand for the device
 * @nr_files: how many
 * @memory: the guest's, or -1
 * @attach: what the bridge was given
 * @frames: of each region's pages
 * @bells: the page that bells go by
 * @submit: where the daemon has that region
 */
static struct shim {
	int files[MAX_FILES];
	int nr_files;
	int memory;
	struct wavecrypt_attach attach;
	__u64 *frames[WAVECRYPT_REGIONS];
	struct rig_bells *bells;
	const uint8_t *submit;
} shim = { .memory = -1 };

static bool is_ours(int fd)
{
	for (int i = 0; i < shim.nr_files; i++)
		if (shim.files[i] == fd)
			return true;
	return false;
}

static int real_open(const char *path, int flags, int mode)
{
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static void *real_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
	return (void *)syscall(SYS_mmap, at, len, prot, flags, fd, off);
}

/* The guest's memory: the largest file of its kernel that has no name any more */
static int find_memory(void)
{
	char dir[64], path[PATH_MAX], best[PATH_MAX] = "";
	const char *pid = getenv("RIG_PID");
	struct dirent *e;
	off_t size = 0;
	DIR *d;

	snprintf(dir, sizeof(dir), "/proc/%s/fd", pid ? pid : "");
	d = opendir(dir);
	while (d && (e = readdir(d))) {
		struct stat st;

		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_nlink ||
		    st.st_size <= size)
			continue;
		size = st.st_size;
		strcpy(best, path);
	}
	if (d)
		closedir(d);
	return best[0] ? real_open(best, O_RDWR | O_CLOEXEC, 0) : -1;
}

/* The device is opened while there still are the rights to open the memory. */
static int any_open(const char *path, int flags, int mode)
{
	int fd;

	if (strcmp(path, WAVECRYPT_DEVICE))
		return real_open(path, flags, mode);
	if (shim.memory < 0)
		shim.memory = find_memory();
	fd = real_open("/dev/null", O_RDWR | O_CLOEXEC, 0);
	if (fd >= 0 && shim.nr_files < MAX_FILES)
		shim.files[shim.nr_files++] = fd;
	return fd;
}

static int mode_of(int flags, va_list args)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return any_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

/* What fortified programs call */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags) __attribute__((alias("__open_2")));

int __open_2(const char *path, int flags)
{
	return any_open(path, flags, 0);
}

/* What the daemon asks about CPUs is what the guest has, which may be fewer. */
FILE *fopen(const char *path, const char *mode)
{
	FILE *(*real)(const char *path, const char *mode);

	*(void **)&real = dlsym(RTLD_NEXT, "fopen");
	return real(strcmp(path, "/sys/devices/system/cpu/online") ?
		    path : getenv("RIG_CPUS"), mode);
}

static bool read_all(int fd, void *to, size_t len)
{
	while (len) {
		ssize_t n = read(fd, to, len);

		if (n <= 0)
			return false;
		to = (char *)to + n;
		len -= n;
	}
	return true;
}

static bool read_file(int fd)
{
	__u64 frame;

	if (!read_all(fd, &shim.attach, sizeof(shim.attach)) ||
	    !read_all(fd, &frame, sizeof(frame)))
		return false;
	for (int i = 0; i < WAVECRYPT_REGIONS; i++) {
		size_t len = shim.attach.region[i].size / PAGE * sizeof(__u64);

		shim.frames[i] = malloc(len);
		if (!shim.frames[i] || !read_all(fd, shim.frames[i], len))
			return false;
	}
	shim.bells = real_mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
			       shim.memory, frame * PAGE);
	return shim.bells != MAP_FAILED && shim.bells->nr;
}

static int attach(struct wavecrypt_attach *to)
{
	const char *path = getenv("RIG_FILE");
	int fd = path ? real_open(path, O_RDONLY | O_CLOEXEC, 0) : -1;
	bool good = fd >= 0 && shim.memory >= 0 && read_file(fd);

	if (fd >= 0)
		close(fd);
	if (!good) {
		errno = EIO;
		return -1;
	}
	*to = shim.attach;
	return 0;
}

/* Frames that follow each other are mapped together. */
static void *map_region(int region, size_t len, int prot, int flags)
{
	uint8_t *p = real_mmap(NULL, len, PROT_NONE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	const __u64 *frames = shim.frames[region];
	size_t nr = len / PAGE, i, end;

	if (p == MAP_FAILED)
		return p;
	for (i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && frames[end] == frames[end - 1] + 1;)
			end++;
		if (real_mmap(p + i * PAGE, (end - i) * PAGE, prot,
			      MAP_SHARED | MAP_FIXED | (flags & MAP_POPULATE),
			      shim.memory, frames[i] * PAGE) == MAP_FAILED)
			return MAP_FAILED;
	}
	if (region == WAVECRYPT_REGION_SUBMIT)
		shim.submit = p;
	return p;
}

void *mmap(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
	if (fd < 0 || !is_ours(fd))
		return real_mmap(at, len, prot, flags, fd, off);
	for (int i = 0; i < WAVECRYPT_REGIONS; i++)
		if (shim.attach.region[i].offset == (__u64)off &&
		    shim.attach.region[i].size == len)
			return map_region(i, len, prot, flags);
	errno = EINVAL;
	return MAP_FAILED;
}

void *mmap64(void *at, size_t len, int prot, int flags, int fd, off_t off)
	__attribute__((alias("mmap")));

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Is there anything to wake up for? -1 with errno: there never will be. */
static int news(const struct wavecrypt_wait *w)
{
	const struct wavecrypt_header *h = (const void *)shim.submit;
	const struct wavecrypt_seen *seen = (const void *)(uintptr_t)w->seen;
	__u32 state = __atomic_load_n(&h->state, __ATOMIC_ACQUIRE);

	if (state != WAVECRYPT_STATE_LIVE && state != WAVECRYPT_STATE_STALLED) {
		errno = ESHUTDOWN;
		return -1;
	}
	if (__atomic_load_n(&h->key_epoch, __ATOMIC_ACQUIRE) != w->key_epoch)
		return 1;
	for (__u32 i = 0; i < w->nr; i++) {
		const struct wavecrypt_sq *sq =
			(const void *)(shim.submit + shim.attach.sq_first +
				       seen[i].queue * shim.attach.sq_stride);

		if (__atomic_load_n(&sq->tail, __ATOMIC_ACQUIRE) != seen[i].tail)
			return 1;
	}
	return 0;
}

/* The guest cannot wake a process of the host's: so, naps. */
static int wait_for_work(const struct wavecrypt_wait *w)
{
	static __thread bool punctual;
	struct timespec nap = { .tv_nsec = NAP_NS };
	uint64_t begin = now_ns(), now;
	int any;

	if (!punctual)
		prctl(PR_SET_TIMERSLACK, 1000);
	punctual = true;
	for (;;) {
		any = news(w);
		if (any)
			return any < 0 ? -1 : 0;
		now = now_ns();
		if (now - begin >= w->timeout_ns) {
			errno = ETIME;
			return -1;
		}
		if (now - begin >= IDLE_NS)
			nap.tv_nsec = LONG_NAP_NS;
		if (nanosleep(&nap, NULL))
			return -1;
	}
}

static int ring(unsigned long queue)
{
	struct rig_ringer *ringer = &shim.bells->ringer[queue % shim.bells->nr];

	__atomic_fetch_or(&ringer->queues[queue / 64], 1ull << queue % 64,
			  __ATOMIC_SEQ_CST);
	return 0;
}

int ioctl(int fd, unsigned long command, ...)
{
	va_list args;
	void *arg;

	va_start(args, command);
	arg = va_arg(args, void *);
	va_end(args);
	if (!is_ours(fd))
		return syscall(SYS_ioctl, fd, command, arg);
	switch (command) {
	case WAVECRYPT_IOC_ATTACH:
		return attach(arg);
	case WAVECRYPT_IOC_DETACH:
		__atomic_store_n(&shim.bells->exit, 1, __ATOMIC_SEQ_CST);
		return 0;
	case WAVECRYPT_IOC_BELL:
		return ring((unsigned long)arg);
	case WAVECRYPT_IOC_WAIT:
		return wait_for_work(arg);
	default:
		errno = ENOTTY;
		return -1;
	}
}
