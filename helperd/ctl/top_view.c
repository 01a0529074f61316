// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rates: what two samples differ by, over the time between them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "ctl/growth.h"
#include "ctl/top.h"
#include "ctl/verdict.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "report/json.h"

json_t *top_sample(const struct ctl *c)
{
	json_t *sample = stats_collect(c);

	json_object_set_new(sample, "status", status_look(c));
	return sample;
}

static double rate(const json_t *before, const json_t *after, const char *name,
		   double interval)
{
	return growth(number(before, name), number(after, name)) / interval;
}

static void set_rate(json_t *to, const char *as, const json_t *before,
		     const json_t *after, const char *name, double interval)
{
	json_object_set_new(to, as,
			    json_real(rate(before, after, name, interval)));
}

static void add(json_t *to, const char *key, double value)
{
	json_object_set_new(to, key, json_real(real(to, key) + value));
}

static bool has_requests(const json_t *counters)
{
	return number(counters, "requests_inline") ||
	       number(counters, "requests_offloaded") ||
	       number(counters, "redone") || number(counters, "rechecked");
}

/* The module's counters, by algorithm and direction, where there is anything */
static json_t *algorithms(const json_t *before, const json_t *after,
			  double interval, json_t *ways)
{
	json_t *all = json_object(), *counters;
	const char *dir;

	json_object_foreach((json_t *)after, dir, counters) {
		const json_t *old = json_object_get(before, dir);
		json_t *alg;

		if (!strchr(dir, '.') || !has_requests(counters))
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

/* How long requests took, by the way that they went, of all queues */
static json_t *latencies(const json_t *before, const json_t *after,
			 double interval)
{
	static const char *const files[] = {
		"inline_latency_ns", "offload_latency_ns",
	};
	json_t *all = json_object(), *queue;
	const char *dir;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		json_t *ranges = json_object();

		json_object_foreach((json_t *)after, dir, queue)
			add_ranges(ranges,
				   json_object_get(json_object_get(before, dir),
						   files[i]),
				   json_object_get(queue, files[i]), interval);
		json_object_del(ranges, "sum");
		json_object_set_new(all, files[i], ranges);
	}
	return all;
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

/* What there is of each device, and its rates */
static json_t *devices(const json_t *before, const json_t *after,
		       double interval)
{
	json_t *all = json_array();
	const json_t *new;
	size_t i;

	json_array_foreach(after, i, new) {
		const json_t *old = json_array_get(before, i);
		json_t *device = json_copy((json_t *)new);

		add(device, "bits", 8 * rate(old, new, "bytes", interval));
		set_rate(device, "packets", old, new, "packets", interval);
		json_array_append_new(all, device);
	}
	return all;
}

static int busier(const void *a, const void *b)
{
	double x = real(*(json_t *const *)a, "packets_per_s");
	double y = real(*(json_t *const *)b, "packets_per_s");

	return (x < y) - (x > y);
}

/* The busiest first, and no more than anybody looks at */
static json_t *busiest(const json_t *all)
{
	size_t nr = json_array_size(all), i;
	json_t **sorted = calloc(nr + 1, sizeof(*sorted)), *sa;
	json_t *some = json_array();

	if (!sorted)
		return some;
	json_array_foreach(all, i, sa)
		sorted[i] = sa;
	qsort(sorted, nr, sizeof(*sorted), busier);
	for (i = 0; i < nr && i < TOP_SAS; i++)
		json_array_append(some, sorted[i]);
	free(sorted);
	return some;
}

/* What to compare with: what the helper did not tell then has not all happened since. */
static const json_t *helper_before(const json_t *before, const json_t *after)
{
	return json_object_get(before, "helper_error") ? after : before;
}

/* Why something is missing */
static void set_errors(json_t *view, const json_t *after, const json_t *status)
{
	json_object_set(view, "helper_error",
			json_object_get(after, "helper_error"));
	json_object_set(view, "sas_error", json_object_get(status, "sas_error"));
	json_object_set(view, "children_error",
			json_object_get(status, "children_error"));
}

json_t *top_view(const json_t *before, json_t *after)
{
	const json_t *old = json_object_get(before, "status");
	const json_t *helped = helper_before(before, after);
	json_t *status = json_object_get(after, "status"), *view;
	double interval = real(status, "time") - real(old, "time");
	json_t *ways = json_pack("{s:f, s:f, s:f}", "kernel", 0.0,
				 "lanes", 0.0, "device", 0.0);

	status_judge(status, old);
	if (interval <= 0)
		interval = 1.0 / NSEC_PER_SEC;
	view = json_pack("{s:O?, s:f, s:o}", "summary",
			 json_object_get(status, "summary"), "interval",
			 interval, "ways", ways);
	set_errors(view, after, status);
	json_object_set_new(view, "algorithms",
			    algorithms(json_object_get(before, "module"),
				       json_object_get(after, "module"),
				       interval, ways));
	json_object_set_new(view, "latency",
			    latencies(json_object_get(before, "module"),
				      json_object_get(after, "module"),
				      interval));
	add_workers(view, json_object_get(helped, "workers"),
		    json_object_get(after, "workers"), interval);
	json_object_set_new(view, "devices",
			    devices(json_object_get(helped, "devices"),
				    json_object_get(after, "devices"),
				    interval));
	json_object_set_new(view, "sas",
			    busiest(json_object_get(status, "sas")));
	json_object_set_new(view, "nr_sas",
			    json_integer(json_array_size(json_object_get(status, "sas"))));
	return view;
}
