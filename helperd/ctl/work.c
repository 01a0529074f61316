// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "ctl/growth.h"
#include "ctl/sas.h"
#include "ctl/work.h"
#include "report/json.h"

static json_int_t sum(const json_t *rows, const char *key)
{
	json_int_t all = 0;
	const json_t *row;
	size_t i;

	json_array_foreach(rows, i, row)
		all += number(row, key);
	return all;
}

static json_int_t least(json_int_t a, json_int_t b)
{
	return a < b ? a : b;
}

static struct work of_algorithms(const json_t *algs)
{
	json_int_t rechecked = sum(algs, "rechecked");

	return (struct work) {
		.offloaded = sum(algs, "requests_offloaded"),
		.redone = sum(algs, "redone") + rechecked,
		.forged = least(rechecked, sum(algs, "icv_failures")),
		.here = sum(algs, "requests_inline"),
		.held = sum(algs, "requests_held"),
	};
}

struct work work_so_far(const json_t *status)
{
	struct work all = of_algorithms(json_object_get(status, "algorithms"));
	const json_t *sas = json_object_get(status, "sas");
	json_int_t redone;

	if (!json_object_get(status, "filtered"))
		return all;
	/* Whose the forged ones were the module does not know. */
	redone = sum(sas, "packets_redone");
	return (struct work) {
		.offloaded = sum(sas, "packets_offloaded"),
		.redone = redone,
		.forged = least(redone, all.forged),
		.here = sum(sas, "packets_inline"),
		.held = sum(sas, "packets_held"),
	};
}

static struct work grown_algorithms(const json_t *before, const json_t *after)
{
	const json_t *old_algs = json_object_get(before, "algorithms");
	const json_t *algs = json_object_get(after, "algorithms");
	struct work old = of_algorithms(old_algs), new = of_algorithms(algs);
	json_int_t rechecked = growth(sum(old_algs, "rechecked"), sum(algs, "rechecked"));
	json_int_t wrong = growth(sum(old_algs, "icv_failures"), sum(algs, "icv_failures"));

	return (struct work) {
		.offloaded = growth(old.offloaded, new.offloaded),
		.redone = growth(old.redone, new.redone),
		.forged = least(rechecked, wrong),
		.here = growth(old.here, new.here),
		.held = growth(old.held, new.held),
	};
}

static struct work grown(const json_t *before, const json_t *after)
{
	const json_t *old_sas = json_object_get(before, "sas");
	const json_t *sas = json_object_get(after, "sas");
	struct work all = grown_algorithms(before, after);
	json_int_t redone;

	if (!json_object_get(after, "filtered"))
		return all;
	redone = sas_growth(sas, old_sas, "packets_redone");
	return (struct work) {
		.offloaded = sas_growth(sas, old_sas, "packets_offloaded"),
		.redone = redone,
		.forged = least(redone, all.forged),
		.here = sas_growth(sas, old_sas, "packets_inline"),
		.held = sas_growth(sas, old_sas, "packets_held"),
	};
}

struct work work_between(const json_t *before, const json_t *after)
{
	struct work w = grown(before, after);

	/* What has been held only since then was there before. */
	if (w.held > w.here)
		w.held = w.here;
	return w;
}
