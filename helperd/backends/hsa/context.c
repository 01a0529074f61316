// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/gpu/calibrate.h"
#include "backends/hsa/instance.h"
#include "lib/log.h"

/* The persistent kernel has to be that much better: it keeps the GPU awake. */
#define WORTH	0.9

/*
 * The runtime's, which outlive contexts if it cannot be shut down: how often it
 * was initialised, whether it knows whom to tell of faults, and there was one.
 */
static unsigned int held;
static bool registered;
static bool fault;

static char text[512];

static hsa_status_t on_event(const hsa_amd_event_t *event, void *data)
{
	(void)data;
	if (!__atomic_exchange_n(&fault, true, __ATOMIC_RELEASE))
		log_err("backend hsa: the GPU reports a memory fault at %#llx",
			(unsigned long long)event->memory_fault.virtual_address);
	/* Or else the runtime ends the process. */
	return HSA_STATUS_SUCCESS;
}

bool hsa_context_fault(void)
{
	return __atomic_load_n(&fault, __ATOMIC_ACQUIRE);
}

/* Only when it was shut down as often as initialised it lets go of a GPU. */
static void stop(void)
{
	while (held && !hsa.shut_down())
		held--;
	if (!held)
		registered = false;
}

static const char *start(void)
{
	hsa_status_t status = hsa.init();

	if (status) {
		snprintf(text, sizeof(text),
			 "cannot initialise the ROCm runtime: %s (may the daemon's user open /dev/kfd? See wavecryptctl doctor)",
			 hsa_error(status));
		return text;
	}
	held++;
	__atomic_store_n(&fault, false, __ATOMIC_RELEASE);
	if (registered)
		return NULL;
	status = hsa.amd_register_system_event_handler(on_event, NULL);
	if (status) {
		snprintf(text, sizeof(text),
			 "cannot hear of memory faults: %s", hsa_error(status));
		stop();
		return text;
	}
	registered = true;
	return NULL;
}

static const char *try_mode(struct hsa_context *ctx, enum hsa_mode mode,
			    bool timed)
{
	ctx->mode = mode;
	return calibrate(&ctx->base, timed);
}

static const char *choose_mode(struct hsa_context *ctx)
{
	const struct gpu_settings *settings = ctx->base.settings;
	struct backend_cost cost[ALG_KINDS];
	const char *why;
	double rating;

	if (settings->hsa_mode != HSA_MODE_AUTO)
		return try_mode(ctx, settings->hsa_mode, settings->balance);
	why = try_mode(ctx, HSA_MODE_DISPATCH, true);
	if (why)
		return why;
	memcpy(cost, ctx->base.cost, sizeof(cost));
	rating = calibrate_rating(settings, cost);
	if (!try_mode(ctx, HSA_MODE_PERSISTENT, true) &&
	    calibrate_rating(settings, ctx->base.cost) < WORTH * rating)
		return NULL;
	memcpy(ctx->base.cost, cost, sizeof(cost));
	ctx->mode = HSA_MODE_DISPATCH;
	return NULL;
}

static const char *open_gpu(struct hsa_context *ctx)
{
	const struct gpu_settings *settings = ctx->base.settings;
	const char *why;

	why = hsa_machine_look(&ctx->machine, settings->hsa_code);
	if (why)
		return why;
	ctx->gpu = hsa_gpu_choose(&ctx->machine, settings->hsa_device, &why);
	if (!ctx->gpu)
		return why;
	why = hsa_code_load(&ctx->code, ctx->gpu->agent, settings->hsa_code,
			    ctx->gpu->gfx);
	if (why)
		return why;
	return choose_mode(ctx);
}

static void close_gpu(struct context *base)
{
	struct hsa_context *ctx = (struct hsa_context *)base;

	/* Releasing what has hung may hang, too. */
	if (!context_hung(base)) {
		hsa_code_unload(&ctx->code);
		stop();
	}
	free(ctx);
}

static struct context *create(const struct gpu_settings *settings,
			      const char **why)
{
	struct hsa_context *ctx;

	*why = hsa_api_load();
	if (!*why)
		*why = start();
	if (*why)
		return NULL;
	ctx = calloc(1, sizeof(*ctx));
	if (!ctx) {
		*why = "no memory";
		stop();
		return NULL;
	}
	ctx->base.ops = &hsa_context_ops;
	ctx->base.settings = settings;
	ctx->base.shape = &wavecrypt_gpu_narrow;
	*why = open_gpu(ctx);
	if (!*why)
		return &ctx->base;
	close_gpu(&ctx->base);
	return NULL;
}

static struct backend *open_instance(struct context *ctx,
				     const struct channel *ch, const char **why)
{
	struct hsa_instance *in;
	hsa_status_t status;

	in = hsa_instance_create((struct hsa_context *)ctx, ch, &status);
	if (in)
		return &in->be;
	*why = hsa_error(status);
	return NULL;
}

static void describe(const struct context *base, char *to, size_t room)
{
	const struct hsa_context *ctx = (const struct hsa_context *)base;
	const struct hsa_gpu *g = ctx->gpu;

	snprintf(to, room,
		 "%s at %s (%s, %s, %u compute units); mode: %s; runtime: %s, version %s",
		 g->gfx, hsa_gpu_where(g), g->product,
		 g->integrated ? "integrated" : "discrete", g->units,
		 gpu_hsa_mode_name[ctx->mode], hsa_api_path(),
		 hsa_api_version());
}

const struct context_ops hsa_context_ops = {
	.name = "hsa",
	.stuck = "it hung, and the runtime does not give it back; the daemon has to be restarted",
	.create = create,
	.free = close_gpu,
	.open = open_instance,
	.close = hsa_instance_destroy,
	.describe = describe,
};
