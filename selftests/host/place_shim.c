// SPDX-License-Identifier: GPL-2.0-only
/*
 * Somebody else in the control socket's directory: as soon as the socket is there it is
 * a link to $BOUND_TO instead; it is renamed when the file $MAY_RENAME is there; and just
 * before it is taken away, the socket $ANOTHER comes to be in its place.
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
typedef int unlink_fn(const char *path);

static void another_comes(const char *path)
{
	rename_fn *real = (rename_fn *)dlsym(RTLD_NEXT, "rename");
	const char *another = getenv("ANOTHER");
	static int came;

	if (another && !came++ && real(another, path))
		perror(path);
}

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
	static int before;

	/* The first time: later, what looks for the file may not be allowed. */
	if (before++)
		may = NULL;
	if (may)
		fprintf(stderr, "about to rename\n");
	while (may && access(may, F_OK))
		usleep(10000);
	another_comes(from);
	return real(from, to);
}

int unlink(const char *path)
{
	unlink_fn *real = (unlink_fn *)dlsym(RTLD_NEXT, __func__);

	another_comes(path);
	return real(path);
}
