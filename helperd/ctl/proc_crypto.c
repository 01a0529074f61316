// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/crypto: paragraphs of "name : value" lines.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/ctl.h"
#include "report/json.h"

static void strip(char *text)
{
	size_t n = strlen(text);

	while (n && strchr(" \t\n", text[n - 1]))
		text[--n] = '\0';
}

static void take_line(json_t *alg, char *line)
{
	char *colon = strchr(line, ':');
	const char *value;

	if (!colon)
		return;
	*colon = '\0';
	strip(line);
	value = colon + 1 + strspn(colon + 1, " \t");
	if (!strcmp(line, "priority"))
		json_object_set_new(alg, line, json_integer(atoi(value)));
	else if (!strcmp(line, "refcnt"))
		/* One reference is its own registration's. */
		json_object_set_new(alg, "users",
				    json_integer(atoi(value) - 1));
	else if (!strcmp(line, "name") || !strcmp(line, "driver") ||
		 !strcmp(line, "module") || !strcmp(line, "selftest") ||
		 !strcmp(line, "type"))
		json_object_set_new(alg, line, json_string(value));
}

static void take_alg(json_t *aeads, json_t *alg)
{
	const char *type = json_string_value(json_object_get(alg, "type"));

	if (type && !strcmp(type, "aead")) {
		json_object_del(alg, "type");
		json_array_append(aeads, alg);
	}
	json_decref(alg);
}

json_t *proc_crypto_aeads(const struct ctl *c)
{
	json_t *aeads = json_array(), *alg = json_object();
	char path[4096], *line = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/crypto", c->root);
	f = fopen(path, "re");
	while (f && getline(&line, &size, f) >= 0) {
		strip(line);
		if (line[0]) {
			take_line(alg, line);
			continue;
		}
		take_alg(aeads, alg);
		alg = json_object();
	}
	take_alg(aeads, alg);
	if (f)
		fclose(f);
	free(line);
	return aeads;
}

const json_t *proc_crypto_preferred(const json_t *aeads, const json_t *alg)
{
	const json_t *best = NULL, *other;
	size_t i;

	json_array_foreach(aeads, i, other) {
		if (other == alg ||
		    strcmp(text(other, "name"), text(alg, "name")) ||
		    number(other, "priority") <= number(alg, "priority"))
			continue;
		if (!best || number(other, "priority") >
			     number(best, "priority"))
			best = other;
	}
	return best;
}
