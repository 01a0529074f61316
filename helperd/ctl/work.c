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

long long work_forged(const struct work *w)
{
	return least(w->redone, least(w->rechecked, w->wrong));
}

static struct work of_algorithms(const json_t *status)
{
	const json_t *algs = json_object_get(status, "algorithms");
	json_int_t rechecked = sum(algs, "rechecked");

	return (struct work) {
		.offloaded = sum(algs, "requests_offloaded"),
		.redone = sum(algs, "redone") + rechecked,
		.rechecked = rechecked,
		.wrong = sum(algs, "icv_failures"),
		.here = sum(algs, "requests_inline"),
		.held = sum(algs, "requests_held"),
	};
}

struct work work_so_far(const json_t *status)
{
	const json_t *sas = json_object_get(status, "sas");
	struct work w = of_algorithms(status);

	if (json_object_get(status, "filtered")) {
		w.offloaded = sum(sas, "packets_offloaded");
		w.redone = sum(sas, "packets_redone");
		w.here = sum(sas, "packets_inline");
		w.held = sum(sas, "packets_held");
	}
	return w;
}

static struct work grown(const json_t *before, const json_t *after)
{
	struct work old = of_algorithms(before), new = of_algorithms(after);
	const json_t *old_sas = json_object_get(before, "sas");
	const json_t *sas = json_object_get(after, "sas");
	struct work w = {
		.offloaded = growth(old.offloaded, new.offloaded),
		.redone = growth(old.redone, new.redone),
		.rechecked = growth(old.rechecked, new.rechecked),
		.wrong = growth(old.wrong, new.wrong),
		.here = growth(old.here, new.here),
		.held = growth(old.held, new.held),
	};

	if (json_object_get(after, "filtered")) {
		w.offloaded = sas_growth(sas, old_sas, "packets_offloaded");
		w.redone = sas_growth(sas, old_sas, "packets_redone");
		w.here = sas_growth(sas, old_sas, "packets_inline");
		w.held = sas_growth(sas, old_sas, "packets_held");
	}
	return w;
}

struct work work_between(const json_t *before, const json_t *after)
{
	struct work w = grown(before, after);

	/* What has been held only since then was there before. */
	if (w.held > w.here)
		w.held = w.here;
	return w;
}
