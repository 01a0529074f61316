// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the daemon is asked to do: "reload", "log-level"; and its settings,
 * "config".
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>

#include "ctl/daemon.h"
#include "report/json.h"

/* Whatever it answers, be it that there is nobody */
static json_t *ask(const struct ctl *c, const char *request)
{
	const char *why = NULL;
	json_t *answer = client_ask(c, request, &why);

	return answer ? answer : json_pack("{s:s, s:b}", "error", why,
					   "late", why == client_late);
}

json_t *reload_collect(const struct ctl *c)
{
	return ask(c, "reload");
}

json_t *level_collect(const struct ctl *c)
{
	char request[64];

	snprintf(request, sizeof(request), "log-level %s", c->args[0]);
	return ask(c, request);
}

static void print_names(const char *what, const json_t *names)
{
	const json_t *name;
	size_t i;

	json_array_foreach(names, i, name)
		printf("%s%s%s", i ? " " : what, i ? "" : ": ",
		       json_string_value(name));
	if (json_array_size(names))
		printf("\n");
}

/* Return: whether it was one */
static bool print_error(const json_t *answer)
{
	if (!text(answer, "error")[0])
		return false;
	if (json_is_true(json_object_get(answer, "late")))
		printf("There was no answer within %d s: it may apply yet.\n"
		       "Whether it does, \"wavecryptctl config\" shows.\n",
		       CLIENT_PATIENCE_MS / 1000);
	else
		printf("Nothing has changed: %s.\n", text(answer, "error"));
	return true;
}

void reload_print(const json_t *answer)
{
	const json_t *applied = json_object_get(answer, "applied");
	const json_t *restart = json_object_get(answer, "restart");

	if (print_error(answer))
		return;
	print_names("Applied", applied);
	print_names("Wants a restart", restart);
	if (!json_array_size(applied) && !json_array_size(restart))
		printf("Settings are as they were.\n");
}

json_t *config_collect(const struct ctl *c)
{
	return ask(c, "config");
}

void config_print(const json_t *answer)
{
	const json_t *setting;
	size_t i;

	if (text(answer, "error")[0])
		printf("%s\n", text(answer, "error"));
	json_array_foreach(json_object_get(answer, "settings"), i, setting) {
		if (text(setting, "value")[0])
			printf("%s = %s  # %s\n", text(setting, "name"),
			       text(setting, "value"), text(setting, "from"));
		else
			printf("#%s is not set\n", text(setting, "name"));
	}
}
