// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/registry.h"
#include "daemon/setting.h"
#include "lib/cpulist.h"
#include "lib/log.h"
#include "lib/setting.h"

/* Bytes of a text setting, at most */
#define TEXT_MOST	107
_Static_assert(TEXT_MOST == SETTING_TEXT - 1, "what is said of it");

#define STRING_OF(x)	#x
#define STRING(x)	STRING_OF(x)

static const char *parse_number(void *to, const char *value,
				const struct setting *s)
{
	unsigned long n;
	char *end;

	if (!isdigit((unsigned char)value[0]))
		return "not a number";
	errno = 0;
	n = strtoul(value, &end, 10);
	if (*end)
		return "not a number";
	if (errno || n < s->min || n > s->max)
		return "number out of range";
	*(uint32_t *)to = n;
	return NULL;
}

static void format_number(const struct setting *s, const void *from, char *out,
			  size_t size)
{
	(void)s;
	snprintf(out, size, "%u", *(const uint32_t *)from);
}

const struct setting_kind setting_number = { parse_number, format_number };

static const char *parse_auto(void *to, const char *value,
			      const struct setting *s)
{
	if (strcmp(value, "auto"))
		return parse_number(to, value, s);
	*(uint32_t *)to = 0;
	return NULL;
}

static void format_auto(const struct setting *s, const void *from, char *out,
			size_t size)
{
	if (*(const uint32_t *)from)
		format_number(s, from, out, size);
	else
		snprintf(out, size, "auto");
}

const struct setting_kind setting_auto = { parse_auto, format_auto };

static const char *take_power(void *to, uint32_t n, const char *wrong)
{
	if (wrong)
		return wrong;
	if (n & (n - 1))
		return "not a power of two";
	*(uint32_t *)to = n;
	return NULL;
}

static const char *parse_power(void *to, const char *value,
			       const struct setting *s)
{
	uint32_t n = 0;
	const char *wrong = parse_number(&n, value, s);

	return take_power(to, n, wrong);
}

const struct setting_kind setting_power = { parse_power, format_number };

static const char *parse_auto_power(void *to, const char *value,
				    const struct setting *s)
{
	uint32_t n = 0;
	const char *wrong = parse_auto(&n, value, s);

	return take_power(to, n, wrong);
}

const struct setting_kind setting_auto_power = {
	parse_auto_power, format_auto
};

static const char *parse_bool(void *to, const char *value,
			      const struct setting *s)
{
	(void)s;
	if (!strcmp(value, "yes"))
		*(bool *)to = true;
	else if (!strcmp(value, "no"))
		*(bool *)to = false;
	else
		return "neither \"yes\" nor \"no\"";
	return NULL;
}

static void format_bool(const struct setting *s, const void *from, char *out,
			size_t size)
{
	(void)s;
	snprintf(out, size, "%s", *(const bool *)from ? "yes" : "no");
}

const struct setting_kind setting_bool = { parse_bool, format_bool };

static const char *parse_text(void *to, const char *value,
			      const struct setting *s)
{
	if (strlen(value) >= s->size)
		return "longer than " STRING(TEXT_MOST) " bytes";
	strcpy(to, value);
	return NULL;
}

static void format_text(const struct setting *s, const void *from, char *out,
			size_t size)
{
	(void)s;
	snprintf(out, size, "%s", (const char *)from);
}

const struct setting_kind setting_text = { parse_text, format_text };

static const char *parse_path(void *to, const char *value,
			      const struct setting *s)
{
	if (value[0] != '/')
		return "not an absolute path";
	return parse_text(to, value, s);
}

const struct setting_kind setting_path = { parse_path, format_text };

static const char *parse_backend(void *to, const char *value,
				 const struct setting *s)
{
	if (!backend_find(value))
		return "no such backend";
	return parse_text(to, value, s);
}

const struct setting_kind setting_backend = { parse_backend, format_text };

static const char *parse_cpus(void *to, const char *value,
			      const struct setting *s)
{
	cpu_set_t set;

	(void)s;
	if (!strcmp(value, "auto"))
		CPU_ZERO(&set);
	else if (!cpulist_parse(value, &set, NULL))
		return "not a list of CPUs such as 0-3,8";
	memcpy(to, &set, sizeof(set));
	return NULL;
}

static void format_cpus(const struct setting *s, const void *from, char *out,
			size_t size)
{
	const cpu_set_t *set = from;

	(void)s;
	if (CPU_COUNT(set))
		cpulist_format(set, out, size);
	else
		snprintf(out, size, "auto");
}

const struct setting_kind setting_cpus = { parse_cpus, format_cpus };

static const char *parse_level(void *to, const char *value,
			       const struct setting *s)
{
	int level = log_level_parse(value);

	(void)s;
	if (level < 0)
		return LOG_LEVELS_WANTED;
	*(int *)to = level;
	return NULL;
}

static void format_level(const struct setting *s, const void *from, char *out,
			 size_t size)
{
	(void)s;
	snprintf(out, size, "%s", log_level_name(*(const int *)from));
}

const struct setting_kind setting_level = { parse_level, format_level };

static const char *parse_word(void *to, const char *value,
			      const struct setting *s)
{
	if (s->old_word && !strcmp(value, s->old_word))
		value = s->words[0];
	for (uint32_t i = 0; i < s->nr_words; i++)
		if (!strcmp(value, s->words[i])) {
			*(uint32_t *)to = i;
			return NULL;
		}
	return s->wanted;
}

static void format_word(const struct setting *s, const void *from, char *out,
			size_t size)
{
	snprintf(out, size, "%s", s->words[*(const uint32_t *)from]);
}

const struct setting_kind setting_word = { parse_word, format_word };
