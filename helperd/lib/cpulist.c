// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/cpulist.h"

static bool parse_cpu(const char **at, unsigned long *cpu)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	*cpu = strtoul(*at, &end, 10);
	if (*cpu >= CPU_SETSIZE)
		return false;
	*at = end;
	return true;
}

/* One "3" or "3-5", moving @at behind what was understood. */
static bool parse_range(const char **at, cpu_set_t *set)
{
	unsigned long first, last;

	if (!parse_cpu(at, &first))
		return false;
	last = first;
	if (**at == '-') {
		const char *second = *at + 1;

		if (!parse_cpu(&second, &last) || last < first)
			return false;
		*at = second;
	}
	for (; first <= last; first++)
		CPU_SET(first, set);
	return true;
}

bool cpulist_parse(const char *text, cpu_set_t *set, size_t *at)
{
	const char *p = text;
	bool good;

	CPU_ZERO(set);
	while ((good = parse_range(&p, set)) && *p == ',')
		p++;
	if (good && *p == '\n')
		p++;
	if (at)
		*at = p - text;
	return good && !*p;
}

bool cpulist_read(const char *path, cpu_set_t *set)
{
	FILE *f = fopen(path, "re");
	char line[4096];
	bool good;

	if (!f)
		return false;
	good = fgets(line, sizeof(line), f) && cpulist_parse(line, set, NULL);
	fclose(f);
	return good;
}

void cpulist_format(const cpu_set_t *set, char *out, size_t size)
{
	const char *comma = "";
	size_t n = 0, cut = 0;

	out[0] = '\0';
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		size_t left = size - n;
		int last = cpu, m;

		if (!CPU_ISSET(cpu, set))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set))
			last++;
		if (last > cpu)
			m = snprintf(out + n, left, "%s%d-%d", comma, cpu, last);
		else
			m = snprintf(out + n, left, "%s%d", comma, cpu);
		if ((size_t)m >= left) {
			snprintf(out + cut, size - cut, "%s...", cut ? "," : "");
			return;
		}
		n += m;
		/* Behind this there is room to say that there are more. */
		if (n + sizeof(",...") <= size)
			cut = n;
		comma = ",";
		cpu = last;
	}
}
