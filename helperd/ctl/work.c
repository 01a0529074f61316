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

struct work work_so_far(const json_t *status)
{
	const json_t *algs = json_object_get(status, "algorithms");
	const json_t *sas = json_object_get(status, "sas");

	if (json_object_get(status, "filtered"))
		return (struct work) {
			.offloaded = sum(sas, "packets_offloaded"),
			.redone = sum(sas, "packets_redone"),
			.here = sum(sas, "packets_inline"),
			.held = sum(sas, "packets_held"),
		};
	return (struct work) {
		.offloaded = sum(algs, "requests_offloaded"),
		.redone = sum(algs, "redone") + sum(algs, "rechecked"),
		.here = sum(algs, "requests_inline"),
		.held = sum(algs, "requests_held"),
	};
}

static struct work grown(const json_t *before, const json_t *after)
{
	const json_t *old_sas = json_object_get(before, "sas");
	const json_t *sas = json_object_get(after, "sas");
	struct work old, new;

	/* The module does not know which of its requests were of these. */
	if (json_object_get(after, "filtered"))
		return (struct work) {
			.offloaded = sas_growth(sas, old_sas, "packets_offloaded"),
			.redone = sas_growth(sas, old_sas, "packets_redone"),
			.here = sas_growth(sas, old_sas, "packets_inline"),
			.held = sas_growth(sas, old_sas, "packets_held"),
		};
	old = work_so_far(before);
	new = work_so_far(after);
	return (struct work) {
		.offloaded = growth(old.offloaded, new.offloaded),
		.redone = growth(old.redone, new.redone),
		.here = growth(old.here, new.here),
		.held = growth(old.held, new.held),
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
