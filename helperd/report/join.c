// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "report/join.h"

json_t *stats_join(const json_t *module, json_t *helper, const char *why)
{
	json_t *counters = json_object(), *stats, *value;
	const char *name;

	json_object_foreach((json_t *)module, name, value)
		if (json_is_object(value))
			json_object_set(counters, name, value);
	stats = json_pack("{s:b, s:O?, s:O?, s:o}", "loaded", !!module,
			  "state", json_object_get(module, "state"),
			  "abi", json_object_get(module, "abi"),
			  "module", counters);
	if (helper) {
		json_object_set(stats, "workers",
				json_object_get(helper, "workers"));
		json_object_set(stats, "devices",
				json_object_get(helper, "devices"));
		json_object_set(stats, "version",
				json_object_get(helper, "version"));
		json_object_set(stats, "backend",
				json_object_get(helper, "backend"));
	} else {
		json_object_set_new(stats, "helper_error", json_string(why));
	}
	return stats;
}

void stats_mode(json_t *stats, json_t *mode)
{
	if (mode)
		json_object_set_new(stats, "mode", mode);
}
