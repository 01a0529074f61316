// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file is the key with its NUL, and the contents.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/opencl/cache.h"
#include "lib/log.h"

/* No compiled program is nearly as large. */
#define MAX_SIZE	(64u << 20)

uint64_t cache_hash(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * 0x100000001b3;
	return hash;
}

/* Ours alone? What is not might have been put there by somebody else. */
static bool ours(int fd, mode_t type, const char *what)
{
	struct stat st;

	if (fstat(fd, &st))
		return false;
	if ((st.st_mode & S_IFMT) == type && st.st_uid == geteuid() &&
	    !(st.st_mode & 0022))
		return true;
	log_warn("%s: not used as a cache: not ours, or others may write to it",
		 what);
	return false;
}

static int open_dir(const char *dir, bool make)
{
	int fd;

	if (!dir[0])
		return -1;
	if (make && mkdir(dir, 0700) && errno != EEXIST)
		log_info("%s: %s: compiled kernels are not kept", dir,
			 strerror(errno));
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && !ours(fd, S_IFDIR, dir)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void name_of(const char *key, char *name, size_t room)
{
	snprintf(name, room, "%016llx", (unsigned long long)cache_hash(key));
}

static bool read_all(int fd, uint8_t *to, size_t size)
{
	while (size) {
		ssize_t n = read(fd, to, size);

		if (n <= 0)
			return false;
		to += n;
		size -= n;
	}
	return true;
}

static bool write_all(int fd, const void *from, size_t size)
{
	const uint8_t *at = from;

	while (size) {
		ssize_t n = write(fd, at, size);

		if (n <= 0)
			return false;
		at += n;
		size -= n;
	}
	return true;
}

static uint8_t *load(int fd, const char *key, size_t *size)
{
	size_t key_size = strlen(key) + 1;
	uint8_t *data;
	struct stat st;

	if (fstat(fd, &st) || st.st_size <= (off_t)key_size ||
	    st.st_size > MAX_SIZE)
		return NULL;
	data = malloc(st.st_size);
	if (!data || !read_all(fd, data, st.st_size) ||
	    memcmp(data, key, key_size)) {
		free(data);
		return NULL;
	}
	*size = st.st_size - key_size;
	memmove(data, data + key_size, *size);
	return data;
}

uint8_t *cache_load(const char *dir, const char *key, size_t *size)
{
	int in = open_dir(dir, false), fd;
	uint8_t *data = NULL;
	char name[32];

	if (in < 0)
		return NULL;
	name_of(key, name, sizeof(name));
	fd = openat(in, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0) {
		if (ours(fd, S_IFREG, name))
			data = load(fd, key, size);
		close(fd);
	}
	close(in);
	return data;
}

void cache_store(const char *dir, const char *key, const uint8_t *data,
		 size_t size)
{
	int in = open_dir(dir, true), fd;
	char name[32], temp[64];
	bool good;

	if (in < 0)
		return;
	name_of(key, name, sizeof(name));
	snprintf(temp, sizeof(temp), "%s.%d", name, getpid());
	unlinkat(in, temp, 0);
	fd = openat(in, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
		    O_CLOEXEC, 0600);
	if (fd >= 0) {
		good = write_all(fd, key, strlen(key) + 1) &&
		       write_all(fd, data, size);
		if (close(fd) || !good || renameat(in, temp, in, name))
			unlinkat(in, temp, 0);
	}
	close(in);
}
