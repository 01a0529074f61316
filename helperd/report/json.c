// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/json.h"

/* Longest character of UTF-8 */
#define CHARACTER	4

/* How many bytes the character has that begins there, or 0: none does */
static size_t character(const char *at)
{
	for (size_t n = 1; n <= CHARACTER && at[n - 1]; n++) {
		json_t *one = json_stringn(at, n);
		bool good = one;

		json_decref(one);
		if (good)
			return n;
	}
	return 0;
}

json_t *json_text(const char *words)
{
	json_t *string = json_string(words);
	char *good;

	if (string)
		return string;
	good = strdup(words);
	for (char *at = good; at && *at;) {
		size_t n = character(at);

		if (!n)
			*at = '?';
		at += n ? n : 1;
	}
	string = json_string(good);
	free(good);
	return string;
}
