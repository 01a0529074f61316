// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/exposition.h"
#include "report/json.h"

void label(char labels[LABELS], const char *key, const char *value)
{
	char *to = labels + strlen(labels);
	/* With room for one that is escaped, and what closes the value */
	char *end = labels + LABELS - 4;
	const char *at = value;
	int n;

	if (to >= end)
		return;
	n = snprintf(to, end - to, "%s%s=\"", to == labels ? "" : ",", key);
	if (n >= end - to) {
		*to = '\0';
		return;
	}
	to += n;
	for (; *at && to < end; at++) {
		if (*at == '\n' || *at == '"' || *at == '\\')
			*to++ = '\\';
		*to++ = *at == '\n' ? 'n' : *at;
	}
	/* No part of a character of several bytes */
	for (; at > value && (*at & 0xc0) == 0x80; at--)
		to--;
	strcpy(to, "\"");
}

static void put(json_t *metrics, const struct metric *m, const char *suffix,
		const char *labels, double value)
{
	json_t *all = json_object_get(metrics, m->name);
	const char *open = labels[0] ? "{" : "", *close = labels[0] ? "}" : "";

	if (!all) {
		all = json_pack("{s:s, s:s, s:[]}", "type", m->type,
				"help", m->help, "lines");
		json_object_set_new(metrics, m->name, all);
	}
	/* Whole numbers up to 2^53, and nanoseconds of years */
	json_array_append_new(json_object_get(all, "lines"),
			      json_sprintf("%s%s%s%s%s %.16g", m->name, suffix,
					   open, labels, close, value));
}

void expose(json_t *metrics, const struct metric *m, const char *labels,
	    double value)
{
	put(metrics, m, "", labels, value);
}

void expose_histogram(json_t *metrics, const struct metric *m,
		      const json_t *ranges, double unit, const char *labels,
		      double sum)
{
	size_t i = 0, nr = json_object_size(ranges);
	json_int_t all = 0;
	const char *end;
	json_t *n;

	json_object_foreach((json_t *)ranges, end, n) {
		char with[LABELS], le[32] = "+Inf";

		all += json_integer_value(n);
		if (++i < nr)
			snprintf(le, sizeof(le), "%.9g", atof(end) * unit);
		strcpy(with, labels);
		label(with, "le", le);
		put(metrics, m, "_bucket", with, all);
	}
	if (!nr)
		return;
	put(metrics, m, "_sum", labels, sum);
	put(metrics, m, "_count", labels, all);
}

char *exposition(const json_t *metrics)
{
	const json_t *m, *line;
	char *buffer = NULL;
	const char *name;
	size_t size, i;
	FILE *f = open_memstream(&buffer, &size);

	if (!f)
		return NULL;
	json_object_foreach((json_t *)metrics, name, m) {
		fprintf(f, "# HELP %s %s\n# TYPE %s %s\n", name,
			text(m, "help"), name, text(m, "type"));
		json_array_foreach(json_object_get(m, "lines"), i, line)
			fprintf(f, "%s\n", json_string_value(line));
	}
	if (fclose(f)) {
		free(buffer);
		return NULL;
	}
	return buffer;
}
