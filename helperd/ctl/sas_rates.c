// SPDX-License-Identifier: GPL-2.0-only
/*
 * What SAs have done lately.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>

#include "ctl/growth.h"
#include "ctl/sas.h"
#include "report/json.h"

const char *sas_key(char key[SAS_KEY], const char *spi, const char *dst)
{
	snprintf(key, SAS_KEY, "%s %s", spi, dst);
	return key;
}

static const char *key_of(char key[SAS_KEY], const json_t *sa)
{
	return sas_key(key, text(sa, "spi"), text(sa, "dst"));
}

/* By key: looking through all for each would take the square of their number. */
static json_t *by_key(const json_t *sas)
{
	json_t *index = json_object(), *sa;
	char key[SAS_KEY];
	size_t i;

	json_array_foreach(sas, i, sa)
		json_object_set(index, key_of(key, sa), sa);
	return index;
}

static void set_rate(json_t *sa, const char *as, const json_t *before,
		     const char *name, double per)
{
	json_int_t n = growth(number(before, name), number(sa, name));

	json_object_set_new(sa, as, json_real(n * per));
}

void sas_rates(json_t *sas, const json_t *before, double seconds)
{
	json_t *index = by_key(before), *sa;
	char key[SAS_KEY];
	size_t i;

	json_array_foreach(sas, i, sa) {
		const json_t *old = json_object_get(index, key_of(key, sa));

		set_rate(sa, "packets_per_s", old, "packets", 1 / seconds);
		set_rate(sa, "bits_per_s", old, "bytes", 8 / seconds);
		set_rate(sa, "offloaded_per_s", old, "packets_offloaded",
			 1 / seconds);
	}
	json_decref(index);
}

json_int_t sas_growth(const json_t *sas, const json_t *before, const char *name)
{
	json_t *index = by_key(before), *sa;
	json_int_t all = 0;
	char key[SAS_KEY];
	size_t i;

	json_array_foreach(sas, i, sa)
		all += growth(number(json_object_get(index, key_of(key, sa)), name),
			      number(sa, name));
	json_decref(index);
	return all;
}
