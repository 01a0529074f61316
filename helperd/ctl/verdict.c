// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first line of "status": what matters most of all that is not as it should be,
 * or what has happened lately.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ctl/growth.h"
#include "ctl/sas.h"
#include "ctl/verdict.h"
#include "report/json.h"
#include "wavecrypt.h"

/* Closer together than this, in seconds, two looks are one. */
#define ONE_LOOK	0.001

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

/* Return: what keeps it from being accelerated, if the verdict is not good */
static struct verdict judge_state(const json_t *module, const json_t *algs)
{
	const char *mode = text(module, "mode");
	long long abi = number(module, "abi");
	struct verdict helper;
	const json_t *alg;

	if (!json_is_true(json_object_get(module, "loaded")))
		return say(false, "Not accelerated: the module is not loaded (modprobe wavecrypt)");
	if (!json_array_size(algs))
		return say(false,
			   "Not accelerated: the module has registered no algorithm; the kernel log says why");
	if (json_is_true(json_object_get(module, "drained")))
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
	return say(true, "%s", "");
}

/**
 * struct lately - what has happened between two looks
 * @seconds: between them; 0: there was only one
 * @offloaded: requests, or packets of SAs
 * @here: the same that the kernel did at once
 */
struct lately {
	double seconds;
	json_int_t offloaded;
	json_int_t here;
};

/* Of the SAs that were asked for, if some were; the module does not know of others. */
static struct lately look_back(const json_t *before, const json_t *after)
{
	const json_t *old = json_object_get(before, "algorithms");
	const json_t *new = json_object_get(after, "algorithms");
	const json_t *old_sas = json_object_get(before, "sas");
	const json_t *sas = json_object_get(after, "sas");
	struct lately l = {
		.seconds = real(after, "time") - real(before, "time"),
	};

	if (l.seconds < ONE_LOOK)
		return (struct lately) { 0 };
	if (json_object_get(after, "filtered")) {
		l.offloaded = sas_growth(sas, old_sas, "packets_offloaded");
		l.here = sas_growth(sas, old_sas, "packets_inline");
		return l;
	}
	l.offloaded = growth(sum(old, "requests_offloaded"),
			     sum(new, "requests_offloaded"));
	l.here = growth(sum(old, "requests_inline"), sum(new, "requests_inline"));
	return l;
}

static struct verdict judge_traffic(const struct lately *l, const json_t *algs,
				    long long pid)
{
	long long offloaded = sum(algs, "requests_offloaded");
	long long here = sum(algs, "requests_inline");

	if (!sum(algs, "users"))
		return say(true,
			   "Ready, but nothing uses it yet. An SA that is older than the module keeps its driver until it is rekeyed");
	if (l->offloaded)
		return say(true,
			   "Accelerated: in the last %.1f s %lld of %lld requests went to the helper (process %lld)",
			   l->seconds, (long long)l->offloaded,
			   (long long)(l->offloaded + l->here), pid);
	if (l->here)
		return say(true,
			   "Ready: in the last %.1f s each of %lld requests was light enough for the kernel to do at once",
			   l->seconds, (long long)l->here);
	if (!offloaded)
		return say(true,
			   "Ready: so far every request was light enough for the kernel to do at once");
	if (!l->seconds)
		return say(true,
			   "Accelerated: %lld requests went to the helper (process %lld) so far, %lld were light enough for the kernel to do at once",
			   offloaded, pid, here);
	return say(true,
		   "Ready: no traffic in the last %.1f s; before, %lld requests went to the helper (process %lld), and %lld were light enough for the kernel to do at once",
		   l->seconds, offloaded, pid, here);
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

void status_judge(json_t *status, const json_t *before)
{
	const json_t *module = json_object_get(status, "module");
	const json_t *algs = json_object_get(status, "algorithms");
	json_t *sas = json_object_get(status, "sas");
	struct lately l = look_back(before, status);
	struct verdict v = judge_state(module, algs);

	if (v.good && json_object_get(status, "filtered") &&
	    !json_array_size(sas))
		v = say(false, "Not accelerated: there is no such SA");
	if (v.good)
		v = judge_traffic(&l, algs, number(module, "helper_pid"));
	v = judge_sas(v, sas);
	json_object_set_new(status, "accelerated", json_boolean(v.good));
	json_object_set_new(status, "summary", json_string(v.line));
	if (!l.seconds)
		return;
	json_object_set_new(status, "now",
			    json_pack("{s:f, s:I, s:I}", "seconds", l.seconds,
				      "offloaded", l.offloaded,
				      "inline", l.here));
	if (sas)
		sas_rates(sas, json_object_get(before, "sas"), l.seconds);
}
