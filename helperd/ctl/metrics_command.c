// SPDX-License-Identifier: GPL-2.0-only
/*
 * "metrics": for Prometheus, by way of node_exporter's textfile collector, or as the
 * answer to its own request, which comes by a socket that systemd has accepted.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

#include "ctl/children.h"
#include "ctl/http.h"
#include "ctl/sas.h"
#include "report/json.h"
#include "report/metrics.h"

static void complain(const char *what, const char *why)
{
	if (why[0])
		fprintf(stderr, "wavecryptctl: %s: %s\n", what, why);
}

/* Names are labels: without those that there should be, they would be others' metrics. */
static void add_sas(const struct ctl *c, const json_t *aeads, json_t *stats)
{
	const char *why = NULL;
	json_t *sas;

	sas = sas_collect(c, aeads, &why);
	children_say(c, sas, stats);
	if (!sas)
		json_object_set_new(stats, "sas_error", json_string(why));
	else if (!json_object_get(stats, "children_error"))
		json_object_set(stats, "sas", sas);
	complain("SAs", text(stats, "sas_error"));
	complain("names of SAs", text(stats, "children_error"));
	json_decref(sas);
}

/* Does the kernel prefer the module's algorithms, all of them? Not after "retire". */
static void add_preferred(const json_t *aeads, json_t *stats)
{
	bool all = true, any = false;
	const json_t *alg;
	size_t i;

	json_array_foreach(aeads, i, alg) {
		if (strcmp(text(alg, "module"), "wavecrypt"))
			continue;
		any = true;
		all = all && !proc_crypto_preferred(aeads, alg);
	}
	if (any)
		json_object_set_new(stats, "preferred", json_boolean(all));
}

static json_t *collect(const struct ctl *c)
{
	json_t *stats = stats_collect(c), *aeads = proc_crypto_aeads(c);

	add_preferred(aeads, stats);
	if (c->sas)
		add_sas(c, aeads, stats);
	json_decref(aeads);
	return stats;
}

static bool write_all(int fd, const char *text)
{
	FILE *f = fdopen(fd, "w");
	bool good;

	if (!f) {
		close(fd);
		return false;
	}
	good = fputs(text, f) >= 0;
	return !fclose(f) && good;
}

/* Whole or not at all: who reads it may do so at any time. */
static bool replace_file(const char *path, const char *text)
{
	char temporary[PATH_MAX];
	int fd, err;
	bool good;

	if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >=
	    (int)sizeof(temporary)) {
		errno = ENAMETOOLONG;
		return false;
	}
	fd = mkstemp(temporary);
	if (fd < 0)
		return false;
	good = !fchmod(fd, 0644);
	if (write_all(fd, text) && good && !rename(temporary, path))
		return true;
	err = errno;
	unlink(temporary);
	errno = err;
	return false;
}

/*
 * A device or a FIFO stays what it is, and a link leads where it did; but not to a disk:
 * who may write to the directory need not be who writes the file.
 * Return: why it was not written, or NULL
 */
static const char *write_there(int there, const char *text)
{
	char proc[32], path[PATH_MAX];
	struct stat st;
	ssize_t n;
	int fd;

	if (fstat(there, &st))
		return strerror(errno);
	if (S_ISBLK(st.st_mode))
		return "is a block device, which is not written to";
	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", there);
	if (S_ISREG(st.st_mode)) {
		n = readlink(proc, path, sizeof(path) - 1);
		if (n < 0)
			return strerror(errno);
		path[n] = '\0';
		return replace_file(path, text) ? NULL : strerror(errno);
	}
	fd = open(proc, O_WRONLY | O_CLOEXEC);
	return fd >= 0 && write_all(fd, text) ? NULL : strerror(errno);
}

static const char *write_path(const char *path, const char *text)
{
	int there = open(path, O_PATH | O_CLOEXEC);
	const char *why;
	struct stat st;

	if (there < 0)
		/* Whoever made a link to what is not there meant another name. */
		return errno == ENOENT && lstat(path, &st) &&
		       replace_file(path, text) ? NULL : strerror(errno);
	why = write_there(there, text);
	close(there);
	return why;
}

static int write_file(const char *path, const char *text)
{
	const char *why = write_path(path, text);

	if (!why)
		return EX_OK;
	fprintf(stderr, "wavecryptctl: %s: %s\n", path, why);
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
	if (c->output)
		return write_file(c->output, text);
	if (c->http)
		http_answer(text);
	else
		printf("%s%s", text, c->json ? "\n" : "");
	return EX_OK;
}

int metrics_run(const struct ctl *c)
{
	const char *why = c->http ? http_refusal() : NULL;
	int status;
	char *text;

	if (why) {
		http_refuse(why);
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
