// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "ctl/ctl.h"

/* A daemon that does not answer by then does not answer. */
#define PATIENCE_MS	5000
/* Prometheus takes what comes too late for nothing at all, and would not hear of a
 * helper that hangs.
 */
#define SCRAPE_PATIENCE_MS	1000

int client_connect(const char *path, unsigned int patience_ms)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct timeval patience = {
		.tv_sec = patience_ms / 1000,
		.tv_usec = patience_ms % 1000 * 1000,
	};
	int fd, err;

	if (strlen(path) >= sizeof(addr.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(addr.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (!connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		return fd;
	err = errno;
	close(fd);
	errno = err;
	return -1;
}

static size_t client_read(void *to, size_t size, void *context)
{
	ssize_t n = recv(*(int *)context, to, size, 0);

	return n < 0 ? (size_t)-1 : (size_t)n;
}

json_t *client_ask(const struct ctl *c, const char *request, const char **why)
{
	int fd = client_connect(c->socket,
				c->http ? SCRAPE_PATIENCE_MS : PATIENCE_MS);
	json_t *answer = NULL;
	char line[64];
	int n;

	if (fd < 0) {
		*why = errno == ENOENT || errno == ECONNREFUSED ?
		       "not running" : strerror(errno);
		return NULL;
	}
	n = snprintf(line, sizeof(line), "%s\n", request);
	if (send(fd, line, n, MSG_NOSIGNAL) == n)
		answer = json_load_callback(client_read, &fd, 0, NULL);
	close(fd);
	if (!answer)
		*why = "it does not answer, or will not answer you";
	return answer;
}
