/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What does the cryptography: SIMD lanes of the CPU, a GPU.
 *
 * A worker hands chunks to a backend and polls it for finished ones. Nothing
 * in between blocks: a backend that has to wait for a device says so by not
 * returning the chunk yet. One that is synchronous does the work in submit and
 * returns the chunk at the next poll.
 *
 * An instance belongs to one worker thread. What instances share (a device, a
 * compiled program) is the backend's own business.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKEND_H
#define WAVECRYPT_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "channel.h"
#include "packet.h"

/** CHUNK_MAX - most packets in a chunk */
#define CHUNK_MAX	128

/**
 * struct chunk - packets of one bin, longest first, for a backend to work on
 * @alg: &enum wavecrypt_alg of all of them
 * @op: &enum wavecrypt_op of all of them
 * @key_len: bytes of AES key of all of them
 * @nr: how many
 * @bytes: sum of their payloads
 * @packets: the packets. The backend sets each one's @status.
 */
struct chunk {
	uint8_t alg;
	uint8_t op;
	uint8_t key_len;
	uint32_t nr;
	uint64_t bytes;
	struct packet *packets[CHUNK_MAX];
};

/**
 * struct backend_cost - what a chunk costs
 * @fixed_ns: per chunk
 * @packet_ns: per packet
 * @byte_ns: per byte of payload
 */
struct backend_cost {
	double fixed_ns;
	double packet_ns;
	double byte_ns;
};

struct backend;

/**
 * struct backend_ops - a kind of backend
 * @name: as in the configuration
 * @probe: can it work on this machine? NULL, or why not in plain words.
 *	Called once, before any instance; may calibrate.
 * @open: a new instance that works on the channel's arena. NULL: no memory.
 * @submit: take a chunk. It belongs to the backend until polled back.
 *	false: no room for now.
 * @poll: a finished chunk, or NULL
 * @keys_changed: the channel's key epoch moved: wipe what was derived from
 *	keys that are gone
 * @cost: what @probe or recent work measured for one kind of chunk
 * @grain: preferred number of packets is a multiple of this
 * @describe: how it was set up, for people
 * @close: wipe and free an instance; no chunk is with it
 */
struct backend_ops {
	const char *name;
	const char *(*probe)(void);
	struct backend *(*open)(const struct channel *ch);
	bool (*submit)(struct backend *be, struct chunk *chunk);
	struct chunk *(*poll)(struct backend *be);
	void (*keys_changed)(struct backend *be);
	void (*cost)(const struct chunk *chunk, struct backend_cost *cost);
	unsigned int (*grain)(uint8_t alg, uint8_t op);
	const char *(*describe)(void);
	void (*close)(struct backend *be);
};

/**
 * struct backend - an instance; backends embed it
 * @ops: its kind
 */
struct backend {
	const struct backend_ops *ops;
};

/** backends - every kind that was built in, preferred first, NULL at the end */
extern const struct backend_ops *const backends[];

/** backend_find - kind by name, or NULL */
const struct backend_ops *backend_find(const char *name);

#endif
