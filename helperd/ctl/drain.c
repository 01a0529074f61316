// SPDX-License-Identifier: GPL-2.0-only
/*
 * "drain" and "resume": before and after maintenance of the helper, its GPU, or
 * its CPUs.
 *
 * Drained, the module has its mode "inline": nothing more is offloaded, whoever
 * is attached, and what the helper has comes back. So it holds while the helper
 * is stopped, replaced, or hangs. The mode before is kept in a file of /run, as
 * the module does not know it; with the inode of its parameter, for a module that is
 * loaded anew has another, and was not drained.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ctl/drain.h"
#include "lib/clock.h"
#include "report/json.h"
#include "report/sysfs.h"

#define MODE_FILE	"/sys/module/wavecrypt/parameters/mode"
#define KEPT_FILE	"/run/wavecrypt-drained"
#define INLINE		"inline"

/* What a helper keeps for longer the module takes back. */
#define PATIENCE_NS	(5 * NSEC_PER_SEC)
#define LOOK_US		10000

#define WORD	32

static bool read_word(const struct ctl *c, const char *path, char word[WORD])
{
	char full[4096];
	bool good;
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", c->root, path);
	f = fopen(full, "re");
	good = f && fscanf(f, "%31s", word) == 1;
	if (f)
		fclose(f);
	return good;
}

static bool write_word(const struct ctl *c, const char *path, const char *word)
{
	char full[4096];
	FILE *f;
	int err;

	snprintf(full, sizeof(full), "%s%s", c->root, path);
	f = fopen(full, "we");
	if (!f)
		return false;
	err = fputs(word, f) < 0 || fflush(f) ? errno : 0;
	fclose(f);
	errno = err;
	return !err;
}

static const char *no_write(void)
{
	return errno == EACCES || errno == EPERM ? "only root may do that" :
						   strerror(errno);
}

/* Which it is of all modules that have been loaded; 0: none */
static unsigned long long module_of_now(const struct ctl *c)
{
	char path[4096];
	struct stat st;

	snprintf(path, sizeof(path), "%s" MODE_FILE, c->root);
	return stat(path, &st) ? 0 : st.st_ino;
}

/* An earlier release has not kept which module it was. */
static bool read_kept(const struct ctl *c, char before[WORD])
{
	unsigned long long module;
	char path[4096], mode[WORD];
	int n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s" KEPT_FILE, c->root);
	f = fopen(path, "re");
	if (f) {
		n = fscanf(f, "%31s %llu", mode, &module);
		fclose(f);
	}
	if (n != 1 && (n != 2 || module != module_of_now(c)))
		return false;
	strcpy(before, mode);
	return true;
}

static bool keep(const struct ctl *c, const char *mode)
{
	char line[2 * WORD];

	snprintf(line, sizeof(line), "%s %llu\n", mode, module_of_now(c));
	return write_word(c, KEPT_FILE, line);
}

static bool forget(const struct ctl *c)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s" KEPT_FILE, c->root);
	return !unlink(path);
}

/* The mode before, if "drain" has been, and "resume" not yet; or else before stays */
static bool kept(const struct ctl *c, char before[WORD])
{
	char mode[WORD];

	return read_word(c, MODE_FILE, mode) && !strcmp(mode, INLINE) &&
	       read_kept(c, before);
}

bool drained(const struct ctl *c)
{
	char before[WORD];

	return kept(c, before);
}

static json_int_t in_flight(const struct ctl *c)
{
	json_t *module = sysfs_module(c->root), *counters;
	json_int_t all = 0;
	const char *dir;

	json_object_foreach(module, dir, counters)
		if (json_is_object(counters))
			all += number(counters, "depth");
	json_decref(module);
	return all;
}

static json_int_t await_none(const struct ctl *c)
{
	uint64_t until = clock_ns() + PATIENCE_NS;
	json_int_t left;

	while ((left = in_flight(c)) && clock_ns() < until)
		usleep(LOOK_US);
	return left;
}

/* Return: why not, or NULL. Drained already is as good. */
static const char *drain(const struct ctl *c, char mode[WORD])
{
	if (!read_word(c, MODE_FILE, mode))
		return "the module is not loaded";
	if (kept(c, mode))
		return NULL;
	if (!keep(c, mode) ||
	    !write_word(c, MODE_FILE, INLINE))
		return no_write();
	return NULL;
}

json_t *drain_collect(const struct ctl *c)
{
	char mode[WORD] = "";
	const char *why = drain(c, mode);
	json_int_t left = why ? 0 : await_none(c);
	json_t *answer;

	if (left)
		why = "the helper does not return what it has";
	answer = json_pack("{s:b, s:s, s:I}", "drained", !why, "mode", mode,
			   "in_flight", left);
	if (answer && why)
		json_object_set_new(answer, "why", json_string(why));
	return answer;
}

void drain_print(const json_t *answer)
{
	if (json_is_true(json_object_get(answer, "drained")))
		printf("Drained: the kernel does all the work, and the helper has nothing left.\n"
		       "\"wavecryptctl resume\" sets the mode to \"%s\" again.\n",
		       text(answer, "mode"));
	else if (number(answer, "in_flight"))
		printf("Nothing more is offloaded, but of %lld requests %s.\n",
		       (long long)number(answer, "in_flight"),
		       text(answer, "why"));
	else
		printf("Nothing has changed: %s.\n", text(answer, "why"));
}

/* Return: why not, or NULL */
static const char *undo(const struct ctl *c, char mode[WORD])
{
	if (!read_word(c, MODE_FILE, mode))
		return "the module is not loaded";
	if (!kept(c, mode)) {
		/* Of a module that is gone, or somebody else has set the mode since. */
		forget(c);
		return "it was not drained";
	}
	if (!write_word(c, MODE_FILE, mode))
		return no_write();
	return forget(c) ? NULL : no_write();
}

json_t *resume_collect(const struct ctl *c)
{
	char mode[WORD] = "";
	const char *why = undo(c, mode);
	json_t *answer = json_pack("{s:b, s:s}", "resumed", !why, "mode", mode);

	if (answer && why)
		json_object_set_new(answer, "why", json_string(why));
	return answer;
}

void resume_print(const json_t *answer)
{
	if (json_is_true(json_object_get(answer, "resumed")))
		printf("Resumed: the module's mode is \"%s\".\n",
		       text(answer, "mode"));
	else
		printf("Nothing has changed: %s.\n", text(answer, "why"));
}
