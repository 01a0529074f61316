/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The device beside the CPU, of which a process uses one: instances come and go,
 * the device stays, and is opened anew when it failed and the last instance of it
 * is gone.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_CONTEXT_H
#define WAVECRYPT_BACKENDS_GPU_CONTEXT_H

#include "backends/backend.h"
#include "backends/gpu/settings.h"
#include "gpu.h"

struct context;

/**
 * struct context_ops - a kind of device
 * @name: the backend's
 * @stuck: why one that hung cannot be opened anew; NULL: it can
 * @create: start using a device, which includes calibrate(); NULL, with @why
 *	set, if there is none that can be used. The lanes must have been probed
 *	before.
 * @free: stop using it; there are no instances
 * @open: an instance on a channel; NULL, with @why set, if that is not possible
 * @close: the reverse, of one that has no chunks unless it hung. false: it did,
 *	and may still write to the channel.
 * @describe: the device and how it is used, for people
 */
struct context_ops {
	const char *name;
	const char *stuck;
	struct context *(*create)(const struct gpu_settings *settings,
				  const char **why);
	void (*free)(struct context *ctx);
	struct backend *(*open)(struct context *ctx, const struct channel *ch,
				const char **why);
	bool (*close)(struct backend *be);
	void (*describe)(const struct context *ctx, char *to, size_t room);
};

/**
 * struct context - what all instances have in common; kinds embed it
 * @ops: its kind
 * @settings: settings
 * @shape: how its work-groups are cut
 * @cost: what work costs, by kind
 * @users: instances
 * @lost: it failed: there will be no more instances of it
 * @lost_at: when, in ns
 * @hung: it did not come to an end: nothing of it can be released
 * @calibrating: failures are no news
 */
struct context {
	const struct context_ops *ops;
	const struct gpu_settings *settings;
	const struct wavecrypt_gpu_shape *shape;
	struct backend_cost cost[ALG_KINDS];
	unsigned int users;
	bool lost;
	uint64_t lost_at;
	bool hung;
	bool calibrating;
};

/** context_lost - has it failed? */
static inline bool context_lost(const struct context *ctx)
{
	return __atomic_load_n(&ctx->lost, __ATOMIC_RELAXED);
}

/** context_lose - it has failed. Return: is that worth a message? */
bool context_lose(struct context *ctx);

/**
 * context_good - may an instance take more work?
 *
 * What one worker found wanting has to be given up by all.
 */
bool context_good(const struct context *ctx, struct backend *be);

/** context_hung - does it not come to an end? */
static inline bool context_hung(const struct context *ctx)
{
	return __atomic_load_n(&ctx->hung, __ATOMIC_RELAXED);
}

/** context_hang - it does not */
static inline void context_hang(struct context *ctx)
{
	__atomic_store_n(&ctx->hung, true, __ATOMIC_RELAXED);
}

/** context_users - how many instances use it? */
static inline unsigned int context_users(const struct context *ctx)
{
	return __atomic_load_n(&ctx->users, __ATOMIC_RELAXED);
}

/**
 * context_probe - for &backend_ops.probe: open the device
 * @ops: of this kind
 * @settings: which, and how
 */
const char *context_probe(const struct context_ops *ops,
			  const struct gpu_settings *settings);

/**
 * context_forget - give the device back, which has no instances
 *
 * When it is next wanted it is opened and measured again.
 */
void context_forget(void);

/* &backend_ops of a device; what it was when it was last there does for some */
struct backend *context_open(const struct channel *ch);
void context_close(struct backend *be);
void context_cost(uint8_t alg, uint8_t op, uint8_t key_len,
		  struct backend_cost *cost);
unsigned int context_grain(uint8_t alg, uint8_t op);
const char *context_describe(void);

#endif
