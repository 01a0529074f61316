// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rates: what two samples differ by, over the time between them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>

#include "ctl/top.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "report/json.h"

json_t *top_sample(const struct ctl *c)
{
	json_t *sample = stats_collect(c), *status = status_collect(c);

	json_object_set(sample, "summary", json_object_get(status, "summary"));
	json_object_set(sample, "sas", json_object_get(status, "sas"));
	json_object_set_new(sample, "time",
			    json_real((double)clock_ns() / NSEC_PER_SEC));
	json_decref(status);
	return sample;
}

/* Of one counter. What was reset counts from 0. */
static double rate(const json_t *before, const json_t *after, const char *name,
		   double interval)
{
	json_int_t a = number(before, name), b = number(after, name);

	return (b >= a ? b - a : b) / interval;
}

static void set_rate(json_t *to, const char *as, const json_t *before,
		     const json_t *after, const char *name, double interval)
{
	json_object_set_new(to, as,
			    json_real(rate(before, after, name, interval)));
}

static double real(const json_t *object, const char *key)
{
	return json_real_value(json_object_get(object, key));
}

static void add(json_t *to, const char *key, double value)
{
	json_object_set_new(to, key, json_real(real(to, key) + value));
}

/* The module's counters, by algorithm and direction */
static json_t *algorithms(const json_t *before, const json_t *after,
			  double interval, json_t *ways)
{
	json_t *all = json_object(), *counters;
	const char *dir;

	json_object_foreach((json_t *)after, dir, counters) {
		const json_t *old = json_object_get(before, dir);
		json_t *alg;

		if (!strchr(dir, '.'))
			continue;
		alg = json_object();
		set_rate(alg, "inline", old, counters, "requests_inline",
			 interval);
		set_rate(alg, "offloaded", old, counters, "requests_offloaded",
			 interval);
		add(alg, "redone", rate(old, counters, "redone", interval) +
				   rate(old, counters, "rechecked", interval));
		add(alg, "bits",
		    8 * (rate(old, counters, "bytes_inline", interval) +
			 rate(old, counters, "bytes_offloaded", interval)));
		add(ways, "kernel", real(alg, "inline") + real(alg, "redone"));
		json_object_set_new(all, dir, alg);
	}
	return all;
}

/* Add the rates of one object of ranges to those of others. */
static void add_ranges(json_t *to, const json_t *before, const json_t *after,
		       double interval)
{
	const char *end;
	json_t *n;

	json_object_foreach((json_t *)after, end, n)
		add(to, end, rate(before, after, end, interval));
}

static void add_bins(json_t *to, const json_t *before, const json_t *after,
		     double interval)
{
	const char *kind;
	json_t *ranges;

	json_object_foreach((json_t *)after, kind, ranges) {
		if (!json_object_get(to, kind))
			json_object_set_new(to, kind, json_object());
		add_ranges(json_object_get(to, kind),
			   json_object_get(before, kind), ranges, interval);
	}
}

static json_t *worker(const json_t *before, const json_t *after,
		      double interval, json_t *ways)
{
	const json_t *old = json_object_get(before, "device");
	const json_t *new = json_object_get(after, "device");
	json_t *w = json_object();

	json_object_set(w, "cpus", json_object_get(after, "cpus"));
	json_object_set(w, "asleep", json_object_get(after, "asleep"));
	set_rate(w, "packets", before, after, "packets", interval);
	set_rate(w, "device_packets", old, new, "packets", interval);
	set_rate(w, "chunks", before, after, "chunks", interval);
	add(w, "bits", 8 * rate(before, after, "bytes", interval));
	add(w, "busy", rate(before, after, "busy_ns", interval) /
		       NSEC_PER_SEC);
	add(ways, "lanes", real(w, "packets") - real(w, "device_packets"));
	add(ways, "device", real(w, "device_packets"));
	return w;
}

static void add_workers(json_t *view, const json_t *before,
			const json_t *after, double interval)
{
	json_t *sizes = json_object(), *times = json_object();
	json_t *bins = json_object(), *workers = json_array();
	const json_t *new;
	size_t i;

	json_array_foreach(after, i, new) {
		const json_t *old = json_array_get(before, i);

		add_ranges(sizes, json_object_get(old, "chunk_sizes"),
			   json_object_get(new, "chunk_sizes"), interval);
		add_ranges(times, json_object_get(old, "turn_ns"),
			   json_object_get(new, "turn_ns"), interval);
		add_bins(bins, json_object_get(old, "bins"),
			 json_object_get(new, "bins"), interval);
		json_array_append_new(workers,
				      worker(old, new, interval,
					     json_object_get(view, "ways")));
	}
	json_object_set_new(view, "chunk_sizes", sizes);
	json_object_set_new(view, "turn_ns", times);
	json_object_set_new(view, "bins", bins);
	json_object_set_new(view, "workers", workers);
}

static const json_t *same_sa(const json_t *sas, const json_t *sa)
{
	const json_t *other;
	size_t i;

	json_array_foreach(sas, i, other)
		if (!strcmp(text(other, "spi"), text(sa, "spi")) &&
		    !strcmp(text(other, "dst"), text(sa, "dst")))
			return other;
	return NULL;
}

static json_t *sas(const json_t *before, const json_t *after, double interval)
{
	static const char *const kept[] = {
		"spi", "direction", "src", "dst", "algorithm", "driver",
		"accelerated",
	};
	json_t *all = json_array();
	const json_t *new;
	size_t i;

	json_array_foreach(after, i, new) {
		const json_t *old = same_sa(before, new);
		json_t *sa = json_object();

		for (size_t k = 0; k < ARRAY_SIZE(kept); k++)
			json_object_set(sa, kept[k],
					json_object_get(new, kept[k]));
		set_rate(sa, "packets", old, new, "packets", interval);
		set_rate(sa, "offloaded", old, new, "packets_offloaded",
			 interval);
		add(sa, "bits", 8 * rate(old, new, "bytes", interval));
		json_array_append_new(all, sa);
	}
	return all;
}

json_t *top_view(const json_t *before, const json_t *after)
{
	double interval = real(after, "time") - real(before, "time");
	json_t *ways = json_pack("{s:f, s:f, s:f}", "kernel", 0.0,
				 "lanes", 0.0, "device", 0.0);
	json_t *view;

	if (interval <= 0)
		interval = 1.0 / NSEC_PER_SEC;
	view = json_pack("{s:O?, s:f, s:o}", "summary",
			 json_object_get(after, "summary"), "interval",
			 interval, "ways", ways);
	json_object_set_new(view, "algorithms",
			    algorithms(json_object_get(before, "module"),
				       json_object_get(after, "module"),
				       interval, ways));
	add_workers(view, json_object_get(before, "workers"),
		    json_object_get(after, "workers"), interval);
	json_object_set_new(view, "sas",
			    sas(json_object_get(before, "sas"),
				json_object_get(after, "sas"), interval));
	return view;
}
