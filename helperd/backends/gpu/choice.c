// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/gpu/choice.h"
#include "lib/array.h"

void gpu_put_address(struct gpu_found *f, unsigned int domain, unsigned int bus,
		     unsigned int device, unsigned int function)
{
	snprintf(f->address, sizeof(f->address), "%04x:%02x:%02x.%x", domain, bus,
		 device, function);
}

const char *gpu_next(const char *wanted, char name[GPU_ITEM])
{
	const char *at = wanted, *comma = at + strcspn(at, ","), *end = comma;

	while (at < end && isspace((unsigned char)*at))
		at++;
	while (end > at && isspace((unsigned char)end[-1]))
		end--;
	snprintf(name, GPU_ITEM, "%.*s", (int)(end - at), at);
	return *comma ? comma + 1 : NULL;
}

static bool is_number(const char *item)
{
	return item[0] && strspn(item, "0123456789") == strlen(item);
}

bool gpu_name_lasts(const char *name)
{
	return name[0] && !is_number(name);
}

/**
 * struct place - a place on the PCI bus
 * @domain: only if @whole
 * @bus: bus
 * @device: device
 * @function: function
 * @whole: with its domain
 */
struct place {
	unsigned int domain, bus, device, function;
	bool whole;
};

static bool is_place(const char *item, struct place *p)
{
	int end = 0;

	if (strspn(item, "0123456789abcdefABCDEF:.") != strlen(item))
		return false;
	p->whole = sscanf(item, "%x:%x:%x.%x%n", &p->domain, &p->bus, &p->device,
			  &p->function, &end) == 4;
	if (!p->whole &&
	    sscanf(item, "%x:%x.%x%n", &p->bus, &p->device, &p->function, &end) != 3)
		return false;
	return !item[end];
}

static bool is_at(const struct gpu_found *f, const struct place *wanted)
{
	struct place p;

	return is_place(f->address, &p) && p.bus == wanted->bus &&
	       p.device == wanted->device && p.function == wanted->function &&
	       (!wanted->whole || p.domain == wanted->domain);
}

/* NVIDIA's tools put something before it that OpenCL does not have, AMD's runtime does. */
static const char *plain_uuid(const char *uuid)
{
	return strncasecmp(uuid, "GPU-", 4) ? uuid : uuid + 4;
}

static const struct gpu_found *best_of(const struct gpu_list *list)
{
	const struct gpu_found *best = NULL;

	for (unsigned int i = 0; i < list->nr; i++) {
		const struct gpu_found *f = &list->device[i];

		if (!f->refused[0] && f->rating && (!best || f->rating > best->rating))
			best = f;
	}
	return best;
}

/* The best, and all that are like it: a lesser one would hold its workers up. */
static bool is_auto(const struct gpu_list *list, const struct gpu_found *f)
{
	const struct gpu_found *like = best_of(list);

	return like && f->rating == like->rating && !strcmp(f->name, like->name);
}

static bool is_called(const struct gpu_list *list, unsigned int number,
		      const char *item)
{
	const struct gpu_found *f = &list->device[number];
	struct place place;

	if (is_number(item))
		return strtoul(item, NULL, 10) == number;
	if (is_place(item, &place))
		return is_at(f, &place);
	if (!strcmp(item, GPU_AUTO))
		return is_auto(list, f);
	return !strcmp(item, f->kind) || !strcmp(item, f->isa) ||
	       (f->uuid[0] && !strcasecmp(plain_uuid(item), plain_uuid(f->uuid))) ||
	       strcasestr(f->name, item);
}

static void add(struct gpu_chosen *chosen, unsigned int number)
{
	for (unsigned int i = 0; i < chosen->nr; i++)
		if (chosen->number[i] == number)
			return;
	chosen->number[chosen->nr++] = number;
}

static void say(char *why, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void say(char *why, const char *fmt, ...)
{
	size_t len = strlen(why);
	va_list args;

	va_start(args, fmt);
	vsnprintf(why + len, GPU_WHY - len, fmt, args);
	va_end(args);
}

static void say_device(char *why, unsigned int number, const struct gpu_found *f)
{
	const char *const words[] = { f->kind, f->isa, f->address, f->uuid };

	say(why, "%s%u (%s", number ? "; " : "", number, f->name);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i][0])
			say(why, ", %s", words[i]);
	say(why, ")%s%s", f->refused[0] ? ": " : "", f->refused);
}

static void say_none(char *why, const struct gpu_list *list, const char *item)
{
	why[0] = '\0';
	say(why, "no device \"%s\" that can be used; there is %s", item,
	    list->nr ? "" : "none");
	for (unsigned int i = 0; i < list->nr; i++)
		say_device(why, i, &list->device[i]);
}

bool gpu_choose(const struct gpu_list *list, const char *wanted,
		struct gpu_chosen *chosen, char *why)
{
	bool all = true;
	char item[GPU_ITEM];

	chosen->nr = 0;
	do {
		bool found = false;

		wanted = gpu_next(wanted, item);
		for (unsigned int i = 0; item[0] && i < list->nr; i++) {
			if (list->device[i].refused[0] || !is_called(list, i, item))
				continue;
			add(chosen, i);
			found = true;
		}
		if (found || !all)
			continue;
		say_none(why, list, item);
		all = !strcmp(item, GPU_AUTO);
	} while (wanted);
	return all;
}

static unsigned int count(const struct gpu_list *list, const char *name)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < list->nr; i++)
		nr += is_called(list, i, name);
	return nr;
}

void gpu_name(const struct gpu_list *list, unsigned int number, char *name)
{
	const struct gpu_found *f = &list->device[number];

	if (f->address[0] && count(list, f->address) == 1)
		snprintf(name, GPU_NAME, "%s", f->address);
	else if (f->uuid[0] && count(list, f->uuid) == 1)
		snprintf(name, GPU_NAME, "%s", f->uuid);
	else
		snprintf(name, GPU_NAME, "%u", number);
}
