/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's part, played over a loopback channel: random packets in, results
 * compared with the reference.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef SELFTESTS_PRODUCER_H
#define SELFTESTS_PRODUCER_H

#include "channel/loopback.h"
#include "reference.h"

/** PRODUCER_KEYS - size of the key table */
#define PRODUCER_KEYS	16

/** PRODUCER_SLOT - longest payload */
#define PRODUCER_SLOT	10240

/**
 * struct producer - a channel and the SAs that use it
 * @lb: the channel
 * @entries: entries of each queue
 * @sas: SAs, by index of their key
 * @gen: generation of each key
 * @expected: for each queue and entry, what should become of it
 */
struct producer {
	struct loopback *lb;
	uint32_t entries;
	struct sa sas[PRODUCER_KEYS];
	uint32_t gen[PRODUCER_KEYS];
	uint8_t **expected;
};

/**
 * producer_init - a channel with @queues queues of @entries entries
 *
 * Keys 0 to 5 are one for each algorithm and key size; the rest are random.
 */
void producer_init(struct producer *p, uint32_t queues, uint32_t entries);

/** producer_exit - free it; the channel's other end is closed already */
void producer_exit(struct producer *p);

/** producer_rekey - give a key table entry a new key and generation */
void producer_rekey(struct producer *p, uint32_t key);

/** producer_give - the same, of any algorithm and key size */
void producer_give(struct producer *p, uint32_t key, uint16_t alg,
		   uint16_t aes_len);

/**
 * struct shape - what a packet is to look like
 * @key: index of its key
 * @op: &enum wavecrypt_op
 * @len: payload
 * @aad_len: AAD
 */
struct shape {
	uint32_t key;
	uint8_t op;
	uint32_t len;
	uint16_t aad_len;
};

/** shape_random - any packet up to @longest bytes that a key fits */
struct shape shape_random(const struct producer *p, uint32_t longest);

/**
 * producer_add - fill an entry with random data and submit it
 *
 * Return: its descriptor, or NULL if the queue is full. Not flushed.
 */
struct wavecrypt_desc *producer_add(struct producer *p, uint32_t queue,
				    const struct shape *shape, uint32_t *index);

/** producer_good - is the entry what it should have become? */
bool producer_good(struct producer *p, uint32_t queue, uint32_t index);

#endif
