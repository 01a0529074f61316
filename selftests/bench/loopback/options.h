/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BENCH_OPTIONS_H
#define WAVECRYPT_BENCH_OPTIONS_H

#include "daemon/config.h"
#include "mix.h"
#include "player.h"

/**
 * enum options_slots - what slots are like
 * @OPTIONS_CLOSE: as long as the longest packet, all of them
 * @OPTIONS_ETHERNET: the module's, of an MTU of 1500
 * @OPTIONS_JUMBO: the module's, with jumbo packets
 */
enum options_slots {
	OPTIONS_CLOSE,
	OPTIONS_ETHERNET,
	OPTIONS_JUMBO,
};

/**
 * struct options - what is asked for
 * @config: the daemon's settings
 * @mix: algorithms
 * @lengths: lengths
 * @mix_text: as it was said
 * @lengths_text: as it was said
 * @sas: SAs of each combination
 * @samples: different packets that are played
 * @players: threads that play the kernel
 * @queues: queues
 * @player_cpus: where players run; none: chosen
 * @slots: what slots are like
 * @depth: most packets in flight on each queue
 * @rate: packets a second in all; 0: closed loop
 * @gbit: the same in Gbit/s of payload; 0: not said
 * @burst: packets that arrive together
 * @batch: see &player_config.batch
 * @data: what is done with a packet's bytes
 * @seconds: how long is measured
 * @warmup: how long before
 * @seed: for what is random
 * @nothing: the device is one that does nothing
 * @retries: packets given back undone are no error
 * @verbose: say what the daemon says
 * @json: print JSON
 * @label: put into the JSON
 */
struct options {
	struct config config;
	struct mix mix;
	struct lengths lengths;
	const char *mix_text;
	const char *lengths_text;
	uint32_t sas;
	uint32_t samples;
	uint32_t players;
	uint32_t queues;
	cpu_set_t player_cpus;
	enum options_slots slots;
	uint32_t depth;
	double rate;
	double gbit;
	uint32_t burst;
	uint32_t batch;
	enum player_data data;
	double seconds;
	double warmup;
	uint64_t seed;
	bool nothing;
	bool retries;
	bool verbose;
	bool json;
	const char *label;
};

/** options_parse - read them; explains and ends the program where they are wrong */
void options_parse(struct options *o, int argc, char **argv);

#endif
