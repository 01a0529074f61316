/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A backend, and packets for it: what a worker has, without the rest.
 *
 * Everything about the packets follows from their place and length, so that
 * what comes out can be known beforehand.
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
 * @key_len: bytes of AES key
 * @tag: by length, the beginning of the ICV of the packet when it is encrypted.
 *	Both algorithms authenticate the ciphertext, so if it is right, that is.
 */
struct bench_vector {
	uint8_t alg;
	uint8_t key_len;
	uint8_t tag[BENCH_LENGTHS][BENCH_TAG];
};

/** bench_vectors - one for each algorithm and key size */
#define BENCH_VECTORS	6
extern const struct bench_vector bench_vectors[BENCH_VECTORS];

/* The packets' contents, by place */
static inline uint8_t bench_key_byte(uint32_t i)
{
	return i;
}

static inline uint8_t bench_auth_byte(uint32_t i)
{
	return 0x40 + i;
}

static inline uint8_t bench_aad_byte(uint32_t i)
{
	return 0x80 + i;
}

static inline uint8_t bench_iv_byte(uint8_t alg, uint32_t i)
{
	/* A pre-counter block ends in 1 (SP 800-38D, 7.1). */
	return alg == 2 && i >= 12 ? i == 15 : 0xa0 + i;
}

static inline uint8_t bench_payload_byte(uint32_t i)
{
	return i * 31 + 7;
}

/** BENCH_AAD, BENCH_AUTH - bytes of AAD and of HMAC key */
#define BENCH_AAD	8
#define BENCH_AUTH	20

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
 * @v: algorithm and key size
 * @op: &enum wavecrypt_op
 * @nr: packets at a time
 *
 * Return: bits of payload per second, of full-sized packets.
 */
double bench_rig_speed(struct bench_rig *rig, const struct bench_vector *v,
		       uint8_t op, uint32_t nr);

/** bench_rig_close - free it */
void bench_rig_close(struct bench_rig *rig);

#endif
