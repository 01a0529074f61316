/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which algorithms, and how long packets are: as said on the command line.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BENCH_MIX_H
#define WAVECRYPT_BENCH_MIX_H

#include <stdbool.h>
#include <stdint.h>

#include "pcap.h"

/** MIX_MAX - most combinations */
#define MIX_MAX		12

/**
 * struct mix_part - one combination
 * @alg: &enum wavecrypt_alg
 * @op: &enum wavecrypt_op
 * @key_len: bytes of AES key
 * @weight: its share, relative to the others'
 */
struct mix_part {
	uint8_t alg;
	uint8_t op;
	uint8_t key_len;
	uint32_t weight;
};

/**
 * struct mix - what is played
 * @nr: number of combinations
 * @total: sum of their weights
 * @part: the combinations
 */
struct mix {
	uint32_t nr;
	uint32_t total;
	struct mix_part part[MIX_MAX];
};

/**
 * mix_parse - read a mix
 * @mix: result
 * @text: "cbc-sha1", "gcm-256-decrypt:3,cbc-sha1-192-encrypt", "six" or "all".
 *	The key is one of 128 bits and the direction encrypt unless it says
 *	otherwise.
 *
 * Return: NULL, or what is wrong.
 */
const char *mix_parse(struct mix *mix, const char *text);

/** mix_part_name - "cbc-sha1-128-encrypt"; @out has room for 32 */
void mix_part_name(const struct mix_part *part, char *out);

/**
 * enum lengths_kind - how long packets are
 * @LENGTHS_RANDOM: evenly from @low to @high, which may be the same
 * @LENGTHS_IMIX: IP packets of 40, 576 and 1500 bytes, 7 : 4 : 1, as ESP pads
 *	them
 * @LENGTHS_PCAP: those of a capture, as ESP pads them, contents included
 */
enum lengths_kind {
	LENGTHS_RANDOM,
	LENGTHS_IMIX,
	LENGTHS_PCAP,
};

/**
 * struct lengths - lengths of payloads
 * @kind: where they come from
 * @low: shortest, in bytes
 * @high: longest
 * @pcap: the capture
 */
struct lengths {
	enum lengths_kind kind;
	uint32_t low;
	uint32_t high;
	struct pcap pcap;
};

/**
 * lengths_parse - read "1408", "64-1408", "imix" or "pcap:FILE"
 *
 * Return: NULL, or what is wrong.
 */
const char *lengths_parse(struct lengths *l, const char *text);

/** lengths_longest - longest payload that can come of it, ESP's padding included */
uint32_t lengths_longest(const struct lengths *l);

/**
 * lengths_draw - length of a payload
 * @l: from what
 * @alg: for which algorithm: CBC's is a multiple of 16, GCM's of 4
 * @random: a random number
 * @frame: set to the packet of the capture, or NULL
 */
uint32_t lengths_draw(const struct lengths *l, uint8_t alg, uint32_t random,
		      const struct pcap_frame **frame);

#endif
