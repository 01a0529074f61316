// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "daemon/reload.h"
#include "daemon/there.h"
#include "lib/log.h"
#include "report/json.h"

/* A setting that has changed, with what that means, goes to the others. */
static void note(json_t *names, const struct config *c, size_t i, const char *what)
{
	struct config_shown shown;

	config_show(c, i, &shown);
	log_notice("%s = %s: %s", shown.name, shown.value, what);
	json_array_append_new(names, json_string(shown.name));
}

json_t *reload_settings(struct config *running,
			const struct config_source *source, bool *workers)
{
	json_t *applied, *restart;
	char error[THERE_ERROR];
	struct config read;

	if (!config_read(&read, source, error) ||
	    config_unusable(&read, running, source, error)) {
		log_err("%s", error);
		log_err("settings stay as they are");
		return json_pack("{s:o}", "error", json_text(error));
	}
	applied = json_array();
	restart = json_array();
	for (size_t i = 0; i < CONFIG_SETTINGS; i++) {
		enum setting_change change = config_adopt(running, &read, i);

		if (change == SETTING_SAME)
			continue;
		if (change == SETTING_RESTART)
			note(restart, &read, i, "applies when the daemon is restarted");
		else
			note(applied, running, i, "applies now");
		*workers |= change == SETTING_WORKERS;
	}
	log_level_set(running->log_level);
	log_notice("settings were read again: %zu apply now, %zu after a restart",
		   json_array_size(applied), json_array_size(restart));
	return json_pack("{s:o, s:o}", "applied", applied, "restart", restart);
}

json_t *reload_level(struct config *running, const char *level)
{
	int wanted = log_level_parse(level);

	if (wanted < 0)
		return json_pack("{s:s}", "error", LOG_LEVELS_WANTED);
	running->log_level = wanted;
	config_told(running, "log-level");
	log_level_set(wanted);
	return json_pack("{s:[s]}", "applied", "log-level");
}

json_t *reload_show(const struct config *running,
		    const struct config_source *source)
{
	json_t *all = json_array();

	for (size_t i = 0; i < CONFIG_SETTINGS; i++) {
		struct config_shown shown;
		char from[READ_ERROR];

		config_show(running, i, &shown);
		config_where(shown.origin, source, from, sizeof(from));
		json_array_append_new(all, json_pack("{s:s, s:o, s:o}",
						     "name", shown.name,
						     "value", json_text(shown.value),
						     "from", json_text(from)));
	}
	return all;
}
