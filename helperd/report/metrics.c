// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters as metrics: in base units, with what they mean.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/array.h"
#include "report/exposition.h"
#include "report/json.h"
#include "report/metrics.h"
#include "report/metrics_devices.h"
#include "report/metrics_sas.h"
#include "version.h"

#define SECONDS_PER_NS	0.000000001
#define SECONDS_PER_MS	0.001

/**
 * struct known - a counter that needs more than its own name
 * @key: its name
 * @metric: of "wavecrypt_", what it belongs to, and this
 * @help: what it is
 * @gauge: it is a state, and no counter
 * @unit: what it is multiplied by; 0: 1
 */
struct known {
	const char *key;
	const char *metric;
	const char *help;
	bool gauge;
	double unit;
};

static const struct known of_algorithms[] = {
	{ .key = "requests_inline",
	  .help = "Requests that the kernel did at once, and the helper never had." },
	{ .key = "bytes_inline", .help = "Payload of those done inline." },
	{ .key = "requests_offloaded",
	  .help = "Requests that the helper did; redone and rechecked are not among them." },
	{ .key = "bytes_offloaded", .help = "Payload of those that the helper did." },
	{ .key = "redone",
	  .help = "Requests that the helper had and did not do, so that the kernel did." },
	{ .key = "icv_failures",
	  .help = "Packets that were not authentic: forged or damaged." },
	{ .key = "rechecked",
	  .help = "Packets that the helper found forged, looked at once more by the kernel." },
	{ 0 },
};

static const struct known of_queues[] = {
	{ .key = "depth", .gauge = true, .help = "Requests in flight." },
	{ .key = "stall_ms", .metric = "stall_seconds", .gauge = true,
	  .unit = SECONDS_PER_MS,
	  .help = "How long the helper may keep a request at present." },
	{ .key = "batches", .help = "Times that results were found at once." },
	{ .key = "bells", .help = "Times that the helper rang." },
	{ .key = "wakeups", .help = "Times that the helper was woken." },
	{ .key = "interrupts",
	  .help = "Interrupts of this CPU by a helper that goes to sleep." },
	{ .key = "full",
	  .help = "Requests done inline as no slot or place for their key was free." },
	{ .key = "stalls", .help = "Times that the helper was too slow." },
	{ .key = "followed",
	  .help = "Times that an SA moved here, and waited for another CPU." },
	{ .key = "overtook",
	  .help = "Times that it could not wait any longer." },
	{ .key = "pressed",
	  .help = "Requests taken back as too many of an SA were pending." },
	{ 0 },
};

static const struct known of_workers[] = {
	{ .key = "packets", .help = "Packets completed." },
	{ .key = "bytes", .help = "Their payload." },
	{ .key = "retries", .help = "Packets given back undone." },
	{ .key = "chunks", .help = "Batches of the SIMD lanes." },
	{ .key = "bells", .help = "Times that the module was rung." },
	{ .key = "sleeps", .help = "Times that the worker fell asleep." },
	{ .key = "wakeups", .help = "Times that work woke it." },
	{ .key = "moves", .help = "Times that it moved to another CPU." },
	{ .key = "given", .help = "Queues that it gave to other workers." },
	{ .key = "busy_ns", .metric = "busy_seconds", .unit = SECONDS_PER_NS,
	  .help = "Time spent on packets." },
	{ 0 },
};

static const struct known of_devices[] = {
	{ .key = "packets", .help = "Packets that the device did." },
	{ .key = "bytes", .help = "Their payload." },
	{ .key = "chunks", .help = "Batches that it was given." },
	{ .key = "failed", .metric = "failed_chunks",
	  .help = "Batches that it gave back undone." },
	{ .key = "runs",
	  .help = "Runs of neighbouring packets that were copied to it as they lay." },
	{ .key = "packed", .metric = "packed_packets",
	  .help = "Packets that were collected for it one by one." },
	{ .key = "in_flight", .metric = "chunks_in_flight", .gauge = true,
	  .help = "Batches that the device has." },
	{ 0 },
};

static const struct known *find(const struct known *known, const char *key)
{
	while (known->key && strcmp(known->key, key))
		known++;
	return known;
}

/* Every integer of an object is one, be it one that this does not know. */
static void put_counters(json_t *metrics, const json_t *counters,
			 const char *prefix, const struct known *known,
			 const char *labels)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)counters, key, value) {
		const struct known *k = find(known, key);
		char name[128];
		struct metric m = {
			.name = name,
			.type = k->gauge ? "gauge" : "counter",
			.help = k->help ? k->help : "A counter of a later release.",
		};

		if (!json_is_integer(value))
			continue;
		snprintf(name, sizeof(name), "wavecrypt_%s%s%s", prefix,
			 k->metric ? k->metric : key, k->gauge ? "" : "_total");
		expose(metrics, &m, labels,
		       json_integer_value(value) * (k->unit ? k->unit : 1));
	}
}

/* How long requests took, by the way that they went */
static void put_latency(json_t *metrics, const json_t *queue,
			const char *labels)
{
	static const struct metric m = {
		"wavecrypt_queue_latency_seconds", "histogram",
		"How long requests took, of one in 61: done at once, or by the helper until its answer was taken."
	};
	static const struct {
		const char *file;
		const char *way;
	} ways[] = {
		{ "inline_latency_ns", "inline" },
		{ "offload_latency_ns", "offloaded" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		json_t *ranges = json_copy(json_object_get(queue, ways[i].file));
		char with[LABELS];
		double sum = number(ranges, "sum") * SECONDS_PER_NS;

		json_object_del(ranges, "sum");
		strcpy(with, labels);
		label(with, "way", ways[i].way);
		expose_histogram(metrics, &m, ranges, SECONDS_PER_NS, with, sum);
		json_decref(ranges);
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
			put_counters(metrics, counters, "queue_", of_queues,
				     labels);
			put_latency(metrics, counters, labels);
		} else if (dot) {
			snprintf(alg, sizeof(alg), "%.*s", (int)(dot - dir),
				 dir);
			label(labels, "algorithm", alg);
			label(labels, "direction", dot + 1);
			put_counters(metrics, counters, "", of_algorithms,
				     labels);
		}
	}
}

static void add_ranges(json_t *to, const json_t *ranges)
{
	const char *end;
	json_t *n;

	json_object_foreach((json_t *)ranges, end, n)
		json_object_set_new(to, end,
				    json_integer(number(to, end) +
						 json_integer_value(n)));
}

/* Packets by kind, and of all kinds by length */
static void put_bins(json_t *metrics, const json_t *worker, const char *labels)
{
	static const struct metric kinds = {
		"wavecrypt_worker_kind_packets_total", "counter",
		"Packets that were worked on, by algorithm, direction and key size."
	};
	static const struct metric lengths = {
		"wavecrypt_worker_packet_bytes", "histogram",
		"Payload of packets, as of the longest that was worked on with each."
	};
	json_t *all = json_object(), *ranges, *n;
	const char *kind, *end;

	json_object_foreach(json_object_get(worker, "bins"), kind, ranges) {
		char with[LABELS];
		double sum = 0;

		json_object_foreach(ranges, end, n)
			sum += json_integer_value(n);
		strcpy(with, labels);
		label(with, "kind", kind);
		expose(metrics, &kinds, with, sum);
		add_ranges(all, ranges);
	}
	expose_histogram(metrics, &lengths, all, 1, labels,
			 number(worker, "bytes"));
	json_decref(all);
}

static void put_worker(json_t *metrics, size_t i, const json_t *worker)
{
	static const struct metric chunks = {
		"wavecrypt_worker_chunk_packets", "histogram",
		"Packets in a batch of the SIMD lanes."
	};
	static const struct metric turns = {
		"wavecrypt_worker_turn_seconds", "histogram",
		"From finding packets to publishing results."
	};
	const json_t *device = json_object_get(worker, "device");
	char labels[LABELS] = "", number_of[24];

	snprintf(number_of, sizeof(number_of), "%zu", i);
	label(labels, "worker", number_of);
	put_counters(metrics, worker, "worker_", of_workers, labels);
	put_counters(metrics, device, "worker_device_", of_devices, labels);
	expose_histogram(metrics, &chunks,
			 json_object_get(worker, "chunk_sizes"), 1, labels,
			 number(worker, "packets") - number(device, "packets"));
	expose_histogram(metrics, &turns, json_object_get(worker, "turn_ns"),
			 SECONDS_PER_NS, labels,
			 number(worker, "busy_ns") * SECONDS_PER_NS);
	put_bins(metrics, worker, labels);
}

/* 1 for the state that it is in, 0 for the others */
static void put_state(json_t *metrics, const char *state)
{
	static const char *const states[] = {
		"none", "live", "stalled", "broken",
	};
	static const struct metric m = {
		"wavecrypt_helper_state", "gauge",
		"1 for what the module says of its helper."
	};

	for (size_t i = 0; i < ARRAY_SIZE(states); i++) {
		char labels[LABELS] = "";

		label(labels, "state", states[i]);
		expose(metrics, &m, labels, !strcmp(state, states[i]));
	}
}

static void put_fact(json_t *metrics, const char *name, const char *help,
		     const char *labels, bool is)
{
	const struct metric m = { name, "gauge", help };

	expose(metrics, &m, labels, is);
}

/* What is so, not how much. */
static void put_facts(json_t *metrics, const json_t *stats)
{
	const char *mode = text(stats, "mode"), *state = text(stats, "state");
	bool answers = json_object_get(stats, "workers");
	const json_t *preferred = json_object_get(stats, "preferred");
	char version[LABELS] = "", with_mode[LABELS] = "", helper[LABELS] = "";

	label(version, "version", WAVECRYPT_VERSION);
	label(with_mode, "mode", mode);
	label(helper, "version", text(stats, "version"));
	label(helper, "backend", text(stats, "backend"));
	put_fact(metrics, "wavecrypt_build_info",
		 "1, with the version of what made these metrics.", version,
		 true);
	put_fact(metrics, "wavecrypt_module_loaded",
		 "Whether the kernel module is loaded.", "",
		 json_is_true(json_object_get(stats, "loaded")));
	if (mode[0])
		put_fact(metrics, "wavecrypt_module_mode",
			 "1, with the mode of the module: auto, inline, offload.",
			 with_mode, true);
	if (preferred)
		put_fact(metrics, "wavecrypt_module_preferred",
			 "Whether the kernel prefers the module's algorithms: not once it is retired.",
			 "", json_is_true(preferred));
	put_fact(metrics, "wavecrypt_helper_live",
		 "Whether the module has a helper that keeps up.", "",
		 !strcmp(state, "live"));
	if (state[0])
		put_state(metrics, state);
	put_fact(metrics, "wavecrypt_helper_answers",
		 "Whether the daemon answered.", "", answers);
	if (answers)
		put_fact(metrics, "wavecrypt_helper_info",
			 "1, with the version and the backend of the daemon.",
			 helper, true);
}

char *metrics_text(const json_t *stats)
{
	json_t *metrics = json_object();
	const json_t *item;
	char *all;
	size_t i;

	put_facts(metrics, stats);
	put_module(metrics, json_object_get(stats, "module"));
	json_array_foreach(json_object_get(stats, "workers"), i, item)
		put_worker(metrics, i, item);
	metrics_devices(metrics, json_object_get(stats, "devices"));
	metrics_sas(metrics, json_object_get(stats, "sas"));
	all = exposition(metrics);
	json_decref(metrics);
	return all;
}
