/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "top": what goes on, now. A sample is everything that is counted; two of them
 * make a view, in which it is by the second; lines are what a view looks like.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_TOP_H
#define WAVECRYPT_CTL_TOP_H

#include "ctl/ctl.h"

/** TOP_SAS - so many SAs are shown, the busiest */
#define TOP_SAS	200

/** top_sample - everything that is counted, as of now */
json_t *top_sample(const struct ctl *c);

/**
 * top_view - what happened between two samples
 * @before: the first
 * @after: the second; its "status" is judged
 *
 * Return: an object of summary, interval (s), ways, algorithms, latency,
 * chunk_sizes, turn_ns, bins, workers, sas (the busiest) and nr_sas (of all); what
 * was counted is per second. Why workers, SAs or names of SAs are missing is in
 * helper_error, sas_error and children_error.
 */
json_t *top_view(const json_t *before, json_t *after);

/**
 * top_lines - a view as text
 * @view: what to show
 * @width: columns, at least 1; no line is longer
 *
 * Return: an array of strings.
 */
json_t *top_lines(const json_t *view, int width);

/** top_run - "top": live in a terminal, or as text or JSON now and then */
int top_run(const struct ctl *c);

#endif
