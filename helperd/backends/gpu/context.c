// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>

#include "backends/gpu/context.h"
#include "lib/clock.h"
#include "lib/log.h"

/* Guards the three below, and the context but for what instances do. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct context_ops *kind;
static const struct gpu_settings *wanted;
static struct context *context;

/* What it was when it was last there: asked for without the lock. */
static struct backend_cost costs[ALG_KINDS];
static const struct wavecrypt_gpu_shape *shape = &wavecrypt_gpu_narrow;
static char description[512];

static void publish(void)
{
	for (unsigned int i = 0; i < ALG_KINDS; i++)
		costs[i] = context->cost[i];
	shape = context->shape;
	kind->describe(context, description, sizeof(description));
}

static void discard(void)
{
	kind->free(context);
	context = NULL;
}

/* Away with a context that failed; false: it is too early for that. */
static bool bury(const char **why)
{
	*why = "it failed, and is still in use";
	if (context->users)
		return false;
	*why = "it failed a moment ago";
	if (clock_ns() - context->lost_at <
	    wanted->retry_ms * 1000 * NSEC_PER_USEC)
		return false;
	*why = kind->stuck;
	if (context->hung && kind->stuck)
		return false;
	discard();
	return true;
}

/* Have a context that works; false: there is none, and why. */
static bool have_context(const char **why)
{
	if (context && context_lost(context) && !bury(why))
		return false;
	if (!context) {
		context = kind->create(wanted, why);
		if (!context)
			return false;
		*why = "it failed while it was measured";
		if (context_lost(context) || context_hung(context)) {
			discard();
			return false;
		}
		publish();
	}
	return true;
}

const char *context_probe(const struct context_ops *ops,
			  const struct gpu_settings *settings)
{
	const char *why;
	bool there;

	pthread_mutex_lock(&lock);
	kind = ops;
	wanted = settings;
	there = have_context(&why);
	pthread_mutex_unlock(&lock);
	return there ? NULL : why;
}

void context_forget(void)
{
	pthread_mutex_lock(&lock);
	if (context && !context->users)
		discard();
	pthread_mutex_unlock(&lock);
}

struct backend *context_open(const struct channel *ch)
{
	struct backend *be = NULL;
	const char *why;

	/* Whoever is opening it may have to wait for a device that has hung. */
	if (pthread_mutex_trylock(&lock))
		return NULL;
	if (have_context(&why))
		be = kind->open(context, ch, &why);
	if (be)
		__atomic_add_fetch(&context->users, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
	if (!be)
		log_notice("backend %s: not there yet: %s", kind->name, why);
	return be;
}

void context_close(struct backend *be)
{
	pthread_mutex_lock(&lock);
	__atomic_sub_fetch(&context->users, 1, __ATOMIC_RELAXED);
	kind->close(be);
	pthread_mutex_unlock(&lock);
}

bool context_lose(struct context *ctx)
{
	if (__atomic_exchange_n(&ctx->lost, true, __ATOMIC_RELAXED))
		return false;
	ctx->lost_at = clock_ns();
	return !ctx->calibrating;
}

bool context_good(const struct context *ctx, struct backend *be)
{
	if (context_lost(ctx) && be->state == BACKEND_GOOD)
		be->state = BACKEND_LOST;
	return be->state == BACKEND_GOOD;
}

void context_cost(uint8_t alg, uint8_t op, uint8_t key_len,
		  struct backend_cost *cost)
{
	*cost = costs[alg_kind(alg, op, key_len)];
}

unsigned int context_grain(uint8_t alg, uint8_t op)
{
	return wavecrypt_gpu_packets(shape, alg, op);
}

const char *context_describe(void)
{
	return description;
}
