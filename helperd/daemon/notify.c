// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/notify.h"
#include "lib/clock.h"
#include "lib/log.h"

int notify_open(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	const char *path = getenv("NOTIFY_SOCKET");
	size_t len;
	int fd;

	if (!path)
		return -1;
	len = strlen(path);
	if ((path[0] != '/' && path[0] != '@') ||
	    len >= sizeof(addr.sun_path)) {
		log_warn("NOTIFY_SOCKET=%s: not understood", path);
		return -1;
	}
	memcpy(addr.sun_path, path, len);
	if (path[0] == '@')
		addr.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&addr,
			      offsetof(struct sockaddr_un, sun_path) + len)) {
		log_warn("NOTIFY_SOCKET=%s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}

void notify_send(int fd, const char *what)
{
	if (fd >= 0 && send(fd, what, strlen(what),
			    MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		log_warn("cannot tell the service manager \"%s\": %s", what,
			 strerror(errno));
}

void notify_reloading(int fd)
{
	char text[64];

	snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%llu",
		 (unsigned long long)(clock_ns() / NSEC_PER_USEC));
	notify_send(fd, text);
}

void notify_patience(int fd, uint64_t ns)
{
	char text[64];

	snprintf(text, sizeof(text), "EXTEND_TIMEOUT_USEC=%llu",
		 (unsigned long long)(ns / NSEC_PER_USEC));
	notify_send(fd, text);
}

uint64_t notify_watchdog_ns(void)
{
	const char *usec = getenv("WATCHDOG_USEC");
	const char *pid = getenv("WATCHDOG_PID");

	if (!usec || (pid && strtol(pid, NULL, 10) != getpid()))
		return 0;
	return strtoull(usec, NULL, 10) * NSEC_PER_USEC;
}
