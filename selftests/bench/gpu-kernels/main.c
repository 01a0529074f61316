// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast a GPU runs the kernels alone: packets in its own memory, no copies.
 * Every kernel's every kind of work is first compared with libcrypto.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/alg.h"
#include "device.h"
#include "schedule.h"

#define TIMES	15

static const char usage[] =
"Usage: gpu-kernels [OPTION...]\n"
"\n"
"Times the GPU kernels on an OpenCL device, in its own memory; what the daemon's\n"
"scheduler is worth to them; and the copy engines. Gbit/s are of payload, us a\n"
"launch's. Exits with 1 if a result is wrong.\n"
"\n"
"  --copies         only the copy engines\n"
"  --device NAME    the device whose name contains this, or its number; the first GPU\n"
"  --json FILE      the results for programs to read\n"
"  --keys N         SAs that the packets belong to, in turn; 64\n"
"  --options WORDS  more for the OpenCL compiler\n"
"  --quick          only 4096 packets of 1408 bytes\n";

static const unsigned int sizes[] = { 64, 256, 512, 1408, 8192 };
static const unsigned int chunks[] = { 256, 1024, 4096, 16384, 65536 };

static const struct variant {
	const char *name;
	const char *source;
	const char *kernel;
	const struct wavecrypt_gpu_shape *shape;
	bool only_cbc_encrypt;
	bool only_wide;
} variants[] = {
	{ "wide", wavecrypt_gpu_source, "wavecrypt_batch", &wavecrypt_gpu_wide, false, true },
	{ "narrow", wavecrypt_gpu_source, "wavecrypt_batch", &wavecrypt_gpu_narrow, false, false },
	{ "table", bench_table_source, "wavecrypt_batch", &wavecrypt_gpu_wide, true, true },
};

static FILE *json;
static const char *separator = "";
static bool quick, only_copies;
static unsigned int keys = 64;
static const char *compiler_options = "";

static void die(const char *what)
{
	fprintf(stderr, "gpu-kernels: %s\n", what);
	exit(2);
}

/* Fills the engine with packets of one kind; returns the number of groups, or 0 */
static unsigned int fill(struct batch *batch, unsigned int alg, unsigned int op,
			 unsigned int key_len, unsigned int len, unsigned int packets)
{
	batch_begin(batch, PACKED, 0);
	for (unsigned int i = 0; i < keys; i++)
		batch_key(batch, alg, key_len, false);
	for (unsigned int i = 0; i < packets; i++)
		if (!batch_add(batch, i % keys, op, len,
			       algs[alg].cipher == CIPHER_CBC ? 24 : 8))
			return 0;
	return batch->nr_groups;
}

static void report(const struct variant *variant, unsigned int alg, unsigned int op,
		   unsigned int key_len, unsigned int len, unsigned int packets, double us,
		   double equal_us)
{
	const char *const alg_name = algs[alg].label;
	const char *const op_name = op == WAVECRYPT_OP_ENCRYPT ? "encrypt" : "decrypt";
	const double gbits = 0.008 * len * packets / us;

	printf("%-7s %-17s %s  key %3u %5u B x %5u %9.1f us %8.1f Gbit/s", variant->name,
	       alg_name, op_name, 8 * key_len, len, packets, us, gbits);
	if (equal_us)
		printf("   equal packets: %.3f of that", equal_us / us);
	printf("\n");
	fflush(stdout);
	if (!json)
		return;
	fprintf(json, "%s\n    { \"kernel\": \"%s\", \"alg\": \"%s\", \"op\": \"%s\", ", separator,
		variant->name, alg_name, op_name);
	fprintf(json, "\"key_bits\": %u, \"len\": %u, \"packets\": %u, \"keys\": %u, ",
		8 * key_len, len, packets, keys);
	fprintf(json, "\"us\": %.2f, \"gbit_s\": %.2f", us, gbits);
	if (equal_us)
		fprintf(json, ", \"equal_us\": %.2f", equal_us);
	fprintf(json, " }");
	separator = ",";
}

/* Returns whether the results are right */
static bool measure(struct batch *batch, const struct variant *variant, unsigned int alg,
		    unsigned int op, unsigned int key_len)
{
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (size_t c = 0; c < sizeof(chunks) / sizeof(chunks[0]); c++) {
			const bool usual = sizes[s] == 1408 && chunks[c] == 4096;
			struct engine *engine = batch->engine;
			double us, equal_us = 0;
			unsigned int groups;
			const char *error;

			if (quick && !usual)
				continue;
			groups = fill(batch, alg, op, key_len, sizes[s], chunks[c]);
			if (!groups)	/* more than fits */
				continue;
			if (!batch_run(batch))
				return false;
			error = device_time(engine, groups, false, TIMES, &us);
			if (!error && usual)
				error = device_time(engine, groups, true, TIMES, &equal_us);
			if (error)
				die(error);
			report(variant, alg, op, key_len, sizes[s], chunks[c], us, equal_us);
		}
	return true;
}

static void open_variant(const struct variant *variant, struct engine *engine,
			 struct batch *batch)
{
	const char *error;
	double build_s;

	error = device_start(engine, variant->source, variant->kernel, variant->shape,
			     compiler_options, &build_s);
	if (!error && !batch_init(batch, engine))
		error = "no memory";
	if (error)
		die(error);
	printf("\n%s: built in %.1f s\n", variant->name, build_s);
}

static bool measure_variant(const struct variant *variant)
{
	struct engine engine = { 0 };
	struct batch batch;
	bool right = true;

	open_variant(variant, &engine, &batch);
	for (unsigned int i = 0; i < ALG_KINDS; i++)
		if (alg_kind_exists(i) && alg_key_len_of_kind(i) != 24 &&
		    (!variant->only_cbc_encrypt ||
		     (alg_of_kind(i) == WAVECRYPT_ALG_CBC_SHA1 &&
		      alg_op_of_kind(i) == WAVECRYPT_OP_ENCRYPT)))
			right &= measure(&batch, variant, alg_of_kind(i), alg_op_of_kind(i),
					 alg_key_len_of_kind(i));
	batch_free(&batch);
	engine.close(&engine);
	return right;
}

static void measure_chunk(struct batch *batch, const struct traffic *traffic,
			  enum sched_level level, uint32_t range)
{
	const struct sched_config config = { .level = level, .range = range, .age = 4 };
	const char *const mix = traffic->six ? "six" : "one";
	const char *const lengths = traffic->imix ? "imix" : "random";
	unsigned int groups;
	const char *error;
	uint64_t bytes;
	double us;

	error = schedule_measure(batch, traffic, &config, &bytes, &groups, &us);
	if (error)
		die(error);
	printf("%-3s %-6s %-16s range %5u: %4u groups %9.1f us %8.1f Gbit/s\n", mix, lengths,
	       sched_level_name[level], range, groups, us, 0.008 * bytes / us);
	fflush(stdout);
	if (!json)
		return;
	fprintf(json, "%s\n    { \"mix\": \"%s\", \"lengths\": \"%s\", ", separator, mix, lengths);
	fprintf(json, "\"schedule\": \"%s\", \"range\": %u, ", sched_level_name[level], range);
	fprintf(json, "\"packets\": %u, \"groups\": %u, ", SCHEDULE_CHUNK, groups);
	fprintf(json, "\"us\": %.2f, \"gbit_s\": %.2f }", us, 0.008 * bytes / us);
	separator = ",";
}

/* What sorting is worth, and how finely to sort by length */
static void measure_schedule(void)
{
	const struct variant *variant = &variants[device_is_wide() ? 0 : 1];
	struct engine engine = { 0 };
	struct batch batch;
	const char *error;

	open_variant(variant, &engine, &batch);
	error = schedule_calibrate(&batch);
	if (error)
		die(error);
	for (int i = 0; i < 4; i++) {
		const struct traffic traffic = { .six = i & 1, .imix = i & 2 };

		for (int level = SCHED_NONE; level <= SCHED_ALL; level++)
			measure_chunk(&batch, &traffic, level, 256);
		for (uint32_t range = SCHED_RANGE_MIN; range <= 2048; range *= 2)
			measure_chunk(&batch, &traffic, SCHED_ALL, range);
	}
	batch_free(&batch);
	engine.close(&engine);
}

/* The most that the copy engines move, over some sizes and numbers of copies */
static void measure_copies(void)
{
	const struct variant *variant = &variants[1];
	struct engine engine = { 0 };
	struct batch batch;
	const char *error;
	double gbit;

	open_variant(variant, &engine, &batch);
	for (size_t size = 1u << 20; size <= 8u << 20; size *= 2)
		for (unsigned int queues = 2; queues <= 8; queues *= 2) {
			error = device_copies(size, queues, &gbit);
			if (error)
				die(error);
			printf("copies of %zu MiB, %u queues: %.1f Gbit/s each way\n", size >> 20,
			       queues, gbit);
			if (!json)
				continue;
			fprintf(json, "%s\n    { \"bytes\": %zu, ", separator, size);
			fprintf(json, "\"queues\": %u, \"gbit_s\": %.2f }", queues, gbit);
			separator = ",";
		}
	batch_free(&batch);
	engine.close(&engine);
}

/* Begins a list of results in the JSON. */
static void section(const char *name)
{
	if (json)
		fprintf(json, "%s\n  \"%s\": [", *separator ? "\n  ]," : "", name);
	separator = "";
}

static bool measure_all(void)
{
	bool right = true;

	if (!only_copies) {
		section("results");
		for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
			if (device_is_wide() || !variants[i].only_wide)
				right &= measure_variant(&variants[i]);
		section("schedule");
		measure_schedule();
	}
	section("copies");
	measure_copies();
	return right;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "copies", no_argument, NULL, 'c' },
		{ "device", required_argument, NULL, 'd' },
		{ "json", required_argument, NULL, 'j' },
		{ "keys", required_argument, NULL, 'k' },
		{ "options", required_argument, NULL, 'o' },
		{ "quick", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	const char *device = NULL, *error;
	bool right;
	int option;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (option) {
		case 'c':
			only_copies = true;
			break;
		case 'd':
			device = optarg;
			break;
		case 'j':
			json = fopen(optarg, "w");
			if (!json)
				die("cannot write there");
			break;
		case 'k':
			keys = strtoul(optarg, NULL, 0);
			if (keys < 1 || keys > ENGINE_KEYS)
				die("no such number of keys");
			break;
		case 'o':
			compiler_options = optarg;
			break;
		case 'q':
			quick = true;
			break;
		case 'h':
			fputs(usage, stdout);
			return 0;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	error = device_find(device);
	if (error)
		die(error);
	printf("%s, driver %s\n", device_name(), device_driver());
	if (json)
		fprintf(json, "{\n  \"device\": \"%s\",\n  \"driver\": \"%s\",",
			device_name(), device_driver());
	right = measure_all();
	if (json) {
		fprintf(json, "\n  ],\n  \"right\": %s\n}\n", right ? "true" : "false");
		fclose(json);
	}
	printf("\n%s\n", right ? "all results are right" : "SOME RESULTS ARE WRONG");
	return !right;
}
