// SPDX-License-Identifier: GPL-2.0-only
/*
 * The "opencl" backend: instances come and go, the device stays, and is opened
 * anew when it failed and the last instance of it is gone.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>
#include <stdio.h>

#include "backends/opencl/opencl.h"
#include "clock.h"
#include "log.h"

/* Guards the two below, and the context but for what instances do. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct opencl_context *context;
static const struct config *settings;

/* What it was when it was last there: asked for without the lock. */
static struct backend_cost costs[ALG_KINDS];
static const struct wavecrypt_gpu_shape *shape = &wavecrypt_gpu_narrow;
static char description[512];

static void publish(const struct opencl_context *ctx)
{
	const struct opencl_device *d = &ctx->dev;

	for (unsigned int i = 0; i < ALG_KINDS; i++)
		costs[i] = ctx->cost[i];
	shape = d->shape;
	snprintf(description, sizeof(description),
		 "%s (%s, driver %s, %u compute units); way: %s, %s work-groups",
		 d->name, d->platform, d->driver, d->units,
		 opencl_way_name[ctx->way],
		 d->shape == &wavecrypt_gpu_wide ? "wide" : "narrow");
}

/* Away with a context that failed; false: it is too early for that. */
static bool bury(const char **why)
{
	*why = "it failed, and is still in use";
	if (context->users)
		return false;
	*why = "it failed a moment ago";
	if (clock_ns() - context->lost_at <
	    settings->device_retry_ms * 1000 * NSEC_PER_USEC)
		return false;
	opencl_context_free(context);
	context = NULL;
	return true;
}

/* A context that works; NULL: there is none, and why. */
static struct opencl_context *have_context(const char **why)
{
	if (context && context->lost && !bury(why))
		return NULL;
	if (!context) {
		context = opencl_context_create(settings, why);
		if (context)
			publish(context);
	}
	return context;
}

static const char *probe(const struct config *config)
{
	const char *why;
	bool there;

	pthread_mutex_lock(&lock);
	settings = config;
	there = have_context(&why);
	pthread_mutex_unlock(&lock);
	return there ? NULL : why;
}

void opencl_forget(void)
{
	pthread_mutex_lock(&lock);
	if (context && !context->users) {
		opencl_context_free(context);
		context = NULL;
	}
	pthread_mutex_unlock(&lock);
}

static struct backend *open_instance(const struct channel *ch)
{
	struct opencl_context *ctx;
	struct opencl *o = NULL;
	const char *why;
	cl_int err;

	/* Whoever is opening it may have to wait for a device that has hung. */
	if (pthread_mutex_trylock(&lock))
		return NULL;
	ctx = have_context(&why);
	if (ctx) {
		o = opencl_create(ctx, ch, &err);
		if (o)
			__atomic_add_fetch(&ctx->users, 1,
					   __ATOMIC_RELAXED);
		else
			why = opencl_error(err);
	}
	pthread_mutex_unlock(&lock);
	if (!o)
		log_notice("backend opencl: not there yet: %s", why);
	return o ? &o->be : NULL;
}

static void close_instance(struct backend *be)
{
	struct opencl *o = (struct opencl *)be;

	pthread_mutex_lock(&lock);
	__atomic_sub_fetch(&o->ctx->users, 1, __ATOMIC_RELAXED);
	opencl_destroy(o);
	pthread_mutex_unlock(&lock);
}

static void cost(uint8_t alg, uint8_t op, uint8_t key_len,
		 struct backend_cost *out)
{
	*out = costs[alg_kind(alg, op, key_len)];
}

static unsigned int grain(uint8_t alg, uint8_t op)
{
	return wavecrypt_gpu_packets(shape, alg, op);
}

static const char *describe(void)
{
	return description;
}

const struct backend_ops opencl_backend = {
	.name = "opencl",
	.device = true,
	.probe = probe,
	.open = open_instance,
	.takes = opencl_takes,
	.submit = opencl_submit,
	.poll = opencl_poll,
	.keys_changed = opencl_keys_changed,
	.cost = cost,
	.grain = grain,
	.describe = describe,
	.close = close_instance,
};
