/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far traffic is, in a file that who sends it and who disturbs it both map.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef GUEST_PROGRESS_H
#define GUEST_PROGRESS_H

#include <err.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

/**
 * struct progress - both directions
 * @sent: packets that were, or are just being, sent
 * @seen: different packets that have arrived
 */
struct progress {
	struct {
		atomic_ulong sent;
		atomic_ulong seen;
	} flow[2];
};

/** progress_map - the file, made if it is not there */
static inline struct progress *progress_map(const char *file)
{
	int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	struct progress *progress;

	if (fd < 0 || ftruncate(fd, sizeof(*progress)))
		err(2, "%s", file);
	progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
			MAP_SHARED, fd, 0);
	if (progress == MAP_FAILED)
		err(2, "%s", file);
	close(fd);
	return progress;
}

#endif /* GUEST_PROGRESS_H */
