// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>

#include "daemon/reload.h"
#include "lib/log.h"

static void log_change(const struct config *c, size_t i, const char *what)
{
	struct config_shown shown;

	config_show(c, i, &shown);
	log_notice("%s = %s: %s", shown.name, shown.value, what);
}

static void note(json_t *names, const struct config *c, size_t i)
{
	struct config_shown shown;

	config_show(c, i, &shown);
	json_array_append_new(names, json_string(shown.name));
}

json_t *reload_settings(struct config *running,
			const struct config_source *source, bool *workers)
{
	json_t *applied, *restart;
	char why[READ_ERROR];
	struct config read;

	if (!config_read(&read, source, why)) {
		log_err("%s", why);
		log_err("settings stay as they are");
		return json_pack("{s:s}", "error", why);
	}
	applied = json_array();
	restart = json_array();
	for (size_t i = 0; i < config_settings(); i++) {
		enum setting_change change = config_adopt(running, &read, i);

		if (change == SETTING_SAME)
			continue;
		if (change == SETTING_RESTART) {
			log_change(&read, i, "applies when the daemon is restarted");
			note(restart, &read, i);
			continue;
		}
		if (change == SETTING_WORKERS)
			*workers = true;
		log_change(running, i, "applies now");
		note(applied, running, i);
	}
	log_level_set(running->log_level);
	log_notice("settings were read again: %zu apply now, %zu after a restart",
		   json_array_size(applied), json_array_size(restart));
	return json_pack("{s:o, s:o}", "applied", applied, "restart", restart);
}

json_t *reload_level(struct config *running, const char *level)
{
	struct config_error err;
	char line[128];

	snprintf(line, sizeof(line), "log-level = %s", level);
	if (log_level_parse(level) < 0 || !config_line(running, line, &err))
		return json_pack("{s:s}", "error", LOG_LEVELS_WANTED);
	config_told(running, "log-level");
	log_level_set(running->log_level);
	return json_pack("{s:[s]}", "applied", "log-level");
}

json_t *reload_show(const struct config *running,
		    const struct config_source *source)
{
	json_t *all = json_array();

	for (size_t i = 0; i < config_settings(); i++) {
		struct config_shown shown;
		char from[READ_ERROR];

		config_show(running, i, &shown);
		config_where(shown.origin, source, from, sizeof(from));
		json_array_append_new(all, json_pack("{s:s, s:s, s:s}",
						     "name", shown.name,
						     "value", shown.value,
						     "from", from));
	}
	return all;
}
