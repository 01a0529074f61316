// SPDX-License-Identifier: GPL-2.0-only
/*
 * "devices": what each kind of backend could use, as settings name it.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "backends/gpu/choice.h"
#include "ctl/ctl.h"
#include "daemon/config.h"
#include "daemon/registry.h"
#include "report/json.h"

/* Of which the directory of code objects decides what can be used. */
static void read_settings(const struct ctl *c, struct config *config)
{
	struct config_error err;
	char path[PATH_MAX];

	config_init(config);
	snprintf(path, sizeof(path), "%s%s", c->root, CONFIG_DEFAULT);
	config_file(config, path, &err);
}

/* What the daemon says of one that it was given, or NULL: it was not. */
static const json_t *given(const json_t *daemon, const char *backend, const char *name)
{
	const json_t *one;
	size_t i;

	if (strcmp(text(daemon, "backend"), backend))
		return NULL;
	json_array_foreach(json_object_get(daemon, "devices"), i, one)
		if (!strcmp(text(one, "name"), name))
			return one;
	return NULL;
}

static json_t *device_json(const char *backend, const struct gpu_list *list,
			   unsigned int number, const json_t *daemon)
{
	const struct gpu_found *f = &list->device[number];
	const json_t *one;
	char name[GPU_NAME];
	json_t *device;

	gpu_name(list, number, name);
	one = given(daemon, backend, name);
	device = json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:o, s:b, s:o, s:b}",
			   "backend", backend, "number", number, "kind", f->kind,
			   "isa", f->isa, "address", f->address, "uuid", f->uuid,
			   "name", json_text(f->name), "usable", !f->refused[0],
			   "why", json_text(f->refused), "used", !!one);
	if (one)
		json_object_set(device, "there", json_object_get(one, "there"));
	return device;
}

static void look(const struct backend_ops *ops, const struct gpu_settings *settings,
		 const json_t *daemon, json_t *devices, json_t *without)
{
	struct gpu_list list;
	const char *why = ops->look(settings, &list);

	if (why)
		json_array_append_new(without, json_pack("{s:s, s:s}", "backend",
							 ops->name, "why", why));
	for (unsigned int i = 0; !why && i < list.nr; i++)
		json_array_append_new(devices,
				      device_json(ops->name, &list, i, daemon));
}

json_t *devices_collect(const struct ctl *c)
{
	json_t *devices = json_array(), *without = json_array();
	json_t *daemon;
	const char *why;
	struct config config;

	read_settings(c, &config);
	daemon = client_ask(c, "status", &why);
	for (size_t i = 0; backends[i]; i++)
		if (backends[i]->look)
			look(backends[i], &config.gpu, daemon, devices, without);
	json_decref(daemon);
	return json_pack("{s:o, s:o}", "devices", devices, "without", without);
}

static void print_device(const json_t *device)
{
	const char *isa = text(device, "isa"), *address = text(device, "address");

	printf("%s-device = %-3lld %-11s %-8s %-13s %s\n", text(device, "backend"),
	       (long long)number(device, "number"), text(device, "kind"),
	       isa[0] ? isa : "-", address[0] ? address : "-",
	       text(device, "name"));
	if (json_is_true(json_object_get(device, "used")))
		printf("\tthe daemon uses it%s\n",
		       json_is_true(json_object_get(device, "there")) ? "" :
		       ", and has lost it");
	if (text(device, "uuid")[0])
		printf("\t%s\n", text(device, "uuid"));
	if (text(device, "why")[0])
		printf("\tcannot be used: %s\n", text(device, "why"));
}

void devices_print(const json_t *answer)
{
	const json_t *one;
	size_t i;

	json_array_foreach(json_object_get(answer, "devices"), i, one)
		print_device(one);
	json_array_foreach(json_object_get(answer, "without"), i, one)
		printf("%s: %s\n", text(one, "backend"), text(one, "why"));
}
