// SPDX-License-Identifier: GPL-2.0-only
/*
 * Somebody else in the control socket's directory: as soon as the socket is there it is
 * a link to $BOUND_TO instead; and it is renamed when the file $MAY_RENAME is there.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef int bind_fn(int fd, const struct sockaddr *addr, socklen_t size);
typedef int rename_fn(const char *from, const char *to);

int bind(int fd, const struct sockaddr *addr, socklen_t size)
{
	bind_fn *real = (bind_fn *)dlsym(RTLD_NEXT, __func__);
	const char *path = ((const struct sockaddr_un *)addr)->sun_path;
	const char *to = getenv("BOUND_TO");
	int err = real(fd, addr, size);

	if (!err && to && addr->sa_family == AF_UNIX && path[0] &&
	    (unlink(path) || symlink(to, path)))
		perror(path);
	return err;
}

int rename(const char *from, const char *to)
{
	rename_fn *real = (rename_fn *)dlsym(RTLD_NEXT, __func__);
	const char *may = getenv("MAY_RENAME");

	if (may)
		fprintf(stderr, "about to rename\n");
	while (may && access(may, F_OK))
		usleep(10000);
	return real(from, to);
}
