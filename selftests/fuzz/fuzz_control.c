// SPDX-License-Identifier: GPL-2.0-only
/*
 * Clients of the control socket: who connects, says what, in which pieces, and
 * leaves when. Whoever says a whole line is answered once; nothing else is.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/control.h"
#include "fuzz.h"

/* More than the daemon has room for */
#define CLIENTS	10

static struct control *control;
static struct sockaddr_un addr = { .sun_family = AF_UNIX };
static unsigned int asked;

/* An answer that is longer than the socket's buffer */
static char much[300000];

static char *answer(void *context, const char *request, bool act)
{
	(void)context;
	/* All of them are this user's. */
	MUST(act);
	asked++;
	MUST(strlen(request) < 64 && !strchr(request, '\n'));
	if (!strcmp(request, "no"))
		return NULL;
	return strdup(strcmp(request, "much") ? "this" : much);
}

static const struct control_handler handler = { .answer = answer };

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	memset(much, 'x', sizeof(much) - 1);
	snprintf(addr.sun_path, sizeof(addr.sun_path), "/tmp/wavecrypt-fuzz.%d", getpid());
	control = control_open(addr.sun_path, "", false, "", &handler);
	MUST(control);
	return 0;
}

static void reconnect(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	MUST(*fd >= 0);
	/* The backlog may be full. */
	(void)!connect(*fd, (struct sockaddr *)&addr, sizeof(addr));
}

static void say(int fd, struct input *in)
{
	char text[70];
	size_t len = input_byte(in) % sizeof(text);

	input_bytes(in, text, len);
	send(fd, text, len, MSG_NOSIGNAL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	int fds[CLIENTS];
	struct pollfd ready = { .fd = control_fd(control), .events = POLLIN };
	unsigned int connections = 0;
	char buf[4096];

	memset(fds, -1, sizeof(fds));
	asked = 0;
	while (in.size) {
		int *fd = &fds[input_byte(&in) % CLIENTS];

		switch (input_byte(&in) % 6) {
		case 0:
			reconnect(fd);
			connections++;
			break;
		case 1:
			if (*fd >= 0)
				say(*fd, &in);
			break;
		case 2:
			if (*fd >= 0)
				send(*fd, "much\nmore\n", 10, MSG_NOSIGNAL);
			break;
		case 3:
			if (*fd >= 0)
				shutdown(*fd, input_byte(&in) % 3);
			break;
		case 4:
			if (*fd >= 0)
				(void)!recv(*fd, buf, sizeof(buf), 0);
			break;
		default:
			control_run(control);
			break;
		}
	}
	for (int i = 0; i < CLIENTS; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	/* It notices that all have gone, and has nothing to do then. */
	for (int turns = 0; poll(&ready, 1, 0) == 1; turns++) {
		MUST(turns < 10000);
		control_run(control);
	}
	/* One line of each connection counts. */
	MUST(asked <= connections);
	return 0;
}
