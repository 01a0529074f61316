/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A channel: what the daemon is attached to, whatever is at its other end.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CHANNEL_CHANNEL_H
#define WAVECRYPT_CHANNEL_CHANNEL_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wavecrypt.h"

struct channel;

/**
 * struct channel_ops - what the other end does for us
 * @bell: have it look at one queue's completions; 0 or a negative errno
 * @wait: sleep until one of the queues named has work; 0 or a negative errno
 * @detach: stop being served by us, while workers may still be at work: they notice
 * @close: detach, and have done with it
 * @free: free it, when nobody uses it any more
 *
 * @bell and @wait follow WAVECRYPT_IOC_BELL and WAVECRYPT_IOC_WAIT to the
 * letter, and are called from several threads at once; @detach from any.
 */
struct channel_ops {
	int (*bell)(struct channel *ch, uint32_t queue);
	int (*wait)(struct channel *ch, const struct wavecrypt_wait *wait);
	void (*detach)(struct channel *ch);
	void (*close)(struct channel *ch);
	void (*free)(struct channel *ch);
};

/**
 * struct channel - an attached channel
 * @serial: no other has had it, nor will: one that is gone may have been at the
 *	same address, and a device that hung may still know of that one's packets
 * @ops: the transport
 * @name: what to call it in messages
 * @geo: the answer to the attach request
 * @map: the four regions as mapped, by &enum wavecrypt_region_id
 * @kept: they stay mapped when it is freed
 * @users: who uses it, see channel_hold()
 */
struct channel {
	uint64_t serial;
	const struct channel_ops *ops;
	const char *name;
	struct wavecrypt_attach geo;
	uint8_t *map[WAVECRYPT_REGIONS];
	bool kept;
	unsigned int users;
};

/** channel_init - one that is not attached yet, with its first user */
void channel_init(struct channel *ch, const struct channel_ops *ops,
		  const char *name);

/**
 * channel_let_go - detach, as somebody does not get on, unless another helper has it
 * @ch: the channel
 * @why: for the log
 *
 * Return: whether we have. A thread that waits in the kernel outlives its process, with
 * the module's file: the next helper is to find the module free.
 */
bool channel_let_go(struct channel *ch, const char *why);

/** channel_header - the channel's own line */
static inline const struct wavecrypt_header *
channel_header(const struct channel *ch)
{
	return (const void *)ch->map[WAVECRYPT_REGION_SUBMIT];
}

/** channel_state - &enum wavecrypt_state, as of now */
static inline uint32_t channel_state(const struct channel *ch)
{
	return __atomic_load_n(&channel_header(ch)->state, __ATOMIC_RELAXED);
}

/**
 * channel_key_epoch - moves when a key went
 *
 * Acquire, so that a key's generation read after a new epoch is not from
 * before it.
 */
static inline uint32_t channel_key_epoch(const struct channel *ch)
{
	return __atomic_load_n(&channel_header(ch)->key_epoch, __ATOMIC_ACQUIRE);
}

/** channel_keys - the key table */
static inline const struct wavecrypt_key *channel_keys(const struct channel *ch)
{
	return (const void *)ch->map[WAVECRYPT_REGION_KEYS];
}

/** channel_sq - submission side of a queue */
static inline const struct wavecrypt_sq *
channel_sq(const struct channel *ch, uint32_t queue)
{
	return (const void *)(ch->map[WAVECRYPT_REGION_SUBMIT] +
			      ch->geo.sq_first + queue * ch->geo.sq_stride);
}

/** channel_cq - completion side of a queue */
static inline struct wavecrypt_cq *
channel_cq(const struct channel *ch, uint32_t queue)
{
	return (void *)(ch->map[WAVECRYPT_REGION_COMPLETE] +
			queue * ch->geo.cq_stride);
}

/** channel_keep - a device that hung may write to packets for ever */
static inline void channel_keep(struct channel *ch)
{
	__atomic_store_n(&ch->kept, true, __ATOMIC_RELAXED);
}

/** channel_kept - does it stay mapped? */
static inline bool channel_kept(const struct channel *ch)
{
	return __atomic_load_n(&ch->kept, __ATOMIC_RELAXED);
}

/** channel_hold - use it, maybe for longer than until it is closed */
static inline void channel_hold(struct channel *ch)
{
	__atomic_add_fetch(&ch->users, 1, __ATOMIC_RELAXED);
}

/** channel_release - use it no more; who is the last frees it */
static inline void channel_release(struct channel *ch)
{
	if (!__atomic_sub_fetch(&ch->users, 1, __ATOMIC_ACQ_REL))
		ch->ops->free(ch);
}

/**
 * channel_lacks - is there too little of something, of which there may be enough later?
 * @err: what attaching came to
 */
static inline bool channel_lacks(int err)
{
	return err == -ENOMEM || err == -EAGAIN;
}

/**
 * channel_check - does what the attach request was told hold together?
 * @geo: the answer
 *
 * Return: NULL, or which of its numbers contradicts which. Every offset that
 * is computed from the geometry later stays within its region if this holds.
 */
const char *channel_check(const struct wavecrypt_attach *geo);

/**
 * channel_protect - keep keys and packets out of core dumps
 * @ch: the channel, mapped
 */
void channel_protect(struct channel *ch);

/**
 * module_open - open the module's device
 * @path: usually %WAVECRYPT_DEVICE
 *
 * Return: a file, or a negative errno: -ENOENT, -ENXIO and -ENODEV without
 * module, -EACCES and -EPERM without permission, -EAGAIN while it is still being loaded.
 * A message has been logged, but of the last.
 */
int module_open(const char *path);

/**
 * module_attach - attach to the module
 * @fd: its file, open, and not attached; it stays the caller's, open for longer than the
 *	channel, and may be attached again after that
 * @path: what it is called
 * @entries: wished ring size, or 0
 * @replace: take over from a helper that is attached
 * @out: where to put the channel
 *
 * Return: 0 or a negative errno: -EPROTO for another ABI, -EBUSY when there is
 * a helper, -EPERM when the kernel keeps keys to itself. A message has been logged, unless
 * channel_lacks(): the caller may go on trying.
 */
int module_attach(int fd, const char *path, uint32_t entries,
		  bool replace, struct channel **out);

#endif
