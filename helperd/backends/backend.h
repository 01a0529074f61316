/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What does the cryptography: SIMD lanes of the CPU, a GPU.
 *
 * A worker hands chunks to a backend and polls it for finished ones. Nothing
 * in between blocks: a backend that has to wait for a device says so by not
 * returning the chunk yet. One that is synchronous does the work in submit and
 * returns the chunk at the next poll.
 *
 * An instance belongs to one worker thread, and is opened on a device: a GPU, or
 * the processor's lanes. What instances share (a context, a compiled program) is
 * the device's.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_BACKEND_H
#define WAVECRYPT_BACKENDS_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/chunk.h"
#include "channel/channel.h"

struct backend;
struct device;
struct device_status;
struct gpu_list;
struct gpu_settings;

/** CHUNK_MAX - most packets in a chunk for the CPU's lanes */
#define CHUNK_MAX	128

/**
 * struct backend_cost - what work costs, of one kind (algorithm, direction and
 * key size), in nanoseconds
 * @fixed_ns: for each chunk
 * @packet_ns: for each packet
 * @byte_ns: for each byte of payload
 * @delay_ns: until a chunk that had not to wait is done, over and above the
 *	former: what passes while a device's stages follow each other
 * @delay_byte_ns: the same for each byte of the chunk's longest payload
 * @host_ns: of the worker's own time, for each chunk
 * @host_packet_ns: of the worker's own time, for each packet
 *
 * The first three are what a chunk costs while others come right before and
 * after it. For a backend that works in submit they are all there is.
 */
struct backend_cost {
	double fixed_ns;
	double packet_ns;
	double byte_ns;
	double delay_ns;
	double delay_byte_ns;
	double host_ns;
	double host_packet_ns;
};

/**
 * enum backend_state - is an instance fit for work?
 * @BACKEND_GOOD: it is
 * @BACKEND_LOST: it takes no more chunks; those that it has can be polled back.
 *	To be closed then.
 * @BACKEND_HUNG: it takes no more chunks, and those that it still has never
 *	come back: the device may write to their packets at any time. The
 *	channel has to be given up.
 */
enum backend_state {
	BACKEND_GOOD,
	BACKEND_LOST,
	BACKEND_HUNG,
};

/**
 * struct backend_ops - a kind of backend
 * @name: as in the configuration
 * @beside: works while the worker goes on, may fail, and has a driver in user
 *	space that makes system calls of its own
 * @look: what devices are there? NULL, or why that cannot be known. Where there is
 *	no such function, there is one device, the processor.
 * @wanted: which of them settings name; where there is @look
 * @device: the device of a name that settings may use, whether it is there or not;
 *	to be given to device_release(). NULL: no memory. Where there is @look
 * @free: free it, unless it hung: there are no instances. Where there is @device
 * @there: does it work, as far as is known? NULL: always
 * @probe: can a device work? NULL, or why not in plain words. Called before any
 *	instance; may calibrate.
 * @open: a new instance that works on the channel's arena. NULL: not possible;
 *	a message was logged, unless errno is EBUSY: somebody else is opening one
 *	just now.
 * @takes: can it work on this packet now? NULL: it can on any.
 * @submit: take a chunk. It belongs to the backend until polled back. false: no
 *	room for now, or none any more: see &backend.state.
 * @poll: a finished chunk, or NULL
 * @keys_changed: the channel's key epoch moved: wipe what was derived from
 *	keys that are gone
 * @cost: what @probe or recent work measured for one kind of packets
 * @grain: preferred number of packets is a multiple of this; for a device, the
 *	most in one part, or 0: it cannot do that at all
 * @describe: how it was set up, for people
 * @status: what a device is now, without waiting for it; NULL: always there
 * @close: wipe and free an instance; no chunk is with it, unless it hung. false: it
 *	did, and may still write to the channel, which is to be kept.
 */
struct backend_ops {
	const char *name;
	bool beside;
	const char *(*look)(const struct gpu_settings *settings,
			    struct gpu_list *list);
	const char *(*wanted)(const struct gpu_settings *settings);
	struct device *(*device)(const struct gpu_settings *settings,
				 const char *name);
	void (*free)(struct device *dev);
	bool (*there)(const struct device *dev);
	const char *(*probe)(struct device *dev);
	struct backend *(*open)(struct device *dev, const struct channel *ch);
	bool (*takes)(struct backend *be, const struct packet *p);
	bool (*submit)(struct backend *be, struct chunk *chunk);
	struct chunk *(*poll)(struct backend *be);
	void (*keys_changed)(struct backend *be);
	void (*cost)(const struct device *dev, uint8_t alg, uint8_t op,
		     uint8_t key_len, struct backend_cost *cost);
	unsigned int (*grain)(const struct device *dev, uint8_t alg,
			      uint8_t op);
	const char *(*describe)(const struct device *dev);
	void (*status)(struct device *dev, struct device_status *out);
	bool (*close)(struct backend *be);
};

/**
 * struct device - what instances are opened on; backends embed it
 * @ops: its kind
 * @name: what settings call it, and no other
 * @node: NUMA node that it is near to, or %NUMA_NONE
 * @missing: settings name it beside others, and it has not been there yet
 * @retry_at: when somebody tries it next, in ns, if it is not there
 * @waited_ns: how long it was waited for before it was there
 * @opened_at: since when it is, or was, in ns; 0: it has not been
 * @hangs: how often it hung
 * @given_up: so often, or something else in such a way, that it is not to be opened any more
 * @stuck: a call of its driver did not return, and has been left
 * @users: who uses it, see device_hold()
 */
struct device {
	const struct backend_ops *ops;
	const char *name;
	int node;
	bool missing;
	uint64_t retry_at;
	uint64_t waited_ns;
	uint64_t opened_at;
	unsigned int hangs;
	bool given_up;
	bool stuck;
	unsigned int users;
};

/** device_given_up - is it of no use to try it again? */
static inline bool device_given_up(const struct device *dev)
{
	return __atomic_load_n(&dev->given_up, __ATOMIC_ACQUIRE);
}

/** device_hold - use it, maybe for longer than it is chosen */
static inline void device_hold(struct device *dev)
{
	__atomic_add_fetch(&dev->users, 1, __ATOMIC_RELAXED);
}

/** device_release - use it no more; who is the last frees it, if it can be */
static inline void device_release(struct device *dev)
{
	if (!__atomic_sub_fetch(&dev->users, 1, __ATOMIC_ACQ_REL) && dev->ops->free)
		dev->ops->free(dev);
}

/**
 * struct backend - an instance; backends embed it
 * @ops: its kind
 * @dev: its device
 * @state: is it fit for work?
 * @keys_pending: keys are on their way to it, or are gone and not wiped: it wants
 *	&backend_ops.keys_changed again before long, whether or not the epoch moves
 * @chunks: how many chunks it can have at a time
 * @pipeline: so many chunks keep it busy, and more disturb; one, if others keep
 *	it busy, too; for a device
 * @chunk_max: most packets in a chunk
 * @chunk_bytes: most bytes in a chunk, of payload and what else a packet needs;
 *	0: any
 */
struct backend {
	const struct backend_ops *ops;
	struct device *dev;
	enum backend_state state;
	bool keys_pending;
	uint32_t chunks;
	uint32_t pipeline;
	uint32_t chunk_max;
	uint64_t chunk_bytes;
};

/**
 * BACKEND_PACKET_ROOM - most bytes that a packet needs in a chunk besides its
 * payload: AAD, ICV, and where it begins
 */
#define BACKEND_PACKET_ROOM	(WAVECRYPT_HEADROOM + WAVECRYPT_TAILROOM + 32)

/** backend_room - how many packets of that length a chunk can have */
static inline uint32_t backend_room(const struct backend *be, uint32_t longest)
{
	uint64_t room = be->chunk_bytes / (longest + BACKEND_PACKET_ROOM);

	return be->chunk_bytes && room < be->chunk_max ? room : be->chunk_max;
}

#endif
