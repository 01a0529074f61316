// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>

#include "channel/alg.h"
#include "lib/array.h"
#include "lib/clock.h"
#include "lib/cpulist.h"
#include "report/join.h"
#include "report/json.h"
#include "report/report.h"
#include "report/sysfs.h"
#include "worker/worker.h"

/* Of what the worker has done, the device's part. */
static json_t *device_json(const struct device *dev, const struct worker_stats *st)
{
	uint64_t back = st->device_returned;

	/* One may have come back while they were read. */
	if (back > st->device_chunks)
		back = st->device_chunks;
	return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
			 "name", json_text(dev ? dev->name : ""),
			 "packets", (json_int_t)st->device_packets,
			 "bytes", (json_int_t)st->device_bytes,
			 "chunks", (json_int_t)st->device_chunks,
			 "failed", (json_int_t)st->device_failed,
			 "runs", (json_int_t)st->device_runs,
			 "packed", (json_int_t)st->device_packed,
			 "in_flight", (json_int_t)(st->device_chunks - back));
}

static void add_range(json_t *ranges, int power, uint64_t counter)
{
	char name[24];

	snprintf(name, sizeof(name), "%llu", 1ull << power);
	json_object_set_new(ranges, name, json_integer(counter));
}

/* Counters of ranges that end at powers of two from 1 << @first on, by end; of the rest */
static json_t *ranges_json(const uint64_t *counters, int nr, int first)
{
	json_t *ranges = json_object();

	for (int i = 0; i < nr - 1; i++)
		add_range(ranges, first + i, counters[i]);
	json_object_set_new(ranges, RANGES_REST, json_integer(counters[nr - 1]));
	return ranges;
}

/* No chunk is larger than the last of them. */
static json_t *sizes_json(const uint64_t *counters)
{
	json_t *ranges = json_object();

	for (int i = 0; i < WORKER_SIZES; i++)
		add_range(ranges, i, counters[i]);
	return ranges;
}

/* Kinds of which there were packets */
static json_t *bins_json(const struct worker_stats *st)
{
	json_t *kinds = json_object();

	for (int kind = 0; kind < ALG_KINDS; kind++) {
		uint64_t sum = 0;
		char name[96];

		for (int i = 0; i < WORKER_LENGTHS; i++)
			sum += st->bins[kind][i];
		if (!sum)
			continue;
		snprintf(name, sizeof(name), "%s %s %u",
			 algs[alg_of_kind(kind)].name,
			 alg_op_of_kind(kind) == WAVECRYPT_OP_DECRYPT ?
			 "decrypt" : "encrypt",
			 8 * alg_key_len_of_kind(kind));
		json_object_set_new(kinds, name,
				    ranges_json(st->bins[kind], WORKER_LENGTHS,
						WORKER_LENGTH_FIRST));
	}
	return kinds;
}

static void add_counters(json_t *worker, const struct worker_stats *st)
{
	const struct {
		const char *name;
		uint64_t value;
	} counters[] = {
		{ "packets", st->packets },
		{ "bytes", st->bytes },
		{ "retries", st->retries },
		{ "chunks", st->chunks },
		{ "bells", st->bells },
		{ "sleeps", st->sleeps },
		{ "wakeups", st->wakeups },
		{ "moves", st->moves },
		{ "given", st->given },
		{ "busy_ns", clock_ns_of(st->busy_ticks) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(counters); i++)
		json_object_set_new(worker, counters[i].name,
				    json_integer(counters[i].value));
}

json_t *report_worker(const struct worker *w)
{
	const struct worker_config *wc = worker_config_of(w);
	json_t *queues = json_array(), *worker;
	uint32_t *ids = calloc(worker_crew_queues(w), sizeof(*ids)), nr;
	struct worker_stats st;
	char cpus[CPULIST_SIZE];

	nr = ids ? worker_queues(w, ids) : 0;
	worker_stats_get(w, &st);
	cpulist_format(&wc->cpus, cpus, sizeof(cpus));
	for (uint32_t i = 0; i < nr; i++)
		json_array_append_new(queues, json_integer(ids[i]));
	free(ids);
	worker = json_pack("{s:s, s:o, s:b, s:o, s:o, s:o, s:o}",
			   "cpus", cpus, "queues", queues,
			   "asleep", worker_asleep(w),
			   "chunk_sizes", sizes_json(st.sizes),
			   "bins", bins_json(&st),
			   "turn_ns", ranges_json(st.times, WORKER_TIMES,
						  WORKER_TIME_FIRST),
			   "device", device_json(wc->device, &st));
	if (worker)
		add_counters(worker, &st);
	return worker;
}

json_t *report_stats(json_t *status)
{
	json_t *module = sysfs_module("");
	json_t *stats = stats_join(module, status, NULL);

	stats_mode(stats, sysfs_mode(""));
	json_decref(module);
	json_decref(status);
	return stats;
}
