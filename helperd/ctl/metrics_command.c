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

#include "ctl/http.h"
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

static char *as_text(const struct ctl *c)
{
	json_t *stats = collect(c);
	char *text = c->json && !c->http ? json_dumps(stats, JSON_INDENT(2)) :
					   metrics_text(stats);

	json_decref(stats);
	return text;
}

static int put(const struct ctl *c, const char *text)
{
	if (c->output && !c->http)
		return write_file(c->output, text);
	if (c->http)
		http_answer(text);
	else
		printf("%s%s", text, c->json ? "\n" : "");
	return EX_OK;
}

int metrics_run(const struct ctl *c)
{
	int status;
	char *text;

	if (c->http && !http_asked()) {
		http_refuse("400 Bad Request");
		return EX_OK;
	}
	text = as_text(c);
	if (text) {
		status = put(c, text);
		free(text);
		return status;
	}
	if (c->http)
		http_refuse("500 Internal Server Error");
	fprintf(stderr, "wavecryptctl: no memory\n");
	return EX_OSERR;
}
