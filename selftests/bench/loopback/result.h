/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was measured, and how it is told.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BENCH_RESULT_H
#define WAVECRYPT_BENCH_RESULT_H

#include "options.h"
#include "daemon/registry.h"
#include "worker/worker.h"

/**
 * struct result - one measurement
 * @seconds: how long it took
 * @cpu_seconds: CPU time that the workers, and a device's driver, used
 * @played: what came back in that time
 * @daemon: what the workers did in that time
 * @latency: latencies, in ticks
 * @describe: how the backend describes itself
 */
struct result {
	double seconds;
	double cpu_seconds;
	struct player_stats played;
	struct worker_stats daemon;
	struct histogram latency;
	char describe[BACKEND_TEXT];
};

/** result_table - for people */
void result_table(const struct result *r, const struct options *o);

/** result_json - for programs */
void result_json(const struct result *r, const struct options *o);

#endif
