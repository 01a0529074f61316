// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bugs of this kernel that the module keeps clear of, as it lists them itself:
 * a newer module's need no newer tool.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/hazards.h"
#include "lib/array.h"
#include "report/json.h"

/* Fields of a hazard's file, in their order, with tabs between them */
static const char *const fields[] = {
	"state", "guard", "cve", "fix", "fixed", "what", "way",
};

static json_t *take(const char *path)
{
	json_t *hazard = json_object();
	char *line = NULL, *rest, *field;
	size_t size = 0, i = 0;
	FILE *f = fopen(path, "re");

	json_object_set_new(hazard, "name",
			    json_string(strrchr(path, '/') + 1));
	if (f && getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		rest = line;
		while (i < ARRAY_SIZE(fields) && (field = strsep(&rest, "\t")))
			json_object_set_new(hazard, fields[i++],
					    json_string(field));
	}
	free(line);
	if (f)
		fclose(f);
	return hazard;
}

json_t *hazards_collect(const struct ctl *c)
{
	json_t *hazards = json_array();
	char pattern[4096];
	glob_t g;

	snprintf(pattern, sizeof(pattern),
		 "%s/sys/class/misc/wavecrypt/hazards/*", c->root);
	if (!glob(pattern, 0, NULL, &g)) {
		for (size_t i = 0; i < g.gl_pathc; i++)
			json_array_append_new(hazards, take(g.gl_pathv[i]));
		globfree(&g);
	}
	return hazards;
}

bool hazard_is(const json_t *hazard, const char *state)
{
	return !strcmp(text(hazard, "state"), state);
}

const char *hazard_direction(const json_t *hazard)
{
	if (!strcmp(text(hazard, "guard"), "encrypt"))
		return "encryption";
	if (!strcmp(text(hazard, "guard"), "decrypt"))
		return "decryption";
	return NULL;
}

const json_t *hazards_hold(const json_t *hazards, const char *op)
{
	const json_t *hazard;
	size_t i;

	json_array_foreach(hazards, i, hazard)
		if (hazard_is(hazard, "guarded") &&
		    !strcmp(text(hazard, "guard"), op))
			return hazard;
	return NULL;
}

void hazards_hold_sas(const json_t *hazards, json_t *sas)
{
	json_t *sa;
	size_t i;

	json_array_foreach(sas, i, sa) {
		const char *direction = text(sa, "direction");
		const char *op = !strcmp(direction, "out") ? "encrypt" :
				 !strcmp(direction, "in") ? "decrypt" : "";

		if (hazards_hold(hazards, op))
			json_object_set(sa, "packets_held",
					json_object_get(sa, "packets_inline"));
	}
}

const char *hazard_name(const json_t *hazard)
{
	static char name[128];
	const char *cve = text(hazard, "cve");
	bool known = strcmp(cve, "-");

	snprintf(name, sizeof(name), "%s%s%s", text(hazard, "name"),
		 known ? ", " : "", known ? cve : "");
	return name;
}

static void print_one(const json_t *hazard)
{
	const char *direction = hazard_direction(hazard);

	if (hazard_is(hazard, "exposed"))
		printf("hazard   %s (fixed in: %s): not kept clear of: %s\n",
		       hazard_name(hazard), text(hazard, "fixed"),
		       text(hazard, "what"));
	else if (hazard_is(hazard, "guarded") && direction)
		printf("hazard   %s (fixed in: %s): no %s is offloaded: %s\n",
		       hazard_name(hazard), text(hazard, "fixed"), direction,
		       text(hazard, "way"));
}

void hazards_print(const json_t *hazards)
{
	const json_t *hazard;
	size_t i;

	json_array_foreach(hazards, i, hazard)
		print_one(hazard);
}
