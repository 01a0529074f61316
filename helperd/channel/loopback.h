/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The loopback transport: a channel without a module.
 *
 * One end is a struct channel, as the daemon knows it. The other is played by
 * whoever created it (a test, a load generator), with the functions below, from
 * one thread per queue. The layout is the ABI's, in a memfd; the daemon's end
 * maps SUBMIT and KEYS read-only, as the module would have it.
 *
 * The module's rule holds here, too: what the daemon writes is checked before
 * it is believed, and a lie breaks the channel.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CHANNEL_LOOPBACK_H
#define WAVECRYPT_CHANNEL_LOOPBACK_H

#include "channel/channel.h"
#include "slots.h"

/**
 * struct loopback_config - how large
 * @queues: number of queues
 * @entries: entries of each ring
 * @keys: size of the key table
 * @slot_size: longest payload, of slots that are all alike; 0: those of the module
 * @slots: which packets these are for
 * @one_view: let both ends use the same addresses. ThreadSanitizer finds races
 *	by address, so it needs that; everything else is better off without.
 */
struct loopback_config {
	uint32_t queues;
	uint32_t entries;
	uint32_t keys;
	uint32_t slot_size;
	enum wavecrypt_slots slots;
	bool one_view;
};

struct loopback;

/** loopback_create - a channel; NULL with errno set */
struct loopback *loopback_create(const struct loopback_config *config);

/** loopback_free - free it; the daemon's end is closed already */
void loopback_free(struct loopback *lb);

/** loopback_channel - the daemon's end; to be closed by its @close once */
struct channel *loopback_channel(struct loopback *lb);

/** loopback_key - an entry of the key table, for writing */
struct wavecrypt_key *loopback_key(struct loopback *lb, uint32_t index);

/** loopback_key_gone - announce that a key was removed or replaced */
void loopback_key_gone(struct loopback *lb, uint32_t index);

/** loopback_set_state - change &enum wavecrypt_state, waking who waits */
void loopback_set_state(struct loopback *lb, uint32_t state);

/**
 * loopback_get - claim a free entry of a queue, the one that the module would
 * @lb: the channel
 * @queue: the queue
 * @len: bytes of payload that its slot is to have room for
 * @index: where to put the entry's index
 *
 * The slot and descriptor may be written until loopback_submit().
 *
 * Return: the descriptor, with @gen and @data filled in, or NULL if all that are
 * large enough are in flight.
 */
struct wavecrypt_desc *loopback_get(struct loopback *lb, uint32_t queue,
				    uint32_t len, uint32_t *index);

/** loopback_slot - payload of an entry */
uint8_t *loopback_slot(struct loopback *lb, uint32_t queue, uint32_t index);

/**
 * loopback_submit - hand a claimed entry over
 *
 * Not seen by the other end before loopback_flush().
 */
void loopback_submit(struct loopback *lb, uint32_t queue, uint32_t index);

/** loopback_flush - let the other end see, and wake it if it sleeps */
void loopback_flush(struct loopback *lb, uint32_t queue);

/**
 * loopback_reap - take one completion
 * @lb: the channel
 * @queue: the queue
 * @index: where to put the index of the entry that was completed
 *
 * The entry is the caller's until loopback_put().
 *
 * Return: &enum wavecrypt_status; -EAGAIN if there is none; -EPROTO if what
 * the other end wrote is a lie. The channel is broken then.
 */
int loopback_reap(struct loopback *lb, uint32_t queue, uint32_t *index);

/** loopback_put - entry is free again */
void loopback_put(struct loopback *lb, uint32_t queue, uint32_t index);

/** loopback_reaped - tell the other end how far we have reaped */
void loopback_reaped(struct loopback *lb, uint32_t queue);

/** loopback_in_flight - entries submitted and not reaped */
uint32_t loopback_in_flight(const struct loopback *lb, uint32_t queue);

/** loopback_bells - bells rung for a queue since the beginning */
uint32_t loopback_bells(const struct loopback *lb, uint32_t queue);

/**
 * loopback_await_bell - sleep until a queue's bell rings
 * @lb: the channel
 * @queue: the queue
 * @known: what loopback_bells() said before the completions were looked for
 * @timeout_ns: longest sleep
 *
 * Return: false if it did not ring.
 */
bool loopback_await_bell(struct loopback *lb, uint32_t queue, uint32_t known,
			 uint64_t timeout_ns);

/** loopback_sleepers - threads of the other end that wait for work right now */
uint32_t loopback_sleepers(const struct loopback *lb);

/**
 * loopback_key_set - fill a key table entry the way the module does at setkey
 * @key: the entry
 * @gen: its generation
 * @alg: &enum wavecrypt_alg
 * @aes: the cipher's key
 * @aes_len: its length: 16, 24 or 32; ChaCha20: 32; without a cipher: 0
 * @auth: HMAC key, if there is an HMAC
 * @auth_len: its length, at most that of the hash's block: 64, SHA-384 and
 *	SHA-512: 128
 *
 * Return: false if there is no such key.
 */
bool loopback_key_set(struct wavecrypt_key *key, uint32_t gen, uint16_t alg,
		      const uint8_t *aes, uint16_t aes_len,
		      const uint8_t *auth, size_t auth_len);

#endif
