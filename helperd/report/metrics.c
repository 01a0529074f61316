// SPDX-License-Identifier: GPL-2.0-only
/*
 * All samples of a metric have to stand together. So they are gathered by
 * metric first: an object of metrics, each with its type and its lines.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "report/json.h"
#include "report/metrics.h"

#define LABELS	768
#define SECONDS_PER_NS	0.000000001

/* Append key="value", as the format escapes it. */
static void label(char *labels, const char *key, const char *value)
{
	char *to = labels + strlen(labels);
	char *end = labels + LABELS - 4;

	to += snprintf(to, end - to, "%s%s=\"", to == labels ? "" : ",", key);
	for (; *value && to < end; value++) {
		if (*value == '\n' || *value == '"' || *value == '\\')
			*to++ = '\\';
		*to++ = *value == '\n' ? 'n' : *value;
	}
	strcpy(to, "\"");
}

static json_t *metric(json_t *metrics, const char *name, const char *type)
{
	json_t *m = json_object_get(metrics, name);

	if (!m) {
		m = json_pack("{s:s, s:[]}", "type", type, "lines");
		json_object_set_new(metrics, name, m);
	}
	return json_object_get(m, "lines");
}

static void put_line(json_t *metrics, const char *name, const char *type,
		     const char *suffix, const char *labels, const char *value)
{
	bool bare = !labels[0];
	json_t *lines = metric(metrics, name, type);

	json_array_append_new(lines, json_sprintf("%s%s%s%s%s %s", name, suffix,
						  bare ? "" : "{", labels,
						  bare ? "" : "}", value));
}

static void put(json_t *metrics, const char *name, const char *type,
		const char *labels, json_int_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	put_line(metrics, name, type, "", labels, text);
}

/* Every integer of an object is a counter, but those of a state. */
static void put_counters(json_t *metrics, const json_t *counters,
			 const char *prefix, const char *labels)
{
	const char *key;
	char name[128];
	json_t *value;

	json_object_foreach((json_t *)counters, key, value) {
		bool gauge = !strcmp(key, "depth") || !strcmp(key, "stall_ms");

		if (!json_is_integer(value))
			continue;
		snprintf(name, sizeof(name), "wavecrypt_%s%s%s", prefix, key,
			 gauge ? "" : "_total");
		put(metrics, name, gauge ? "gauge" : "counter", labels,
		    json_integer_value(value));
	}
}

/* Its directories are "queueN" and "ALGORITHM.DIRECTION". */
static void put_module(json_t *metrics, const json_t *module)
{
	const char *dir;
	json_t *counters;

	json_object_foreach((json_t *)module, dir, counters) {
		const char *dot = strrchr(dir, '.');
		char labels[LABELS] = "", alg[128];

		if (!strncmp(dir, "queue", 5)) {
			label(labels, "queue", dir + 5);
			put_counters(metrics, counters, "queue_", labels);
		} else if (dot) {
			snprintf(alg, sizeof(alg), "%.*s", (int)(dot - dir),
				 dir);
			label(labels, "algorithm", alg);
			label(labels, "direction", dot + 1);
			put_counters(metrics, counters, "", labels);
		}
	}
}

/**
 * put_histogram - ranges that end at so much become buckets of all up to there
 * @metrics: where
 * @name: of the metric
 * @ranges: counters by the range's end; the last range has none
 * @unit: what an end is multiplied by
 * @labels: of all lines
 * @sum: of the values counted
 */
static void put_histogram(json_t *metrics, const char *name,
			  const json_t *ranges, double unit,
			  const char *labels, double sum)
{
	size_t i = 0, nr = json_object_size(ranges);
	json_int_t all = 0;
	const char *end;
	char value[32];
	json_t *n;

	json_object_foreach((json_t *)ranges, end, n) {
		char with[LABELS], le[32] = "+Inf";

		all += json_integer_value(n);
		if (++i < nr)
			snprintf(le, sizeof(le), "%.9g", atof(end) * unit);
		strcpy(with, labels);
		label(with, "le", le);
		snprintf(value, sizeof(value), "%lld", (long long)all);
		put_line(metrics, name, "histogram", "_bucket", with, value);
	}
	snprintf(value, sizeof(value), "%.9g", sum);
	put_line(metrics, name, "histogram", "_sum", labels, value);
	snprintf(value, sizeof(value), "%lld", (long long)all);
	put_line(metrics, name, "histogram", "_count", labels, value);
}

static void put_worker(json_t *metrics, size_t i, const json_t *worker)
{
	const json_t *device = json_object_get(worker, "device"), *ranges;
	char labels[LABELS] = "", number_of[24], with[LABELS];
	const char *kind, *end;
	json_t *n;

	snprintf(number_of, sizeof(number_of), "%zu", i);
	label(labels, "worker", number_of);
	put_counters(metrics, worker, "worker_", labels);
	put_counters(metrics, device, "worker_device_", labels);
	put_histogram(metrics, "wavecrypt_worker_chunk_packets",
		      json_object_get(worker, "chunk_sizes"), 1, labels,
		      number(worker, "packets") - number(device, "packets"));
	put_histogram(metrics, "wavecrypt_worker_turn_seconds",
		      json_object_get(worker, "turn_ns"), SECONDS_PER_NS, labels,
		      number(worker, "busy_ns") * SECONDS_PER_NS);
	json_object_foreach(json_object_get(worker, "bins"), kind, ranges) {
		json_object_foreach((json_t *)ranges, end, n) {
			strcpy(with, labels);
			label(with, "kind", kind);
			label(with, "up_to_bytes", end);
			put(metrics, "wavecrypt_worker_bin_packets_total",
			    "counter", with, json_integer_value(n));
		}
	}
}

static void put_sa(json_t *metrics, const json_t *sa)
{
	static const char *const keys[] = {
		"spi", "src", "dst", "direction", "algorithm", "driver",
	};
	static const char *const ways[] = { "inline", "offloaded", "redone" };
	char labels[LABELS] = "", with[LABELS], name[32];

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		label(labels, keys[i], text(sa, keys[i]));
	put(metrics, "wavecrypt_sa_accelerated", "gauge", labels,
	    json_is_true(json_object_get(sa, "accelerated")));
	put(metrics, "wavecrypt_sa_packets_total", "counter", labels,
	    number(sa, "packets"));
	put(metrics, "wavecrypt_sa_bytes_total", "counter", labels,
	    number(sa, "bytes"));
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		snprintf(name, sizeof(name), "packets_%s", ways[i]);
		if (!json_object_get(sa, name))
			continue;
		strcpy(with, labels);
		label(with, "way", ways[i]);
		put(metrics, "wavecrypt_sa_way_packets_total", "counter", with,
		    number(sa, name));
	}
}

/* What is so, not how much. */
static void put_state(json_t *metrics, const json_t *stats)
{
	char labels[LABELS] = "";

	put(metrics, "wavecrypt_module_loaded", "gauge", "",
	    json_is_true(json_object_get(stats, "loaded")));
	put(metrics, "wavecrypt_helper_live", "gauge", "",
	    !strcmp(text(stats, "state"), "live"));
	put(metrics, "wavecrypt_helper_answers", "gauge", "",
	    !!json_object_get(stats, "workers"));
	if (!json_object_get(stats, "workers"))
		return;
	label(labels, "version", text(stats, "version"));
	label(labels, "backend", text(stats, "backend"));
	put(metrics, "wavecrypt_helper_info", "gauge", labels, 1);
}

static char *as_text(const json_t *metrics)
{
	const json_t *m, *line;
	char *buffer = NULL;
	const char *name;
	size_t size, i;
	FILE *f = open_memstream(&buffer, &size);

	if (!f)
		return NULL;
	json_object_foreach((json_t *)metrics, name, m) {
		fprintf(f, "# TYPE %s %s\n", name, text(m, "type"));
		json_array_foreach(json_object_get(m, "lines"), i, line)
			fprintf(f, "%s\n", json_string_value(line));
	}
	if (fclose(f)) {
		free(buffer);
		return NULL;
	}
	return buffer;
}

char *metrics_text(const json_t *stats)
{
	json_t *metrics = json_object();
	const json_t *item;
	char *all;
	size_t i;

	put_state(metrics, stats);
	put_module(metrics, json_object_get(stats, "module"));
	json_array_foreach(json_object_get(stats, "workers"), i, item)
		put_worker(metrics, i, item);
	json_array_foreach(json_object_get(stats, "sas"), i, item)
		put_sa(metrics, item);
	all = as_text(metrics);
	json_decref(metrics);
	return all;
}
