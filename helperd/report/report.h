/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the daemon tells of itself.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_REPORT_REPORT_H
#define WAVECRYPT_REPORT_REPORT_H

#include <jansson.h>

struct worker;

/** report_worker - a worker, as JSON */
json_t *report_worker(const struct worker *w);

/**
 * report_stats - the daemon's and the module's counters, for metrics_text()
 * @status: what "status" answers; taken
 */
json_t *report_stats(json_t *status);

#endif
