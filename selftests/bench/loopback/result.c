// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <jansson.h>
#include <stdio.h>

#include "lib/clock.h"
#include "result.h"

static const char *const data_names[] = {
	[PLAYER_CHECK] = "check",
	[PLAYER_COPY] = "copy",
	[PLAYER_NONE] = "none",
};

static double mpps(const struct result *r)
{
	return r->played.packets / r->seconds / 1e6;
}

static double gbit(const struct result *r)
{
	return r->played.bytes * 8 / r->seconds / 1e9;
}

/* A quantile in microseconds. */
static double us(const struct result *r, double q)
{
	return clock_ns_of(histogram_quantile(&r->latency, q)) / 1e3;
}

static double mean_us(const struct result *r)
{
	const struct histogram *h = &r->latency;

	return h->nr ? clock_ns_of(h->sum / h->nr) / 1e3 : 0;
}

/* Worker time that a packet took, waiting for work not counted. */
static double busy_ns(const struct result *r)
{
	return r->daemon.packets ? (double)clock_ns_of(r->daemon.busy_ticks) /
				   r->daemon.packets : 0;
}

/* CPU time of the workers, polling included. */
static double cpu_ns(const struct result *r)
{
	return r->played.packets ? r->cpu_seconds * 1e9 / r->played.packets : 0;
}

static double per_chunk(const struct result *r)
{
	return r->daemon.chunks ? (double)(r->daemon.packets -
					   r->daemon.device_packets) /
				  r->daemon.chunks : 0;
}

static double per_device_chunk(const struct result *r)
{
	return r->daemon.device_chunks ?
	       (double)r->daemon.device_packets / r->daemon.device_chunks : 0;
}

void result_table(const struct result *r, const struct options *o)
{
	printf("%s, %s bytes, %s: %s\n", o->mix_text, o->lengths_text,
	       o->config.backend, r->describe);
	printf("%9s %9s %9s %9s %9s %9s %9s %9s %9s\n", "Gbit/s", "Mpps",
	       "mean us", "p50 us", "p99 us", "p99.9 us", "busy ns", "CPU ns",
	       "per chunk");
	printf("%9.2f %9.3f %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f\n",
	       gbit(r), mpps(r), mean_us(r), us(r, 0.5), us(r, 0.99),
	       us(r, 0.999), busy_ns(r), cpu_ns(r), per_chunk(r));
	if (r->daemon.device_chunks)
		printf("the device: %.1f %% of the packets; a chunk: %.1f, %.1f runs, %.1f apart\n",
		       100.0 * r->daemon.device_packets / r->daemon.packets,
		       per_device_chunk(r),
		       (double)r->daemon.device_runs / r->daemon.device_chunks,
		       (double)r->daemon.device_packed / r->daemon.device_chunks);
	if (r->played.wrong || r->played.retries)
		printf("%llu wrong, %llu given back undone\n",
		       (unsigned long long)r->played.wrong,
		       (unsigned long long)r->played.retries);
}

static json_t *latency_json(const struct result *r)
{
	json_t *curve = json_array();

	/* The distribution, for pictures: where it reaches these shares. */
	for (int i = 1; i < 200; i++)
		json_array_append_new(curve, json_real(us(r, i / 200.0)));
	return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o}",
			 "mean_us", mean_us(r), "p50_us", us(r, 0.5),
			 "p90_us", us(r, 0.9), "p99_us", us(r, 0.99),
			 "p999_us", us(r, 0.999), "max_us", us(r, 1),
			 "min_us", us(r, 0), "curve_us", curve);
}

static json_t *settings_json(const struct options *o)
{
	return json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:s}",
			 "mix", o->mix_text, "length", o->lengths_text,
			 "backend", o->config.backend, "sas", o->sas,
			 "players", o->players, "queues", o->queues,
			 "workers", o->config.workers, "entries", o->config.entries,
			 "depth", o->depth, "rate", o->rate, "gbit", o->gbit,
			 "data", data_names[o->data]);
}

static json_t *device_json(const struct result *r)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f}",
			 "device_packets", (json_int_t)r->daemon.device_packets,
			 "device_bytes", (json_int_t)r->daemon.device_bytes,
			 "device_chunks", (json_int_t)r->daemon.device_chunks,
			 "device_failed", (json_int_t)r->daemon.device_failed,
			 "device_runs", (json_int_t)r->daemon.device_runs,
			 "device_packed", (json_int_t)r->daemon.device_packed,
			 "packets_per_device_chunk", per_device_chunk(r));
}

static json_t *daemon_json(const struct result *r)
{
	json_t *sizes = json_object(), *j;
	char name[16];

	for (int i = 0; i < WORKER_SIZES; i++) {
		snprintf(name, sizeof(name), "%d", 1 << i);
		json_object_set_new(sizes, name,
				    json_integer(r->daemon.sizes[i]));
	}
	j = json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:o}",
		      "packets", (json_int_t)r->daemon.packets,
		      "chunks", (json_int_t)r->daemon.chunks,
		      "bells", (json_int_t)r->daemon.bells,
		      "sleeps", (json_int_t)r->daemon.sleeps,
		      "busy_s", clock_ns_of(r->daemon.busy_ticks) / 1e9,
		      "busy_ns_per_packet", busy_ns(r),
		      "cpu_ns_per_packet", cpu_ns(r),
		      "packets_per_chunk", per_chunk(r), "chunk_sizes", sizes);
	json_object_update_new(j, device_json(r));
	return j;
}

void result_json(const struct result *r, const struct options *o)
{
	json_t *j = json_pack("{s:o, s:s, s:f, s:I, s:I, s:I, s:I, s:f, s:f, s:o, s:o}",
			      "settings", settings_json(o),
			      "backend", r->describe, "seconds", r->seconds,
			      "packets", (json_int_t)r->played.packets,
			      "bytes", (json_int_t)r->played.bytes,
			      "wrong", (json_int_t)r->played.wrong,
			      "retries", (json_int_t)r->played.retries,
			      "gbit", gbit(r), "mpps", mpps(r),
			      "latency", latency_json(r),
			      "daemon", daemon_json(r));

	if (o->label)
		json_object_set_new(j, "label", json_string(o->label));
	json_dumpf(j, stdout, JSON_REAL_PRECISION(6) | JSON_COMPACT);
	putchar('\n');
	json_decref(j);
}
