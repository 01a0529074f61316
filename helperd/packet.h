/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A request between its descriptor and its completion.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_PACKET_H
#define WAVECRYPT_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "channel.h"

struct queue;

/**
 * PACKET_MAX_LEN - longest AAD plus payload that is believed
 *
 * SIMD managers count a lane's remaining length in 16 bits.
 */
#define PACKET_MAX_LEN	65280u

/**
 * struct packet - a checked copy of a descriptor
 * @data: the payload
 * @key: entry in the key table
 * @iv: IV or pre-counter block, still in the descriptor
 * @len: bytes of payload
 * @gen: the request's generation
 * @key_index: index of @key
 * @key_gen: generation of @key
 * @index: index in its queue
 * @queue: number of the queue among those of its worker
 * @aad_len: bytes of AAD before @data
 * @alg: &enum wavecrypt_alg
 * @op: &enum wavecrypt_op
 * @key_len: bytes of AES key
 * @status: &enum wavecrypt_status, once completed
 * @busy: between taken and completed
 */
struct packet {
	uint8_t *data;
	const struct wavecrypt_key *key;
	const uint8_t *iv;
	uint32_t len;
	uint32_t gen;
	uint32_t key_index;
	uint32_t key_gen;
	uint16_t index;
	uint16_t queue;
	uint16_t aad_len;
	uint8_t alg;
	uint8_t op;
	uint8_t key_len;
	uint8_t status;
	bool busy;
};

/**
 * packet_load - take over and check a descriptor
 * @p: the packet; @index and @queue are set already
 * @ch: channel
 * @q: the queue that it arrived on
 *
 * Return: false if the request is not one that we understand: bad algorithm,
 * direction or lengths, data outside of the queue's slots, no such key, or a
 * key that has gone. @gen is valid even then, so that it can be answered.
 */
bool packet_load(struct packet *p, const struct channel *ch,
		 const struct queue *q);

#endif
