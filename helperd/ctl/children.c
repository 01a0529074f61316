// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdbool.h>

#include "ctl/children.h"
#include "ctl/filter.h"
#include "ctl/sas.h"
#include "ctl/vici.h"
#include "report/json.h"

/* Return: whether all have one. */
static bool name_all(const json_t *names, json_t *sas)
{
	size_t i, nr = 0;
	json_t *sa;

	json_array_foreach(sas, i, sa) {
		char key[SAS_KEY];
		json_t *name = json_object_get(names,
					       sas_key(key, text(sa, "spi"),
						       text(sa, "dst")));

		if (name && !json_object_set(sa, "child", name))
			nr++;
	}
	return nr == json_array_size(sas);
}

void children_name(struct children *children, json_t *sas)
{
	json_t *names;

	children->error = NULL;
	if (name_all(children->names, sas))
		return;
	names = vici_children(children->path, VICI_PATIENCE_MS,
			      &children->error);
	if (!names)
		return;
	json_decref(children->names);
	children->names = names;
	name_all(names, sas);
}

void children_say(const struct ctl *c, const json_t *sas, json_t *to)
{
	const char *error = c->children ? c->children->error : NULL;
	bool missed = filter_by_child(c) && !json_array_size(sas);

	if (error && (error != vici_absent || missed))
		json_object_set_new(to, "children_error", json_string(error));
}
