// SPDX-License-Identifier: GPL-2.0-only
/*
 * "status": is traffic being accelerated, and if not, why not? It looks twice, so
 * that it answers for now; what was counted since the module was loaded is beside it.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ctl/children.h"
#include "ctl/ctl.h"
#include "ctl/drain.h"
#include "ctl/filter.h"
#include "ctl/hazards.h"
#include "ctl/sas.h"
#include "ctl/sensors.h"
#include "ctl/verdict.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "report/json.h"
#include "report/sysfs.h"

/* "authenc-hmac-sha1-cbc-aes-wavecrypt" shows itself in directories that start
 * with the name less "-wavecrypt".
 */
static bool counts_for(const char *dir, const char *driver)
{
	const char *end = strstr(driver, "-wavecrypt");
	size_t n = end ? (size_t)(end - driver) : strlen(driver);

	return !strncmp(dir, driver, n) && dir[n] == '.';
}

/* Sum of one counter over both directions of an algorithm, or those that one of @hazards
 * keeps inline.
 */
static json_int_t counted(const json_t *module, const char *driver,
			  const char *counter, const json_t *hazards)
{
	json_int_t sum = 0;
	const char *dir;
	json_t *value;

	json_object_foreach((json_t *)module, dir, value)
		if (json_is_object(value) && counts_for(dir, driver) &&
		    (!hazards || hazards_hold(hazards, strrchr(dir, '.') + 1)))
			sum += number(value, counter);
	return sum;
}

static json_t *algorithms(const json_t *aeads, const json_t *module,
			  const json_t *hazards)
{
	static const char *const counters[] = {
		"requests_inline", "bytes_inline", "requests_offloaded",
		"bytes_offloaded", "redone", "rechecked", "icv_failures",
	};
	json_t *mine = json_array(), *alg;
	size_t i;

	json_array_foreach(aeads, i, alg) {
		const json_t *other;

		if (strcmp(text(alg, "module"), "wavecrypt"))
			continue;
		other = proc_crypto_preferred(aeads, alg);
		for (size_t k = 0; k < ARRAY_SIZE(counters); k++)
			json_object_set_new(alg, counters[k],
					    json_integer(counted(module,
								 text(alg, "driver"),
								 counters[k], NULL)));
		json_object_set_new(alg, "requests_held",
				    json_integer(counted(module, text(alg, "driver"),
							 "requests_inline",
							 hazards)));
		json_object_set_new(alg, "preferred",
				    json_string(other ? text(other, "driver") :
						text(alg, "driver")));
		json_array_append(mine, alg);
	}
	return mine;
}

json_t *status_look(const struct ctl *c)
{
	json_t *module = sysfs_module(c->root), *mode = sysfs_mode(c->root), *shown;
	json_t *aeads = proc_crypto_aeads(c), *hazards = hazards_collect(c);
	json_t *algs = algorithms(aeads, module, hazards);
	const char *sas_why = NULL;
	json_t *status, *sas = sas_collect(c, aeads, &sas_why);

	shown = module ? json_pack("{s:b, s:O?, s:O?, s:O?, s:O?, s:b}",
				   "loaded", 1,
				   "abi", json_object_get(module, "abi"),
				   "mode", mode,
				   "state", json_object_get(module, "state"),
				   "helper_pid",
				   json_object_get(module, "helper_pid"),
				   "drained", drained(c)) :
			 json_pack("{s:b}", "loaded", 0);
	hazards_hold_sas(hazards, sas);
	status = json_pack("{s:o, s:o, s:o, s:f}", "module", shown,
			   "algorithms", algs, "hazards", hazards,
			   "time", (double)clock_ns() / NSEC_PER_SEC);
	if (sas)
		json_object_set_new(status, "sas", sas);
	else
		json_object_set_new(status, "sas_error", json_string(sas_why));
	children_say(c, sas, status);
	if (c->nr_args)
		json_object_set_new(status, "filtered", json_true());
	if (!sas || (filter_by_child(c) && json_object_get(status, "children_error")))
		json_object_set_new(status, "partial", json_true());
	json_decref(aeads);
	json_decref(module);
	json_decref(mode);
	return status;
}

json_t *status_collect(const struct ctl *c)
{
	json_t *before = status_look(c), *status, *helper;
	const char *why = NULL;

	usleep(c->interval * 1000000);
	status = status_look(c);
	status_judge(status, before);
	helper = sensors_ask(c, &why);
	if (!helper)
		helper = json_pack("{s:s}", "error", why);
	json_object_set_new(status, "helper", helper);
	json_object_del(status, "time");
	json_object_del(status, "filtered");
	json_object_del(status, "partial");
	json_decref(before);
	return status;
}

static void print_helper(const json_t *helper)
{
	size_t workers = json_array_size(json_object_get(helper, "workers"));

	if (json_object_get(helper, "error")) {
		printf("helper   %s\n", text(helper, "error"));
		return;
	}
	printf("helper   wavecryptd %s, process %lld, on %s (%s)\n",
	       text(helper, "version"), (long long)number(helper, "pid"),
	       text(helper, "channel"), text(helper, "state"));
	printf("         %zu worker%s for %lld queues of %lld entries\n",
	       workers, workers == 1 ? "" : "s",
	       (long long)number(helper, "queues"),
	       (long long)number(helper, "entries"));
	printf("backend  %s: %s\n", text(helper, "backend"),
	       text(helper, "backend_detail"));
	sensors_print(json_object_get(helper, "devices"));
}

/* By somebody now, or with requests so far */
static bool in_use(const json_t *alg)
{
	return number(alg, "users") || number(alg, "requests_offloaded") ||
	       number(alg, "requests_inline") || number(alg, "redone") ||
	       number(alg, "rechecked");
}

static void print_algorithm(const json_t *alg)
{
	printf("\n%s\n", text(alg, "name"));
	printf("    driver     %s, priority %lld, self-test %s\n",
	       text(alg, "driver"), (long long)number(alg, "priority"),
	       text(alg, "selftest"));
	printf("    in use by  %lld\n", (long long)number(alg, "users"));
	printf("    offloaded  %lld requests, %lld bytes\n",
	       (long long)number(alg, "requests_offloaded"),
	       (long long)number(alg, "bytes_offloaded"));
	printf("    inline     %lld requests, %lld bytes\n",
	       (long long)number(alg, "requests_inline"),
	       (long long)number(alg, "bytes_inline"));
}

void status_print(const json_t *status)
{
	const json_t *module = json_object_get(status, "module"), *alg;
	size_t i, idle = 0;

	printf("%s.\n\n", text(status, "summary"));
	if (json_is_true(json_object_get(module, "loaded")))
		printf("module   loaded, ABI %lld, mode %s, channel %s\n",
		       (long long)number(module, "abi"), text(module, "mode"),
		       text(module, "state"));
	else
		printf("module   not loaded\n");
	print_helper(json_object_get(status, "helper"));
	hazards_print(json_object_get(status, "hazards"));
	json_array_foreach(json_object_get(status, "algorithms"), i, alg)
		if (in_use(alg))
			print_algorithm(alg);
		else
			idle++;
	if (idle)
		printf("\n%zu %salgorithm%s that nothing uses: --json has them all\n",
		       idle, idle < i ? "more " : "", idle == 1 ? "" : "s");
	if (text(status, "sas_error")[0])
		printf("\nSAs: %s\n", text(status, "sas_error"));
	if (text(status, "children_error")[0])
		printf("\nNames of SAs: %s\n", text(status, "children_error"));
	sas_print(json_object_get(status, "sas"));
}
