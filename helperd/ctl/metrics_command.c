// SPDX-License-Identifier: GPL-2.0-only
/*
 * "metrics": for Prometheus, by way of node_exporter's textfile collector, or as the
 * answer to its own request, which comes by a socket that systemd has accepted.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "ctl/sas.h"
#include "report/metrics.h"

static json_t *collect(const struct ctl *c)
{
	json_t *stats = stats_collect(c), *aeads, *sas;
	const char *why = NULL;

	if (!c->sas)
		return stats;
	aeads = proc_crypto_aeads(c);
	sas = sas_collect(c, aeads, &why);
	if (sas)
		json_object_set_new(stats, "sas", sas);
	json_decref(aeads);
	return stats;
}

static bool write_all(int fd, const char *text, mode_t mode)
{
	size_t n = strlen(text);
	FILE *f = fdopen(fd, "w");

	if (!f) {
		close(fd);
		return false;
	}
	if (fwrite(text, 1, n, f) != n || fflush(f) || fchmod(fd, mode)) {
		fclose(f);
		return false;
	}
	return !fclose(f);
}

/* Whole or not at all: who reads it may do so at any time. */
static int write_file(const char *path, const char *text)
{
	char temporary[4096];
	int fd;

	if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >=
	    (int)sizeof(temporary)) {
		errno = ENAMETOOLONG;
		fd = -1;
	} else {
		fd = mkstemp(temporary);
	}
	if (fd >= 0 && write_all(fd, text, 0644) && !rename(temporary, path))
		return EX_OK;
	fprintf(stderr, "wavecryptctl: %s: %s\n", path, strerror(errno));
	if (fd >= 0)
		unlink(temporary);
	return EX_CANTCREAT;
}

/* Longer requests than this are none of Prometheus'. */
#define REQUEST	8192

/* Read a request to its empty line. Return: it asks for something. */
static bool http_asked(void)
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

static char *http_metrics(const struct ctl *c)
{
	json_t *stats = collect(c);
	char *all = metrics_text(stats);

	json_decref(stats);
	return all;
}

static int http_answer(const struct ctl *c)
{
	char *all;

	if (!http_asked()) {
		printf("HTTP/1.0 400 Bad Request\r\n\r\n");
		return EX_OK;
	}
	all = http_metrics(c);
	if (!all) {
		printf("HTTP/1.0 500 Internal Server Error\r\n\r\n");
		return EX_OSERR;
	}
	printf("HTTP/1.0 200 OK\r\n"
	       "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
	       "Content-Length: %zu\r\n\r\n%s", strlen(all), all);
	free(all);
	return EX_OK;
}

int metrics_run(const struct ctl *c)
{
	int status = EX_OK;
	json_t *stats;
	char *text;

	if (c->http)
		return http_answer(c);
	stats = collect(c);
	text = c->json ? json_dumps(stats, JSON_INDENT(2)) :
			 metrics_text(stats);
	json_decref(stats);
	if (!text) {
		fprintf(stderr, "wavecryptctl: no memory\n");
		return EX_OSERR;
	}
	if (c->output)
		status = write_file(c->output, text);
	else
		printf("%s%s", text, c->json ? "\n" : "");
	free(text);
	return status;
}
