/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Members of objects that may not be there, nor be what they should; and text that may
 * not be what JSON takes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_REPORT_JSON_H
#define WAVECRYPT_REPORT_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

/**
 * json_text - a string of what somebody else wrote
 * @words: text, which need not be UTF-8, as JSON has to be
 *
 * Return: the string, with '?' for each byte that is none; NULL: no memory.
 */
json_t *json_text(const char *words);

/** RANGES_REST - the range without an end, where others are called by theirs */
#define RANGES_REST	"inf"

/** ranges_rest - is that its name? */
static inline bool ranges_rest(const char *end)
{
	return !strcmp(end, RANGES_REST);
}

/** text - a string, or "" */
static inline const char *text(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

/** number - an integer, or 0 */
static inline json_int_t number(const json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

/** real - a number with a point, or 0 */
static inline double real(const json_t *object, const char *key)
{
	return json_real_value(json_object_get(object, key));
}

/** figure - a number, with a point or without, or 0 */
static inline double figure(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

#endif
