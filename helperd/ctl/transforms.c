// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/wavecrypt: a table with a line of column names first.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/ctl.h"

#define COLUMNS	32
#define BLANK	" \t\n"

static void take_cell(json_t *row, const char *name, const char *cell)
{
	char *end;
	long long number = strtoll(cell, &end, 10);

	if (!strcmp(cell, "-"))
		return;
	json_object_set_new(row, name, end != cell && !*end ?
			    json_integer(number) : json_string(cell));
}

static json_t *take_row(char *line, char *const *names, size_t nr)
{
	json_t *row = json_object();
	char *rest, *cell = strtok_r(line, BLANK, &rest);

	for (size_t i = 0; cell && i < nr; i++) {
		take_cell(row, names[i], cell);
		cell = strtok_r(NULL, BLANK, &rest);
	}
	return row;
}

json_t *transforms(const struct ctl *c)
{
	char path[4096], *header = NULL, *line = NULL, *rest;
	char *names[COLUMNS];
	size_t size = 0, nr = 0;
	json_t *rows = NULL;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/wavecrypt", c->root);
	f = fopen(path, "re");
	if (!f)
		return NULL;
	if (getline(&header, &size, f) >= 0) {
		rows = json_array();
		names[0] = strtok_r(header, BLANK, &rest);
		while (names[nr] && ++nr < COLUMNS)
			names[nr] = strtok_r(NULL, BLANK, &rest);
	}
	size = 0;
	while (getline(&line, &size, f) >= 0)
		json_array_append_new(rows, take_row(line, names, nr));
	free(header);
	free(line);
	fclose(f);
	return rows;
}
