/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prometheus' text format: metrics with HELP and TYPE, and their samples.
 *
 * All samples of a metric have to stand together. So they are gathered by metric
 * first: an object of metrics, each with its type, its help and its lines.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_REPORT_EXPOSITION_H
#define WAVECRYPT_REPORT_EXPOSITION_H

#include <jansson.h>

/** LABELS - room for a sample's labels */
#define LABELS	768

/**
 * struct metric - a metric
 * @name: its name, with its unit, and "_total" if it is a counter
 * @type: "counter", "gauge" or "histogram"
 * @help: what it is
 */
struct metric {
	const char *name;
	const char *type;
	const char *help;
};

/**
 * label - append key="value" to labels, as the format escapes it
 *
 * As much of the value as there is room for; without room for the key, nothing.
 */
void label(char labels[LABELS], const char *key, const char *value);

/** expose - add a sample of a metric that is no histogram */
void expose(json_t *metrics, const struct metric *m, const char *labels,
	    double value);

/**
 * expose_histogram - ranges that end at so much become buckets of all up to there
 * @metrics: where
 * @m: which
 * @ranges: counters by the range's end; the last range has none
 * @unit: what an end is multiplied by
 * @labels: of all lines
 * @sum: of the values counted
 */
void expose_histogram(json_t *metrics, const struct metric *m,
		      const json_t *ranges, double unit, const char *labels,
		      double sum);

/** exposition - all of it as text, to be freed; NULL: no memory */
char *exposition(const json_t *metrics);

#endif
