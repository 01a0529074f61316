// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which driver serves an SA?
 *
 * The kernel does not say. But the module shows the SPI of each transform that
 * it has seen a packet of (/proc/wavecrypt), and an SA that has carried packets
 * of which the module knows nothing is somebody else's. Before the first
 * packet nobody can tell, unless the module has no transform at all.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ctl/children.h"
#include "ctl/ctl.h"
#include "ctl/filter.h"
#include "ctl/sas.h"
#include "ctl/xfrm.h"
#include "report/json.h"

/* This machine's addresses, by how they are written */
static json_t *addresses(const struct ifaddrs *all)
{
	json_t *set = json_object();

	for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
		const struct sockaddr *addr = i->ifa_addr;
		char name[INET6_ADDRSTRLEN];
		const void *binary;

		if (!addr)
			continue;
		if (addr->sa_family == AF_INET)
			binary = &((const struct sockaddr_in *)addr)->sin_addr;
		else if (addr->sa_family == AF_INET6)
			binary = &((const struct sockaddr_in6 *)addr)->sin6_addr;
		else
			continue;
		if (inet_ntop(addr->sa_family, binary, name, sizeof(name)))
			json_object_set_new(set, name, json_true());
	}
	return set;
}

void sas_direct(json_t *sas, const struct ifaddrs *local)
{
	json_t *ours = addresses(local), *sa;
	size_t i;

	json_array_foreach(sas, i, sa) {
		bool in = json_object_get(ours, text(sa, "dst"));
		bool out = json_object_get(ours, text(sa, "src"));

		if (json_object_get(sa, "direction") || in == out)
			continue;
		json_object_set_new(sa, "direction",
				    json_string(in ? "in" : "out"));
	}
	json_decref(ours);
}

/* Has this transform worked in the SA's direction? */
static bool same_direction(const json_t *row, const json_t *sa)
{
	bool in = !strcmp(text(sa, "direction"), "in");
	const char *const *name;
	static const char *const names[][3] = {
		{ "encrypt_inline", "encrypt_offloaded", "encrypt_redone" },
		{ "decrypt_inline", "decrypt_offloaded", "decrypt_redone" },
	};

	if (!text(sa, "direction")[0])
		return true;
	name = names[in];
	return number(row, name[0]) + number(row, name[1]) +
	       number(row, name[2]) > 0;
}

/* Transforms by SPI: of each an array, mostly of one. For there may be many. */
static json_t *by_spi(const json_t *rows)
{
	json_t *index = json_object(), *row;
	size_t i;

	json_array_foreach(rows, i, row) {
		const char *spi = text(row, "spi");

		if (!json_object_get(index, spi))
			json_object_set_new(index, spi, json_array());
		json_array_append(json_object_get(index, spi), row);
	}
	return index;
}

/* The SA's transforms. There should be one, or none. */
static size_t find_rows(const json_t *index, const json_t *sa,
			const json_t **found)
{
	const json_t *row;
	size_t i, nr = 0;

	json_array_foreach(json_object_get(index, text(sa, "spi")), i, row) {
		if (strcmp(text(row, "algorithm"), text(sa, "algorithm")) ||
		    !same_direction(row, sa))
			continue;
		*found = row;
		nr++;
	}
	return nr;
}

/* An AEAD of that name that is the module's, or is not. */
static const json_t *find_driver(const json_t *aeads, const char *name,
				 bool ours)
{
	const json_t *best = NULL, *alg;
	size_t i;

	json_array_foreach(aeads, i, alg) {
		if (strcmp(text(alg, "name"), name) ||
		    ours == !!strcmp(text(alg, "module"), "wavecrypt") ||
		    (!ours && !number(alg, "users")))
			continue;
		if (!best || number(alg, "priority") > number(best, "priority"))
			best = alg;
	}
	return best;
}

static void note(json_t *sa, const char *what)
{
	json_object_set_new(sa, "note", json_string(what));
}

static void set_driver(json_t *sa, const json_t *alg, const char *evidence)
{
	if (!alg)
		return;
	json_object_set(sa, "driver", json_object_get(alg, "driver"));
	json_object_set_new(sa, "evidence", json_string(evidence));
}

/* Counters of both directions; an SA's transform has only one of them. */
static void set_packets(json_t *sa, const json_t *row)
{
	static const char *const what[] = { "inline", "offloaded", "redone" };
	char name[32];

	for (int i = 0; i < 3; i++) {
		json_int_t n;

		snprintf(name, sizeof(name), "encrypt_%s", what[i]);
		n = number(row, name);
		snprintf(name, sizeof(name), "decrypt_%s", what[i]);
		n += number(row, name);
		snprintf(name, sizeof(name), "packets_%s", what[i]);
		json_object_set_new(sa, name, json_integer(n));
	}
	json_object_set(sa, "inline_driver", json_object_get(row, "fallback"));
}

static void judge_ours(json_t *sa, const json_t *row, size_t nr,
		       const json_t *ours)
{
	set_driver(sa, ours, "counted");
	json_object_set_new(sa, "accelerated",
			    json_boolean(nr > 1 || number(row, "offloadable")));
	if (nr > 1) {
		note(sa, "several transforms, perhaps of other network namespaces, have this SPI");
		return;
	}
	set_packets(sa, row);
	if (!number(row, "offloadable"))
		note(sa,
		     "its key found no place in the module's table (parameter keys), or cannot be offloaded");
}

/* Without the module, what it would do is no matter. */
static bool module_there(const json_t *aeads)
{
	const json_t *alg;
	size_t i;

	json_array_foreach(aeads, i, alg)
		if (!strcmp(text(alg, "module"), "wavecrypt"))
			return true;
	return false;
}

static void judge_theirs(json_t *sa, const json_t *aeads, const json_t *ours)
{
	const char *name = text(sa, "algorithm");

	set_driver(sa, find_driver(aeads, name, false), "deduced");
	if (ours)
		note(sa,
		     "older than the module, or made while another driver was preferred: it moves over when it is rekeyed");
	else if (module_there(aeads))
		note(sa,
		     "wavecrypt does not do this algorithm, or was not to (parameter algs)");
}

/* @index: by_spi(), or NULL: the module does not tell */
static void judge(json_t *sa, const json_t *index, const json_t *aeads)
{
	const json_t *ours = find_driver(aeads, text(sa, "algorithm"), true);
	const json_t *row = NULL;
	size_t nr = ours ? find_rows(index, sa, &row) : 0;

	json_object_set_new(sa, "accelerated", json_false());
	if (json_object_get(sa, "device"))
		note(sa, "the network interface does the work");
	else if (nr)
		judge_ours(sa, row, nr, ours);
	else if (ours && !index)
		note(sa, "the module does not tell (/proc/wavecrypt)");
	else if (json_object_size(index) && ours && !number(sa, "packets"))
		note(sa, "no packet yet: who serves it shows with the first");
	else
		judge_theirs(sa, aeads, ours);
}

void sas_judge(json_t *sas, const json_t *rows, const json_t *aeads)
{
	json_t *index = rows ? by_spi(rows) : NULL, *sa;
	size_t i;

	json_array_foreach(sas, i, sa)
		judge(sa, index, aeads);
	json_decref(index);
}

/* Where it is counted. Which algorithms the module has is not to be seen without it. */
static size_t *place(struct sas_count *n, const json_t *sa, const json_t *aeads)
{
	if (json_is_true(json_object_get(sa, "accelerated")))
		return &n->accelerated;
	if (json_object_get(sa, "device"))
		return &n->device;
	if (!text(sa, "driver")[0])
		return &n->unknown;
	if (!strcmp(text(sa, "evidence"), "counted"))
		return &n->barred;
	if (module_there(aeads) && !find_driver(aeads, text(sa, "algorithm"), true))
		return &n->foreign;
	return &n->older;
}

struct sas_count sas_count(const json_t *sas, const json_t *aeads)
{
	struct sas_count n = { .all = json_array_size(sas) };
	const json_t *sa;
	size_t i;

	json_array_foreach(sas, i, sa) {
		size_t *at = place(&n, sa, aeads);

		++*at;
		if (at == &n.accelerated || at == &n.unknown)
			continue;
		n.otherwise++;
		n.carried += number(sa, "packets") > 0;
	}
	return n;
}

bool sas_none(const struct sas_count *n)
{
	return !n->accelerated && n->otherwise &&
	       (n->carried || n->otherwise == n->all);
}

json_t *sas_collect(const struct ctl *c, const json_t *aeads, const char **why)
{
	struct ifaddrs *local = NULL;
	json_t *sas, *rows;

	/* Another root's are not this kernel's. */
	if (c->root[0]) {
		*why = "not looked for below --root";
		return NULL;
	}
	sas = xfrm_sas(why);
	if (!sas)
		return NULL;
	/* Next, for one that goes in between would seem to be another driver's. */
	rows = transforms(c);
	if (getifaddrs(&local))
		local = NULL;
	sas_direct(sas, local);
	freeifaddrs(local);
	if (c->children)
		children_name(c->children, sas);
	sas = filter_sas(c, sas);
	sas_judge(sas, rows, aeads);
	json_decref(rows);
	return sas;
}
