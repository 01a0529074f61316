// SPDX-License-Identifier: GPL-2.0-only
/*
 * A drop-in is a link to the one that came with the tool, so that it stays what it
 * has to be when that is upgraded.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ctl/gpu.h"
#include "ctl/unit.h"
#include "ctl/vendor.h"
#include "daemon/config.h"
#include "report/json.h"

/* From UNIT_DROP_INS to the root, whichever that is */
#define UP	"../../../.."

static void link_path(const struct ctl *c, const struct vendor *v,
		      char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s" UNIT_DROP_INS "/wavecryptd-%s.conf",
		 c->root, v->name);
}

/* Its parents are systemd's, and there wherever that is. */
static void make_dir(const struct ctl *c)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s" UNIT_DROP_INS, c->root);
	mkdir(path, 0755);
}

static const char *failed(const char *path)
{
	static char why[PATH_MAX + 64];

	snprintf(why, sizeof(why), "%s: %s", path,
		 errno == EACCES || errno == EPERM ? "only root may do that" :
						     strerror(errno));
	return why;
}

/*
 * In place of one to where another installation has, or had, its drop-in; but what is no
 * link somebody else has written.
 */
static bool make_link(const char *to, const char *link)
{
	char is[VENDOR_PATH];
	ssize_t n;

	if (!symlink(to, link))
		return true;
	if (errno != EEXIST)
		return false;
	n = readlink(link, is, sizeof(is));
	if (n < 0) {
		errno = EEXIST;
		return false;
	}
	if (n == (ssize_t)strlen(to) && !memcmp(is, to, n))
		return true;
	return !unlink(link) && !symlink(to, link);
}

/* Return: why not, or NULL */
static const char *enable(const struct ctl *c, const struct vendor *v)
{
	char from[VENDOR_PATH], to[PATH_MAX];

	if (!vendor_drop_in(v, c->root, from) || access(from, R_OK))
		return "its drop-in was not installed";
	vendor_drop_in(v, UP, from);
	link_path(c, v, to);
	make_dir(c);
	return make_link(from, to) ? NULL : failed(to);
}

/* Return: why not, or NULL; @changed: whether there was something to take away */
static const char *disable(const struct ctl *c, const struct vendor *v,
			   bool *changed)
{
	char path[PATH_MAX];

	link_path(c, v, path);
	if (!unlink(path))
		*changed = true;
	else if (errno != ENOENT)
		return failed(path);
	return NULL;
}

/* For systemd to see it. Return: why not, or NULL */
static const char *reload_units(const struct ctl *c)
{
	char *const argv[] = { "systemctl", "daemon-reload", NULL };
	int status = 0;
	pid_t pid;

	if (c->root[0] || access("/run/systemd/system", F_OK))
		return NULL;
	if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) ||
	    waitpid(pid, &status, 0) != pid || status)
		return "systemctl daemon-reload failed";
	return NULL;
}

static json_t *one(const struct ctl *c, const json_t *unit,
		   const struct vendor *v)
{
	char path[VENDOR_PATH];
	json_t *lacks = NULL;

	if (unit && vendor_drop_in(v, c->root, path))
		lacks = unit_lacks(unit, path);
	return json_pack("{s:s, s:s, s:b, s:b, s:o*}", "vendor", v->name,
			 "backend", v->backend,
			 "here", vendor_here(v, c->root),
			 "allowed", lacks && !json_array_size(lacks),
			 "lacks", lacks);
}

/* Does it mean that one? Without a name: those of which there is a GPU. */
static bool meant(const struct ctl *c, const struct vendor *v)
{
	return c->nr_args > 1 ? !strcmp(c->args[1], v->name) :
				vendor_here(v, c->root);
}

static const char *change(const struct ctl *c, bool *changed)
{
	bool on = !strcmp(c->args[0], "enable"), any = false;
	const char *why = NULL, *stale;

	if (!on && strcmp(c->args[0], "disable"))
		return "it takes \"enable\" or \"disable\"";
	for (size_t i = 0; !why && i < VENDORS; i++) {
		if (!meant(c, &vendors[i]))
			continue;
		any = true;
		why = on ? enable(c, &vendors[i]) :
			   disable(c, &vendors[i], changed);
		*changed |= on && !why;
	}
	if (!any)
		return c->nr_args > 1 ? "makers are amd, nvidia, intel" :
					"there is no GPU: name its maker";
	/* What was done of it holds, though the rest was not; and units may be as they
	 * were though all was done before.
	 */
	stale = !why || *changed ? reload_units(c) : NULL;
	return why ? why : stale;
}

json_t *gpu_collect(const struct ctl *c)
{
	bool changed = false;
	const char *why = c->nr_args ? change(c, &changed) : NULL;
	json_t *unit = unit_read(c->root), *gpus = json_array();

	for (size_t i = 0; i < VENDORS; i++)
		json_array_append_new(gpus, one(c, unit, &vendors[i]));
	json_decref(unit);
	return json_pack("{s:b, s:b, s:s*, s:o}", "done", !why,
			 "changed", changed, "why", why,
			 "gpus", gpus);
}

static void print_one(const json_t *gpu)
{
	const json_t *lacks = json_object_get(gpu, "lacks"), *line;
	const char *unit = "";
	size_t i;

	if (!lacks)
		unit = "there is no unit, or no drop-in to compare it with";
	else if (json_is_true(json_object_get(gpu, "allowed")))
		unit = "the daemon's unit allows it";
	else
		unit = "the daemon's unit lacks";
	printf("%-7s %s; %s", text(gpu, "vendor"),
	       json_is_true(json_object_get(gpu, "here")) ? "there is one" :
							    "there is none",
	       unit);
	json_array_foreach(lacks, i, line)
		printf("%s %s", i ? "," : "", json_string_value(line));
	printf("\n");
}

void gpu_print(const json_t *answer)
{
	const json_t *gpu;
	size_t i;

	if (text(answer, "why")[0])
		printf("Nothing more was done: %s.\n", text(answer, "why"));
	json_array_foreach(json_object_get(answer, "gpus"), i, gpu)
		print_one(gpu);
	if (json_is_true(json_object_get(answer, "changed")))
		printf("It applies with \"systemctl restart wavecryptd\".\n"
		       "Whether a GPU is used, \"backend\" in %s says.\n",
		       CONFIG_DEFAULT);
}
