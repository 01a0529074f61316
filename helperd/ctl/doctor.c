// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/doctor.h"
#include "lib/array.h"
#include "report/json.h"
#include "report/sysfs.h"

static void (*const checks[])(struct doctor *d) = {
	doctor_machine,
	doctor_module,
	doctor_hazards,
	doctor_helper,
	doctor_hsa,
	doctor_opencl,
	doctor_traffic,
};

static const char *const grades[] = {
	[DOCTOR_GOOD] = "good",
	[DOCTOR_NOTE] = "note",
	[DOCTOR_WARNING] = "warning",
	[DOCTOR_BAD] = "bad",
};

void doctor_say(struct doctor *d, const char *check, enum doctor_grade grade,
		const char *advice, const char *fmt, ...)
{
	json_t *finding;
	va_list args;
	char *words;
	int n;

	va_start(args, fmt);
	n = vasprintf(&words, fmt, args);
	va_end(args);
	if (n < 0)
		return;
	finding = json_pack("{s:s, s:s, s:o}", "check", check,
			    "grade", grades[grade],
			    "finding", json_text(words));
	free(words);
	if (advice)
		json_object_set_new(finding, "advice", json_text(advice));
	json_array_append_new(d->findings, finding);
}

bool doctor_read(const struct doctor *d, const char *path, char *line,
		 size_t size)
{
	char full[4096];
	bool good;
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", d->ctl->root, path);
	f = fopen(full, "re");
	if (!f)
		return false;
	good = fgets(line, size, f);
	fclose(f);
	if (good)
		line[strcspn(line, "\n")] = '\0';
	return good;
}

/* How many findings are of that grade? */
static size_t count(const json_t *findings, enum doctor_grade grade)
{
	const json_t *finding;
	size_t i, nr = 0;

	json_array_foreach(findings, i, finding)
		nr += !strcmp(text(finding, "grade"), grades[grade]);
	return nr;
}

json_t *doctor_collect(const struct ctl *c)
{
	struct doctor d = {
		.ctl = c,
		.module = sysfs_module(c->root),
		.aeads = proc_crypto_aeads(c),
		.findings = json_array(),
	};
	size_t bad, warnings;
	json_t *result;

	d.helper = client_ask(c, "status", &d.helper_why);
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++)
		checks[i](&d);
	bad = count(d.findings, DOCTOR_BAD);
	warnings = count(d.findings, DOCTOR_WARNING);
	result = json_pack("{s:b, s:I, s:I, s:o}", "healthy", !bad,
			   "bad", (json_int_t)bad,
			   "warnings", (json_int_t)warnings,
			   "findings", d.findings);
	json_decref(d.module);
	json_decref(d.helper);
	json_decref(d.aeads);
	return result;
}

void doctor_print(const json_t *result)
{
	long long bad = number(result, "bad");
	long long warnings = number(result, "warnings");
	const json_t *finding;
	size_t i;

	printf("%s: %lld bad, %lld warning%s.\n\n",
	       bad ? "Not well" : warnings ? "Well enough" : "All is well",
	       bad, warnings, warnings == 1 ? "" : "s");
	json_array_foreach(json_object_get(result, "findings"), i, finding) {
		printf("%-8s %-12s %s\n", text(finding, "grade"),
		       text(finding, "check"), text(finding, "finding"));
		if (text(finding, "advice")[0])
			printf("%21s -> %s\n", "", text(finding, "advice"));
	}
}
