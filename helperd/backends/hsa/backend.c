// SPDX-License-Identifier: GPL-2.0-only
/*
 * The "hsa" backend: instances come and go, the GPU stays, and is opened anew
 * when it failed and the last instance of it is gone.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>
#include <stdio.h>

#include "backends/hsa/instance.h"
#include "clock.h"
#include "log.h"

/* Guards the two below, and the context but for what instances do. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct hsa_context *context;
static const struct config *settings;

/* What it was when it was last there: asked for without the lock. */
static struct backend_cost costs[ALG_KINDS];
static char description[512];

static void publish(const struct hsa_context *ctx)
{
	const struct hsa_gpu *g = ctx->gpu;

	for (unsigned int i = 0; i < ALG_KINDS; i++)
		costs[i] = ctx->cost[i];
	snprintf(description, sizeof(description),
		 "%s at %s (%s, %s, %u compute units); mode: %s; runtime: %s, version %s",
		 g->gfx, hsa_gpu_where(g), g->product,
		 g->integrated ? "integrated" : "discrete", g->units,
		 config_hsa_mode_name[ctx->mode], hsa_api_path(),
		 hsa_api_version());
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
	*why = "it hung, and the runtime does not give it back; the daemon has to be restarted";
	if (context->hung)
		return false;
	hsa_context_free(context);
	context = NULL;
	return true;
}

/* A context that works; NULL: there is none, and why. */
static struct hsa_context *have_context(const char **why)
{
	if (context && hsa_context_lost(context) && !bury(why))
		return NULL;
	if (!context) {
		context = hsa_context_create(settings, why);
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

void hsa_forget(void)
{
	pthread_mutex_lock(&lock);
	if (context && !context->users) {
		hsa_context_free(context);
		context = NULL;
	}
	pthread_mutex_unlock(&lock);
}

static struct backend *open_instance(const struct channel *ch)
{
	struct hsa_instance *in = NULL;
	struct hsa_context *ctx;
	hsa_status_t status;
	const char *why;

	/* Whoever is opening it may have to wait for a GPU that has hung. */
	if (pthread_mutex_trylock(&lock))
		return NULL;
	ctx = have_context(&why);
	if (ctx) {
		in = hsa_instance_create(ctx, ch, &status);
		if (in)
			ctx->users++;
		else
			why = hsa_error(status);
	}
	pthread_mutex_unlock(&lock);
	if (!in)
		log_notice("backend hsa: not there yet: %s", why);
	return in ? &in->be : NULL;
}

static void close_instance(struct backend *be)
{
	struct hsa_context *ctx = ((struct hsa_instance *)be)->ctx;

	pthread_mutex_lock(&lock);
	ctx->users--;
	hsa_instance_destroy(be);
	pthread_mutex_unlock(&lock);
}

static void cost(uint8_t alg, uint8_t op, uint8_t key_len,
		 struct backend_cost *out)
{
	*out = costs[alg_kind(alg, op, key_len)];
}

static unsigned int grain(uint8_t alg, uint8_t op)
{
	return wavecrypt_gpu_packets(&wavecrypt_gpu_narrow, alg, op);
}

static const char *describe(void)
{
	return description;
}

const struct backend_ops hsa_backend = {
	.name = "hsa",
	.device = true,
	.probe = probe,
	.open = open_instance,
	.takes = hsa_instance_takes,
	.submit = hsa_instance_submit,
	.poll = hsa_instance_poll,
	.keys_changed = hsa_instance_keys_changed,
	.cost = cost,
	.grain = grain,
	.describe = describe,
	.close = close_instance,
};
