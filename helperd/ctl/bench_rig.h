/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lanes, and packets for them whose results are known.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_BENCH_RIG_H
#define WAVECRYPT_CTL_BENCH_RIG_H

#include <stdbool.h>
#include <stdint.h>

/** BENCH_PACKETS - most packets at a time */
#define BENCH_PACKETS	64

/** BENCH_LENGTHS - how many lengths are checked */
#define BENCH_LENGTHS	4

/** BENCH_TAG - bytes of ICV that are compared: IPsec's 96 bits */
#define BENCH_TAG	12

/** bench_lengths - those lengths */
extern const uint32_t bench_lengths[BENCH_LENGTHS];

/**
 * struct bench_vector - what has to come out
 * @alg: &enum wavecrypt_alg
 * @key_len: bytes of the cipher's key
 * @tag: by length, the beginning of the ICV of the packet when it is encrypted.
 *	What is authenticated is the ciphertext, so if it is right, that is.
 */
struct bench_vector {
	uint8_t alg;
	uint8_t key_len;
	uint8_t tag[BENCH_LENGTHS][BENCH_TAG];
};

/** bench_vectors - one for each algorithm and key size; the last is of no algorithm */
extern const struct bench_vector bench_vectors[];

/** bench_vector_of - that of a kind of packets, or NULL */
const struct bench_vector *bench_vector_of(unsigned int kind);

/** BENCH_AAD - bytes of AAD */
#define BENCH_AAD	8

struct bench_rig;

/** bench_rig_open - the daemon's SIMD lanes; NULL with a message logged */
struct bench_rig *bench_rig_open(void);

/** bench_rig_name - how they are set up, for people */
const char *bench_rig_name(void);

/**
 * bench_rig_check - do they encrypt and decrypt as they should?
 * @rig: the lanes
 * @v: what has to come out
 *
 * With as many packets at a time as there can be, of every length.
 */
bool bench_rig_check(struct bench_rig *rig, const struct bench_vector *v);

/**
 * bench_rig_speed - how fast are they?
 * @rig: the lanes
 * @kind: algorithm, direction and key size
 * @nr: packets at a time
 *
 * Return: bits of payload per second, of full-sized packets.
 */
double bench_rig_speed(struct bench_rig *rig, unsigned int kind, uint32_t nr);

/** BENCH_MAY_PAY - a gain below is lost on the way to the daemon and back */
#define BENCH_MAY_PAY	1.3

/**
 * struct bench_speed - bits of payload per second
 * @one: with one packet at a time
 * @many: with BENCH_PACKETS
 * @gain: the one by the other; 0 if there is none
 */
struct bench_speed {
	double one;
	double many;
	double gain;
};

/** bench_rig_measure - what batches gain for a kind of packets */
struct bench_speed bench_rig_measure(struct bench_rig *rig, unsigned int kind);

/** bench_rig_close - free it */
void bench_rig_close(struct bench_rig *rig);

#endif
