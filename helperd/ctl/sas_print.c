// SPDX-License-Identifier: GPL-2.0-only
/*
 * SAs as text; and "sas", which is nothing but them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>

#include "ctl/children.h"
#include "ctl/sas.h"
#include "report/json.h"

static void print_peers(const json_t *sa)
{
	const char *direction = text(sa, "direction");

	printf("SA %s  %-3s  %s -> %s, %s, reqid %lld\n", text(sa, "spi"),
	       direction[0] ? direction : "?", text(sa, "src"),
	       text(sa, "dst"), text(sa, "mode"),
	       (long long)number(sa, "reqid"));
	printf("    algorithm  %s, %lld bits%s\n", text(sa, "algorithm"),
	       (long long)number(sa, "key_bits"),
	       json_is_true(json_object_get(sa, "esn")) ? ", ESN" : "");
	if (text(sa, "proposal")[0])
		printf("    proposal   %s\n", text(sa, "proposal"));
	if (text(sa, "child")[0])
		printf("    child      %s\n", text(sa, "child"));
}

static void print_driver(const json_t *sa)
{
	const char *device = text(sa, "device"), *driver = text(sa, "driver");

	if (device[0])
		printf("    driver     that of %s\n", device);
	else
		printf("    driver     %s\n", driver[0] ? driver : "not known");
	if (json_object_get(sa, "packets_per_s"))
		printf("    now        %.0f packets/s, %.0f of them offloaded, %.0f bit/s\n",
		       real(sa, "packets_per_s"), real(sa, "offloaded_per_s"),
		       real(sa, "bits_per_s"));
	printf("    packets    %lld", (long long)number(sa, "packets"));
	if (json_object_get(sa, "packets_offloaded"))
		printf(": %lld offloaded, %lld inline (%s), %lld redone",
		       (long long)number(sa, "packets_offloaded"),
		       (long long)number(sa, "packets_inline"),
		       text(sa, "inline_driver"),
		       (long long)number(sa, "packets_redone"));
	printf("\n");
	if (text(sa, "note")[0])
		printf("    note       %s\n", text(sa, "note"));
}

void sas_print(const json_t *sas)
{
	const json_t *sa;
	size_t i;

	json_array_foreach(sas, i, sa) {
		printf("\n");
		print_peers(sa);
		print_driver(sa);
	}
}

void sas_print_lines(const json_t *sas)
{
	const json_t *sa;
	size_t i;

	printf("SPI         dir  reqid     packets   offloaded  driver, src -> dst, child\n");
	json_array_foreach(sas, i, sa) {
		const char *driver = text(sa, "driver");
		const char *child = text(sa, "child");

		printf("%-10s  %-3s %6lld %11lld %11lld  %s, %s -> %s%s%s\n",
		       text(sa, "spi"), text(sa, "direction"),
		       (long long)number(sa, "reqid"),
		       (long long)number(sa, "packets"),
		       (long long)number(sa, "packets_offloaded"),
		       driver[0] ? driver : "not known", text(sa, "src"),
		       text(sa, "dst"), child[0] ? ", " : "", child);
	}
}

json_t *sas_list_collect(const struct ctl *c)
{
	json_t *aeads = proc_crypto_aeads(c);
	const char *why = NULL;
	json_t *sas = sas_collect(c, aeads, &why), *list;

	json_decref(aeads);
	list = sas ? json_pack("{s:O}", "sas", sas) :
		     json_pack("{s:s}", "error", why);
	children_say(c, sas, list);
	json_decref(sas);
	return list;
}

void sas_list_print(const json_t *list)
{
	if (text(list, "error")[0])
		printf("SAs: %s\n", text(list, "error"));
	else
		sas_print_lines(json_object_get(list, "sas"));
	if (text(list, "children_error")[0])
		printf("Names of SAs: %s\n", text(list, "children_error"));
}
