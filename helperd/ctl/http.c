// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ctl/http.h"
#include "lib/clock.h"

/* Requests that are longer or take longer are none of Prometheus'. */
#define REQUEST		8192
#define PATIENCE_NS	(5 * NSEC_PER_SEC)

static bool readable(uint64_t until)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	uint64_t now = clock_ns();

	return now < until && poll(&in, 1, (until - now) / NSEC_PER_MSEC + 1) > 0;
}

static bool whole(const char *request, size_t len)
{
	return memmem(request, len, "\n\n", 2) || memmem(request, len, "\n\r\n", 3);
}

const char *http_refusal(void)
{
	static const char get[] = "GET ";
	uint64_t until = clock_ns() + PATIENCE_NS;
	char request[REQUEST];
	size_t got = 0;
	ssize_t n;

	while (got < sizeof(request) && !whole(request, got)) {
		if (!readable(until))
			return "408 Request Timeout";
		n = read(STDIN_FILENO, request + got, sizeof(request) - got);
		if (n <= 0)
			return "400 Bad Request";
		got += n;
	}
	return whole(request, got) && !memcmp(request, get, sizeof(get) - 1) ?
		       NULL : "400 Bad Request";
}

void http_answer(const char *text)
{
	printf("HTTP/1.0 200 OK\r\n"
	       "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
	       "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
}

void http_refuse(const char *why)
{
	printf("HTTP/1.0 %s\r\n\r\n", why);
}
