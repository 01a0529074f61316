/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prometheus' text format.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_REPORT_METRICS_H
#define WAVECRYPT_REPORT_METRICS_H

#include <jansson.h>

/**
 * metrics_text - counters as metrics
 * @stats: what stats_join() said, perhaps with "sas" of sas_collect()
 *
 * A counter that this program does not know becomes a metric like any other.
 *
 * Return: the text, to be freed; NULL: no memory.
 */
char *metrics_text(const json_t *stats);

#endif
