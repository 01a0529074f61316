// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>

#include "ctl/http.h"

/* Longer requests than this are none of Prometheus'. */
#define REQUEST	8192

bool http_asked(void)
{
	static const char get[] = "GET ";
	size_t got = 0, line = 0;
	bool good = true, begun = false;
	int c;

	while (got < REQUEST && (c = getchar()) != EOF) {
		if (got < sizeof(get) - 1)
			good &= c == get[got];
		got++;
		if (c == '\r')
			continue;
		if (c != '\n') {
			line++;
			continue;
		}
		if (!line && begun)
			return good;
		begun = true;
		line = 0;
	}
	return false;
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
