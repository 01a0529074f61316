/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The packets that are played, and what has to become of them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BENCH_TRAFFIC_H
#define WAVECRYPT_BENCH_TRAFFIC_H

#include "channel/loopback.h"
#include "mix.h"

/**
 * struct sample - a packet
 * @desc: its descriptor, but for @gen and @data
 * @icv_len: bytes of ICV
 * @in: AAD and payload as submitted
 * @out: payload and ICV as they have to come back
 */
struct sample {
	struct wavecrypt_desc desc;
	uint32_t icv_len;
	uint8_t *in;
	uint8_t *out;
};

/**
 * struct traffic - packets to be played again and again
 * @nr: how many
 * @samples: the packets
 * @keys: number of keys that they use
 */
struct traffic {
	uint32_t nr;
	struct sample *samples;
	uint32_t keys;
};

/**
 * traffic_create - draw packets, and have libcrypto say what becomes of them
 * @t: result
 * @mix: of which algorithms
 * @lengths: how long
 * @sas: number of SAs of each combination
 * @nr: how many
 * @seed: the same packets for the same number
 * @lb: channel whose key table is filled in; it has @sas keys for each
 *	combination
 *
 * Return: false: no memory.
 */
bool traffic_create(struct traffic *t, const struct mix *mix,
		    const struct lengths *lengths, uint32_t sas, uint32_t nr,
		    uint64_t seed, struct loopback *lb);

/** traffic_free - free them */
void traffic_free(struct traffic *t);

#endif
