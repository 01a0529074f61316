// SPDX-License-Identifier: GPL-2.0-only
/*
 * "status": is traffic being accelerated, and if not, why not?
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctl/ctl.h"
#include "ctl/hazards.h"
#include "ctl/sas.h"
#include "lib/array.h"
#include "report/json.h"
#include "report/sysfs.h"
#include "wavecrypt.h"

/* "authenc-hmac-sha1-cbc-aes-wavecrypt" shows itself in directories that start
 * with the name less "-wavecrypt".
 */
static bool counts_for(const char *dir, const char *driver)
{
	const char *end = strstr(driver, "-wavecrypt");
	size_t n = end ? (size_t)(end - driver) : strlen(driver);

	return !strncmp(dir, driver, n) && dir[n] == '.';
}

/* Sum of one counter over both directions of an algorithm. */
static json_int_t counted(const json_t *module, const char *driver,
			  const char *counter)
{
	json_int_t sum = 0;
	const char *dir;
	json_t *value;

	json_object_foreach((json_t *)module, dir, value)
		if (json_is_object(value) && counts_for(dir, driver))
			sum += number(value, counter);
	return sum;
}

/* Another implementation of the same that the kernel would rather use. */
static const json_t *preferred(const json_t *aeads, const json_t *alg)
{
	const json_t *best = NULL, *other;
	size_t i;

	json_array_foreach(aeads, i, other) {
		if (other == alg ||
		    strcmp(text(other, "name"), text(alg, "name")) ||
		    number(other, "priority") <= number(alg, "priority"))
			continue;
		if (!best || number(other, "priority") >
			     number(best, "priority"))
			best = other;
	}
	return best;
}

static json_t *algorithms(const json_t *aeads, const json_t *module)
{
	static const char *const counters[] = {
		"requests_inline", "bytes_inline", "requests_offloaded",
		"bytes_offloaded",
	};
	json_t *mine = json_array(), *alg;
	size_t i;

	json_array_foreach(aeads, i, alg) {
		const json_t *other;

		if (strcmp(text(alg, "module"), "wavecrypt"))
			continue;
		other = preferred(aeads, alg);
		for (size_t k = 0; k < ARRAY_SIZE(counters); k++)
			json_object_set_new(alg, counters[k],
					    json_integer(counted(module,
								 text(alg, "driver"),
								 counters[k])));
		json_object_set_new(alg, "preferred",
				    json_string(other ? text(other, "driver") :
						text(alg, "driver")));
		json_array_append(mine, alg);
	}
	return mine;
}

static json_int_t sum(const json_t *algs, const char *key)
{
	json_int_t all = 0;
	const json_t *alg;
	size_t i;

	json_array_foreach(algs, i, alg)
		all += number(alg, key);
	return all;
}

/* One of ours that another driver takes the work from, or NULL. */
static const json_t *overtaken(const json_t *algs)
{
	const json_t *alg;
	size_t i;

	json_array_foreach(algs, i, alg)
		if (strcmp(text(alg, "preferred"), text(alg, "driver")))
			return alg;
	return NULL;
}

/**
 * struct verdict - the first line
 * @good: traffic is accelerated, or would be
 * @line: in plain words
 */
struct verdict {
	bool good;
	char line[640];
};

static struct verdict say(bool good, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static struct verdict say(bool good, const char *fmt, ...)
{
	struct verdict v = { .good = good };
	va_list args;

	va_start(args, fmt);
	vsnprintf(v.line, sizeof(v.line), fmt, args);
	va_end(args);
	return v;
}

static struct verdict judge_helper(const json_t *module)
{
	const char *state = text(module, "state");
	long long pid = number(module, "helper_pid");

	if (!strcmp(state, "live"))
		return say(true, "live");
	if (!strcmp(state, "stalled"))
		return say(false,
				   "Not accelerated now: the helper (process %lld) does not keep up, so the kernel does its work",
			   pid);
	if (!strcmp(state, "broken"))
		return say(false,
				   "Not accelerated: the helper (process %lld) broke the channel's rules; the kernel log says how",
			   pid);
	return say(false,
			   "Not accelerated: no helper is attached (start wavecryptd); the kernel does the work itself");
}

static struct verdict judge(const json_t *module, const char *mode,
			    bool is_drained, const json_t *algs)
{
	json_int_t offloaded = sum(algs, "requests_offloaded");
	long long abi = number(module, "abi");
	struct verdict helper;
	const json_t *alg;

	if (!module)
		return say(false, "Not accelerated: the module is not loaded (modprobe wavecrypt)");
	if (!json_array_size(algs))
		return say(false,
				   "Not accelerated: the module has registered no algorithm; the kernel log says why");
	if (is_drained)
		return say(false,
				   "Not accelerated: drained for maintenance (wavecryptctl resume)");
	if (!strcmp(mode, "inline"))
		return say(false,
				   "Not accelerated: the module was told to offload nothing (mode is \"inline\")");
	helper = judge_helper(module);
	if (!helper.good && abi != WAVECRYPT_ABI_VERSION)
		return say(false,
				   "Not accelerated: the module speaks version %lld of the interface, these programs %d: they are from different releases, upgrade both",
			   abi, WAVECRYPT_ABI_VERSION);
	if (!helper.good)
		return helper;
	alg = overtaken(algs);
	if (alg)
		return say(false, "Not accelerated: for %s the kernel prefers %s",
			   text(alg, "name"), text(alg, "preferred"));
	if (!sum(algs, "users"))
		return say(true,
				   "Ready, but nothing uses it yet. An SA that is older than the module keeps its driver until it is rekeyed");
	if (!offloaded)
		return say(true,
				   "Ready: so far every request was light enough for the kernel to do at once");
	return say(true,
			   "Accelerated: %lld requests went to the helper (process %lld) so far, %lld were light enough for the kernel to do at once",
		   offloaded, (long long)number(module, "helper_pid"),
		   sum(algs, "requests_inline"));
}

/* A ready driver that serves nobody is of no use. */
static struct verdict judge_sas(struct verdict v, const json_t *sas)
{
	size_t i, theirs = 0, nr = json_array_size(sas);
	const json_t *sa;

	if (!v.good)
		return v;
	json_array_foreach(sas, i, sa) {
		if (json_is_true(json_object_get(sa, "accelerated")))
			continue;
		if (number(sa, "packets") || text(sa, "driver")[0])
			theirs++;
	}
	if (theirs && theirs == nr)
		return say(false,
				   "Not accelerated: of %zu SA%s wavecrypt serves none; why is said of each below",
			   nr, nr == 1 ? "" : "s");
	if (theirs)
		return say(true,
				   "%s. Of %zu SAs %zu are served otherwise", v.line,
			   nr, theirs);
	return v;
}

json_t *status_collect(const struct ctl *c)
{
	json_t *module = sysfs_module(c->root), *mode = sysfs_mode(c->root), *shown;
	json_t *aeads = proc_crypto_aeads(c), *algs = algorithms(aeads, module);
	const char *why = NULL, *sas_why = NULL;
	json_t *helper, *status, *sas = sas_collect(c, aeads, &sas_why);
	struct verdict v;

	helper = client_ask(c, "status", &why);
	v = judge(module, mode ? json_string_value(mode) : "", drained(c),
		  algs);
	v = judge_sas(v, sas);
	shown = module ? json_pack("{s:b, s:O?, s:O?, s:O?, s:O?}",
				   "loaded", 1,
				   "abi", json_object_get(module, "abi"),
				   "mode", mode,
				   "state", json_object_get(module, "state"),
				   "helper_pid",
				   json_object_get(module, "helper_pid")) :
			 json_pack("{s:b}", "loaded", 0);
	if (!helper)
		helper = json_pack("{s:s}", "error", why);
	status = json_pack("{s:b, s:s, s:o, s:o, s:o, s:o}",
			   "accelerated", v.good, "summary", v.line,
			   "module", shown, "helper", helper,
			   "algorithms", algs,
			   "hazards", hazards_collect(c));
	if (sas)
		json_object_set_new(status, "sas", sas);
	else
		json_object_set_new(status, "sas_error", json_string(sas_why));
	json_decref(aeads);
	json_decref(module);
	json_decref(mode);
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
}

void status_print(const json_t *status)
{
	const json_t *module = json_object_get(status, "module"), *alg;
	size_t i;

	printf("%s.\n\n", text(status, "summary"));
	if (json_is_true(json_object_get(module, "loaded")))
		printf("module   loaded, ABI %lld, mode %s, channel %s\n",
		       (long long)number(module, "abi"), text(module, "mode"),
		       text(module, "state"));
	else
		printf("module   not loaded\n");
	print_helper(json_object_get(status, "helper"));
	hazards_print(json_object_get(status, "hazards"));
	json_array_foreach(json_object_get(status, "algorithms"), i, alg) {
		printf("\n%s\n", text(alg, "name"));
		printf("    driver     %s, priority %lld, self-test %s\n",
		       text(alg, "driver"), (long long)number(alg, "priority"),
		       text(alg, "selftest"));
		printf("    in use by  %lld\n",
		       (long long)number(alg, "users"));
		printf("    offloaded  %lld requests, %lld bytes\n",
		       (long long)number(alg, "requests_offloaded"),
		       (long long)number(alg, "bytes_offloaded"));
		printf("    inline     %lld requests, %lld bytes\n",
		       (long long)number(alg, "requests_inline"),
		       (long long)number(alg, "bytes_inline"));
	}
	if (text(status, "sas_error")[0])
		printf("\nSAs: %s\n", text(status, "sas_error"));
	sas_print(json_object_get(status, "sas"));
}
