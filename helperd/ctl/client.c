// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "ctl/ctl.h"
#include "lib/clock.h"
#include "lib/setting.h"
#include "report/json.h"
#include "report/sysfs.h"

/* Prometheus takes what comes too late for nothing at all, and would not hear of a
 * helper that hangs.
 */
#define SCRAPE_PATIENCE_MS	1000

/* A thousand workers with all kinds of packets say less. */
#define MOST_BYTES	(64 * 1024 * 1024)

const char *const client_late = "it has not answered in time";

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
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (!connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		return fd;
	err = errno;
	close(fd);
	errno = err;
	return -1;
}

ssize_t client_receive(int fd, void *to, size_t size, uint64_t deadline)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	int n;

	do {
		uint64_t now = clock_ns();

		if (now >= deadline) {
			errno = ETIMEDOUT;
			return -1;
		}
		n = poll(&ready, 1, (deadline - now) / NSEC_PER_MSEC + 1);
	} while (!n || (n < 0 && errno == EINTR));
	return n < 0 ? -1 : recv(fd, to, size, MSG_DONTWAIT);
}

/**
 * struct answer - one that is on its way
 * @fd: from where
 * @deadline: in nanoseconds of clock_ns()
 * @room: how many more bytes are taken
 * @late: it has not come by then
 */
struct answer {
	int fd;
	uint64_t deadline;
	size_t room;
	bool late;
};

static size_t client_read(void *to, size_t size, void *context)
{
	struct answer *a = context;
	ssize_t n = client_receive(a->fd, to, size, a->deadline);

	a->late = n < 0 && errno == ETIMEDOUT;
	if (n < 0 || (size_t)n > a->room)
		return (size_t)-1;
	a->room -= n;
	return n;
}

size_t control_at(const char *s)
{
	const unsigned char *c = (const unsigned char *)s;

	if (c[0] < 0x20 || c[0] == 0x7f)
		return 1;
	return c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0 ? 2 : 0;
}

static char *text_printable(const char *s, size_t len)
{
	char *copy = malloc(len + 1), *to = copy;

	for (size_t i = 0, n; copy && i < len; i += n ? n : 1) {
		n = control_at(s + i);
		*to++ = n ? ' ' : s[i];
	}
	if (copy)
		*to = '\0';
	return copy;
}

/* A copy that can be shown: the daemon may have been taken over. */
static json_t *printable(json_t *value)
{
	json_t *copy, *member;
	const char *key;
	char *clean;
	size_t i;

	switch (json_typeof(value)) {
	case JSON_STRING:
		clean = text_printable(json_string_value(value),
				       json_string_length(value));
		copy = json_string(clean ? clean : "");
		free(clean);
		return copy;
	case JSON_ARRAY:
		copy = json_array();
		json_array_foreach(value, i, member)
			json_array_append_new(copy, printable(member));
		return copy;
	case JSON_OBJECT:
		copy = json_object();
		json_object_foreach(value, key, member) {
			clean = text_printable(key, strlen(key));
			json_object_set_new(copy, clean ? clean : "",
					    printable(member));
			free(clean);
		}
		return copy;
	default:
		return json_incref(value);
	}
}

/* Nobody listens there; but perhaps somebody serves the module all the same. */
static const char *nobody(const struct ctl *c)
{
	static char attached[SETTING_TEXT + 96];
	json_t *module = sysfs_module(c->root);
	long long pid = number(module, "helper_pid");

	json_decref(module);
	if (pid <= 0)
		return CLIENT_NOT_RUNNING;
	snprintf(attached, sizeof(attached),
		 "process %lld serves the module, but " CLIENT_NOBODY " %s", pid,
		 c->socket);
	return attached;
}

json_t *client_ask(const struct ctl *c, const char *request, const char **why)
{
	unsigned int patience_ms = c->http ? SCRAPE_PATIENCE_MS :
					     CLIENT_PATIENCE_MS;
	uint64_t deadline = clock_ns() + patience_ms * NSEC_PER_MSEC;
	struct answer a = {
		.fd = client_connect(c->socket, patience_ms),
		.deadline = deadline,
		.room = MOST_BYTES,
	};
	json_t *said = NULL, *answer;
	char line[64];
	int n;

	if (a.fd < 0) {
		*why = errno == ENOENT || errno == ECONNREFUSED ? nobody(c) :
								  strerror(errno);
		return NULL;
	}
	n = snprintf(line, sizeof(line), "%s\n", request);
	if (send(a.fd, line, n, MSG_NOSIGNAL) == n)
		said = json_load_callback(client_read, &a, 0, NULL);
	close(a.fd);
	if (!said) {
		*why = a.late ? client_late :
				"it does not answer, or will not answer you";
		return NULL;
	}
	answer = printable(said);
	json_decref(said);
	return answer;
}
