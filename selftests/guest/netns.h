/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Into a network namespace that ip-netns(8) has made.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _GUEST_NETNS_H
#define _GUEST_NETNS_H

#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/** netns_enter - what this thread opens from here on belongs to @name */
static inline void netns_enter(const char *name)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		err(2, "network namespace %s", name);
	close(fd);
}

#endif /* _GUEST_NETNS_H */
