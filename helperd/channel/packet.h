/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A request between its descriptor and its completion.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CHANNEL_PACKET_H
#define WAVECRYPT_CHANNEL_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "channel/channel.h"

struct queue;

/**
 * PACKET_MAX_LEN - longest AAD plus payload that is believed
 *
 * SIMD managers count a lane's remaining length in 16 bits.
 */
#define PACKET_MAX_LEN	65280u

/**
 * struct packet - a checked copy of a descriptor
 * @gen: the request's generation
 * @offset: of the payload in the SLOTS region
 * @len: bytes of payload
 * @key_index: index of @key
 * @key_gen: generation of @key
 * @aad_len: bytes of AAD before @data
 * @alg: &enum wavecrypt_alg
 * @op: &enum wavecrypt_op
 * @key_len: bytes of the cipher's key
 * @reserved: of the descriptor
 * @auth_len: bytes that are authenticated
 * @slot: number of its slot among all of the channel's
 * @data: the payload
 * @key: entry in the key table
 * @iv: IV or pre-counter block, still in the descriptor
 * @index: index in its queue; never changes
 * @queue: place of its queue in the crew; never changes
 * @status: &enum wavecrypt_status, once completed
 * @busy: between taken and completed
 *
 * Begins like &struct wavecrypt_desc, so that copying is two instructions, and
 * has a line of its own.
 */
struct packet {
	uint32_t gen;
	uint32_t offset;
	uint32_t len;
	uint32_t key_index;
	uint32_t key_gen;
	uint16_t aad_len;
	uint8_t alg;
	uint8_t op;
	uint8_t key_len;
	uint8_t reserved[3];
	uint32_t auth_len;
	uint32_t slot;
	uint8_t *data;
	const struct wavecrypt_key *key;
	const uint8_t *iv;
	uint16_t index;
	uint16_t queue;
	uint8_t status;
	bool busy;
} __attribute__((aligned(WAVECRYPT_LINE)));

_Static_assert(offsetof(struct packet, auth_len) ==
	       offsetof(struct wavecrypt_desc, auth_len),
	       "a packet begins like a descriptor");

/** packet_seq_hi_len - bytes that are authenticated behind the payload: 4 or 0 */
static inline uint32_t packet_seq_hi_len(const struct packet *p)
{
	return p->auth_len ? p->auth_len - p->aad_len - p->len : 0;
}

/** packet_seq_hi - these bytes; still in the descriptor, as the IV */
static inline uint32_t packet_seq_hi(const struct packet *p)
{
	const struct wavecrypt_desc *d = (const void *)(p->iv -
		offsetof(struct wavecrypt_desc, iv));

	return d->seq_hi;
}

/**
 * packet_load - take over and check a descriptor
 * @p: the packet
 * @ch: channel
 * @q: the queue that it arrived on
 *
 * Return: false if the request is not one that we understand: bad algorithm,
 * direction or lengths, data outside of the queue's slots, no such key, or a
 * key that has gone. @gen and @status are set even then, for the answer.
 */
bool packet_load(struct packet *p, const struct channel *ch,
		 const struct queue *q);

/**
 * packet_key_valid - whether a key is what it was when the packet was loaded
 * @p: the packet
 *
 * A key that goes loses its generation first. So this, after an acquire barrier,
 * tells whether what was read of the key before that was the key.
 */
static inline bool packet_key_valid(const struct packet *p)
{
	return __atomic_load_n(&p->key->gen, __ATOMIC_RELAXED) == p->key_gen;
}

#endif
