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

#include "ctl/hazards.h"
#include "ctl/sas.h"
#include "ctl/verdict.h"
#include "ctl/work.h"
#include "report/json.h"
#include "wavecrypt.h"

/* Closer together than this, in seconds, two looks are one. */
#define ONE_LOOK	0.001

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
	if (alg && !number(alg, "priority"))
		return say(false,
			   "Not accelerated: retired (UPGRADING in wavecryptctl(8) says how to load it anew)");
	if (alg)
		return say(false, "Not accelerated: for %s the kernel prefers %s",
			   text(alg, "name"), text(alg, "preferred"));
	return say(true, "%s", "");
}

/* Some algorithm's, whatever SA they are of */
static bool in_use(const json_t *algs)
{
	const json_t *alg;
	size_t i;

	json_array_foreach(algs, i, alg)
		if (number(alg, "users"))
			return true;
	return false;
}

/**
 * struct lately - what has happened between two looks
 * @seconds: between them; 0: there was only one
 * @work: meanwhile
 */
struct lately {
	double seconds;
	struct work work;
};

static struct lately look_back(const json_t *before, const json_t *after)
{
	struct lately l = {
		.seconds = real(after, "time") - real(before, "time"),
	};

	/* What could not be seen then has not all happened since. */
	if (l.seconds < ONE_LOOK ||
	    (json_object_get(after, "filtered") &&
	     json_object_get(before, "partial")))
		return (struct lately) { 0 };
	l.work = work_between(before, after);
	return l;
}

/* What the kernel did at once, though it need not have */
static long long light(const struct work *w)
{
	return w->here - w->held;
}

static long long all_of(const struct work *w)
{
	return w->offloaded + w->redone + w->here;
}

/* What the helper had, and did not do, though it was to */
static long long undone(const struct work *w)
{
	return w->redone - work_forged(w);
}

/* The helper did nothing, and not for want of requests. @when: that was so */
static struct verdict judge_idle(const char *when, const struct work *w, long long pid)
{
	if (undone(w) > light(w))
		return say(false,
			   "Not accelerated: %s %lld of %lld requests came back from the helper (process %lld) for the kernel to do, and it did none",
			   when, undone(w), all_of(w), pid);
	if (light(w) && w->redone)
		return say(true,
			   "Ready: %s %lld of %lld requests were light enough for the kernel to do at once, %lld came back from the helper (process %lld)",
			   when, light(w), all_of(w), (long long)w->redone, pid);
	if (light(w))
		return say(true,
			   "Ready: %s each of %lld requests was light enough for the kernel to do at once",
			   when, light(w));
	if (work_forged(w))
		return say(true,
			   "Ready: %s %lld of %lld requests came back from the helper (process %lld) as forged packets do, and it had no others",
			   when, work_forged(w), all_of(w), pid);
	return say(false,
		   "Not accelerated: %s each of %lld requests was one that is not offloaded",
		   when, (long long)w->held);
}

static struct verdict judge_now(const struct lately *l, long long pid)
{
	const struct work *w = &l->work;
	char when[40];

	if (w->offloaded)
		return say(true,
			   "Accelerated: in the last %.1f s %lld of %lld requests went to the helper (process %lld)",
			   l->seconds, (long long)w->offloaded,
			   all_of(w), pid);
	snprintf(when, sizeof(when), "in the last %.1f s", l->seconds);
	return judge_idle(when, w, pid);
}

/* Lately, nothing has happened, or nobody knows. */
static struct verdict judge_so_far(const struct lately *l, const struct work *w,
				   long long pid)
{
	if (!all_of(w))
		return say(true, "Ready: there was no request so far");
	if (!w->offloaded)
		return judge_idle("so far", w, pid);
	if (!l->seconds)
		return say(true,
			   "Accelerated: %lld requests went to the helper (process %lld) so far, %lld were light enough for the kernel to do at once",
			   (long long)w->offloaded, pid, light(w));
	return say(true,
		   "Ready: no traffic in the last %.1f s; before, %lld requests went to the helper (process %lld), and %lld were light enough for the kernel to do at once",
		   l->seconds, (long long)w->offloaded, pid, light(w));
}

static struct verdict judge_traffic(const struct lately *l, const json_t *status)
{
	long long pid = number(json_object_get(status, "module"), "helper_pid");
	struct work all = work_so_far(status);

	if (!in_use(json_object_get(status, "algorithms")))
		return say(true,
			   "Ready, but nothing uses it yet. An SA that is older than the module keeps its driver until it is rekeyed");
	if (all_of(&l->work))
		return judge_now(l, pid);
	return judge_so_far(l, &all, pid);
}

/* Is there a direction that is not offloaded, whatever comes? */
static struct verdict judge_hazards(struct verdict v, const json_t *hazards)
{
	const json_t *encrypt = hazards_hold(hazards, "encrypt");
	const json_t *decrypt = hazards_hold(hazards, "decrypt");
	const json_t *held = encrypt ? encrypt : decrypt;

	if (!held)
		return v;
	if (encrypt && decrypt)
		return say(false,
			   "Not accelerated: bugs of this kernel (%s; %s) keep both directions from being offloaded",
			   text(encrypt, "name"), text(decrypt, "name"));
	return say(v.good, "%s. No %s is offloaded, because of a bug of this kernel (%s)",
		   v.line, hazard_direction(held), text(held, "name"));
}

/* A ready driver that serves nobody is of no use. */
static struct verdict judge_sas(struct verdict v, const json_t *status)
{
	struct sas_count n = sas_count(json_object_get(status, "sas"),
				       json_object_get(status, "algorithms"));

	if (!v.good)
		return v;
	if (sas_none(&n))
		return say(false,
			   "Not accelerated: of %zu SA%s wavecrypt can offload none%s; why is said of each below",
			   n.all, n.all == 1 ? "" : "s",
			   n.otherwise < n.all ? " that has carried packets" : "");
	if (n.otherwise)
		return say(true, "%s. Of %zu SAs wavecrypt cannot offload %zu", v.line,
			   n.all, n.otherwise);
	return v;
}

/* Of those that were asked for there is none, as far as can be seen. */
static struct verdict judge_absent(const json_t *status)
{
	const char *unseen = text(status, "sas_error");
	const char *unnamed = text(status, "children_error");

	if (unseen[0])
		return say(false,
			   "Nobody knows whether it is accelerated: SAs cannot be seen (%s)",
			   unseen);
	if (json_object_get(status, "partial"))
		return say(false,
			   "Not accelerated: there is no such SA, unless by a name, and names are not known (%s)",
			   unnamed);
	return say(false, "Not accelerated: there is no such SA");
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
		v = judge_absent(status);
	if (v.good)
		v = judge_hazards(judge_traffic(&l, status),
				  json_object_get(status, "hazards"));
	v = judge_sas(v, status);
	json_object_set_new(status, "accelerated", json_boolean(v.good));
	json_object_set_new(status, "summary", json_string(v.line));
	if (!l.seconds)
		return;
	json_object_set_new(status, "now",
			    json_pack("{s:f, s:I, s:I, s:I}", "seconds", l.seconds,
				      "offloaded", l.work.offloaded,
				      "redone", l.work.redone,
				      "inline", l.work.here));
	if (sas && !json_object_get(before, "partial"))
		sas_rates(sas, json_object_get(before, "sas"), l.seconds);
}
