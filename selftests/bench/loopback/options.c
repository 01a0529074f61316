// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "lib/array.h"
#include "lib/cpulist.h"
#include "options.h"
#include "version.h"

enum {
	OPT_PLAYER_CPUS = 256,
	OPT_COPY,
	OPT_NO_CHECK,
	OPT_NOTHING,
	OPT_WARMUP,
	OPT_SEED,
	OPT_SAMPLES,
	OPT_BURST,
	OPT_BATCH,
	OPT_RETRIES,
	OPT_SLOTS,
	OPT_JSON,
	OPT_LABEL,
};

static const struct argp_option option_table[] = {
	{ NULL, 0, NULL, 0, "What is played:", 1 },
	{ "mix", 'm', "MIX", 0,
	  "ALG[-KEYBITS][-DIRECTION][:WEIGHT],...; six or all: of cbc-sha1 and gcm (cbc-sha1)", 0 },
	{ "length", 'l', "LENGTH", 0,
	  "Payload: BYTES, BYTES-BYTES (random), imix, or pcap:FILE (1408)", 0 },
	{ "sas", 'a', "N", 0, "SAs of each combination (4)", 0 },
	{ "samples", OPT_SAMPLES, "N", 0,
	  "Different packets, played again and again (2048)", 0 },
	{ "seed", OPT_SEED, "N", 0, "For what is random (1)", 0 },
	{ NULL, 0, NULL, 0, "How fast:", 2 },
	{ "depth", 'd', "N", 0,
	  "Most packets in flight on a queue (half of its entries)", 0 },
	{ "rate", 'r', "MPPS", 0,
	  "Open loop: so many million packets a second in all, arriving at random", 0 },
	{ "gbit", 'g', "GBIT", 0, "The same in Gbit/s of payload", 0 },
	{ "burst", OPT_BURST, "N", 0, "Packets that arrive together (1)", 0 },
	{ "batch", OPT_BATCH, "N", 0,
	  "Packets submitted, or results taken, at a time (64)", 0 },
	{ "time", 't', "SECONDS", 0, "How long to measure (2)", 0 },
	{ "warm-up", OPT_WARMUP, "SECONDS", 0, "How long to play before (0.5)", 0 },
	{ NULL, 0, NULL, 0, "By whom:", 3 },
	{ "players", 'p', "N", 0, "Threads that play the kernel (1)", 0 },
	{ "player-cpus", OPT_PLAYER_CPUS, "CPUS", 0,
	  "Where they run (those that no worker has)", 0 },
	{ "queues", 'q', "N", 0, "Queues (one for each player)", 0 },
	{ "workers", 'w', "N", 0,
	  "Worker threads of the daemon (1), at most one for each queue", 0 },
	{ "backend", 'b', "NAME", 0, "Short for --set backend=NAME (cpu)", 0 },
	{ "nothing", OPT_NOTHING, NULL, 0,
	  "Beside the lanes a device that does nothing, to see what scheduling costs", 0 },
	{ "slots", OPT_SLOTS, "close|ethernet|jumbo", 0,
	  "As long as the longest packet, or those that the module has (close)", 0 },
	{ "set", 's', "NAME=VALUE", 0,
	  "A setting of the daemon, see wavecryptd.conf(5)", 0 },
	{ NULL, 0, NULL, 0, "What is done with the packets' bytes:", 4 },
	{ "copy", OPT_COPY, NULL, 0,
	  "Copied in and out, as the module does; not checked", 0 },
	{ "no-check", OPT_NO_CHECK, NULL, 0,
	  "Neither copied nor checked: the daemon alone", 0 },
	{ "allow-retries", OPT_RETRIES, NULL, 0,
	  "Packets that the daemon gives back undone are no error", 0 },
	{ NULL, 0, NULL, 0, "What is said of it:", 5 },
	{ "verbose", 'v', NULL, 0, "What the daemon logs, too", 0 },
	{ "json", OPT_JSON, NULL, 0, "As JSON", 0 },
	{ "label", OPT_LABEL, "TEXT", 0, "Kept in the JSON", 0 },
	{ 0 },
};

static double number(struct argp_state *state, const char *arg, double low,
		     double high)
{
	char *end;
	double n = strtod(arg, &end);

	if (*end || end == arg || !(n >= low && n <= high))
		argp_error(state, "\"%s\": not a number from %g to %g", arg, low,
			   high);
	return n;
}

static void set(struct argp_state *state, struct config *c, const char *line)
{
	struct config_error err;

	if (!config_line(c, line, &err))
		argp_error(state, "--set %s: %s", line, err.text);
}

static void set_backend(struct argp_state *state, struct config *c,
			const char *name)
{
	char line[64];

	snprintf(line, sizeof(line), "backend=%s", name);
	set(state, c, line);
}

static enum options_slots slots(struct argp_state *state, const char *arg)
{
	static const char * const names[] = {
		[OPTIONS_CLOSE] = "close",
		[OPTIONS_ETHERNET] = "ethernet",
		[OPTIONS_JUMBO] = "jumbo",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(arg, names[i]))
			return i;
	argp_error(state, "--slots %s: no such slots", arg);
	return OPTIONS_CLOSE;
}

static error_t parse_more(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case OPT_SEED:
		o->seed = number(state, arg, 0, 1e15);
		return 0;
	case OPT_SAMPLES:
		o->samples = number(state, arg, 1, 1e6);
		return 0;
	case OPT_BURST:
		o->burst = number(state, arg, 1, WAVECRYPT_MAX_ENTRIES);
		return 0;
	case OPT_BATCH:
		o->batch = number(state, arg, 1, WAVECRYPT_MAX_ENTRIES);
		return 0;
	case OPT_WARMUP:
		o->warmup = number(state, arg, 0, 3600);
		return 0;
	case OPT_PLAYER_CPUS:
		if (!cpulist_parse(arg, &o->player_cpus, NULL))
			argp_error(state, "\"%s\": not a list of CPUs", arg);
		return 0;
	case OPT_COPY:
		o->data = PLAYER_COPY;
		return 0;
	case OPT_NO_CHECK:
		o->data = PLAYER_NONE;
		return 0;
	case OPT_NOTHING:
		o->nothing = true;
		o->data = PLAYER_NONE;
		return 0;
	case OPT_RETRIES:
		o->retries = true;
		return 0;
	case OPT_SLOTS:
		o->slots = slots(state, arg);
		return 0;
	case 'v':
		o->verbose = true;
		return 0;
	case OPT_JSON:
		o->json = true;
		return 0;
	case OPT_LABEL:
		o->label = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;
	const char *wrong;

	switch (key) {
	case 'm':
		o->mix_text = arg;
		wrong = mix_parse(&o->mix, arg);
		if (wrong)
			argp_error(state, "--mix %s: %s", arg, wrong);
		return 0;
	case 'l':
		o->lengths_text = arg;
		wrong = lengths_parse(&o->lengths, arg);
		if (wrong)
			argp_error(state, "--length %s: %s", arg, wrong);
		return 0;
	case 'a':
		o->sas = number(state, arg, 1, 4096);
		return 0;
	case 'd':
		o->depth = number(state, arg, 1, WAVECRYPT_MAX_ENTRIES);
		return 0;
	case 'r':
		o->rate = number(state, arg, 0.000001, 1000) * 1e6;
		return 0;
	case 'g':
		o->gbit = number(state, arg, 0.000001, 1e4);
		return 0;
	case 't':
		o->seconds = number(state, arg, 0.001, 3600);
		return 0;
	case 'p':
		o->players = number(state, arg, 1, 1024);
		return 0;
	case 'q':
		o->queues = number(state, arg, 1, 1024);
		return 0;
	case 'w':
		o->config.workers = number(state, arg, 1, 1024);
		return 0;
	case 'b':
		set_backend(state, &o->config, arg);
		return 0;
	case 's':
		set(state, &o->config, arg);
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "unexpected argument \"%s\"", arg);
		return 0;
	default:
		return parse_more(key, arg, state);
	}
}

static const struct argp parser = {
	.options = option_table,
	.parser = parse_option,
	.doc = "Plays the kernel to the wavecrypt daemon's workers, in one process, and measures.\n"
	       "\vEvery result is compared with libcrypto's unless --copy or --no-check says otherwise; "
	       "the exit status is 1 if one was wrong, lost or given back undone.",
};

const char *argp_program_version = "wavecrypt-bench " WAVECRYPT_VERSION;

void options_parse(struct options *o, int argc, char **argv)
{
	memset(o, 0, sizeof(*o));
	config_init(&o->config);
	o->sas = 4;
	o->samples = 2048;
	o->players = 1;
	o->burst = 1;
	o->batch = 64;
	o->seconds = 2;
	o->warmup = 0.5;
	o->seed = 1;
	o->mix_text = "cbc-sha1";
	o->lengths_text = "1408";
	mix_parse(&o->mix, o->mix_text);
	lengths_parse(&o->lengths, o->lengths_text);
	argp_err_exit_status = EX_USAGE;
	argp_parse(&parser, argc, argv, 0, NULL, o);
	if (!o->config.entries)
		o->config.entries = 512;
	if (!o->depth)
		o->depth = o->config.entries / 2;
	if (o->depth > o->config.entries)
		o->depth = o->config.entries;
	if (o->queues < o->players)
		o->queues = o->players;
	if (!o->config.workers)
		o->config.workers = 1;
	if (o->config.workers > o->queues)
		o->config.workers = o->queues;
}
