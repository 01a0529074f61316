// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/filter.h"
#include "lib/array.h"
#include "report/json.h"

/* The whole of a text as a number of that base */
static bool as_number(const char *value, int base, unsigned long *n)
{
	char *end;

	errno = 0;
	*n = strtoul(value, &end, base);
	return value[0] && value[0] != '-' && !*end && !errno;
}

/* In hexadecimal, as every tool writes it */
static bool is_spi(const char *value, const json_t *sa)
{
	unsigned long wanted, spi;

	return as_number(value, 16, &wanted) &&
	       as_number(text(sa, "spi"), 16, &spi) && wanted == spi;
}

static bool is_reqid(const char *value, const json_t *sa)
{
	unsigned long n;

	return as_number(value, 10, &n) && (json_int_t)n == number(sa, "reqid");
}

static bool same_address(const char *a, const char *b)
{
	static const int families[] = { AF_INET, AF_INET6 };

	for (size_t i = 0; i < ARRAY_SIZE(families); i++) {
		struct in6_addr x = { 0 }, y = { 0 };

		if (inet_pton(families[i], a, &x) == 1 &&
		    inet_pton(families[i], b, &y) == 1)
			return !memcmp(&x, &y, sizeof(x));
	}
	return false;
}

static bool is_peer(const char *value, const json_t *sa)
{
	return same_address(value, text(sa, "src")) ||
	       same_address(value, text(sa, "dst"));
}

static bool is_algorithm(const char *value, const json_t *sa)
{
	return strstr(text(sa, "algorithm"), value);
}

static bool is_child(const char *value, const json_t *sa)
{
	return !strcmp(text(sa, "child"), value);
}

static bool looks_like_spi(const char *value)
{
	return !strncmp(value, "0x", 2);
}

static bool looks_like_number(const char *value)
{
	unsigned long n;

	return as_number(value, 10, &n);
}

static bool looks_like_address(const char *value)
{
	return same_address(value, value);
}

static bool looks_like_name(const char *value)
{
	return !looks_like_spi(value) && !looks_like_number(value) &&
	       !looks_like_address(value);
}

static bool good_spi(const char *value)
{
	unsigned long n;

	return as_number(value, 16, &n) && n <= UINT32_MAX;
}

static bool good_reqid(const char *value)
{
	unsigned long n;

	return as_number(value, 10, &n) && n <= UINT32_MAX;
}

static bool good_name(const char *value)
{
	return value[0];
}

enum {
	SPI,
	PEER,
	REQID,
	ALGORITHM,
	CHILD,
};

/* @bare: may a word without a key mean it? @good: can it be one? */
static const struct key {
	const char *name;
	bool (*matches)(const char *value, const json_t *sa);
	bool (*bare)(const char *value);
	bool (*good)(const char *value);
} keys[] = {
	[SPI] = { "spi", is_spi, looks_like_spi, good_spi },
	[PEER] = { "peer", is_peer, looks_like_address, looks_like_address },
	[REQID] = { "reqid", is_reqid, looks_like_number, good_reqid },
	[ALGORITHM] = { "algorithm", is_algorithm, looks_like_name, good_name },
	[CHILD] = { "child", is_child, looks_like_name, good_name },
};

/* May a word mean this key? Its value is there. */
static bool means(const char *word, const struct key *key, const char **value)
{
	size_t n = strcspn(word, "=");

	*value = word[n] ? word + n + 1 : word;
	return word[n] ? strlen(key->name) == n && !strncmp(word, key->name, n) :
			 key->bare(word);
}

bool filter_known(const char *word)
{
	const char *value;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (means(word, &keys[i], &value) && keys[i].good(value))
			return true;
	return false;
}

bool filter_matches(const char *word, const json_t *sa)
{
	const char *value;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (means(word, &keys[i], &value) && keys[i].matches(value, sa))
			return true;
	return false;
}

bool filter_by_child(const struct ctl *c)
{
	const char *value;

	for (unsigned int i = 0; i < c->nr_args; i++)
		if (means(c->args[i], &keys[CHILD], &value))
			return true;
	return false;
}

json_t *filter_sas(const struct ctl *c, json_t *sas)
{
	json_t *some, *sa;
	size_t i;

	if (!c->nr_args)
		return sas;
	some = json_array();
	json_array_foreach(sas, i, sa) {
		bool all = true;

		for (unsigned int k = 0; k < c->nr_args; k++)
			all = all && filter_matches(c->args[k], sa);
		if (all)
			json_array_append(some, sa);
	}
	json_decref(sas);
	return some;
}
