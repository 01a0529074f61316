// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/calibrate.h"
#include "backends/hsa/instance.h"
#include "clock.h"
#include "log.h"

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

static struct backend *open_instance(void *context, const struct channel *ch,
				     const char **why)
{
	struct hsa_context *ctx = context;
	struct hsa_instance *in;
	hsa_status_t status;

	in = hsa_instance_create(ctx, ch, &status);
	if (in)
		return &in->be;
	*why = hsa_error(status);
	return NULL;
}

static const char *try_mode(struct hsa_context *ctx, enum config_hsa_mode mode,
			    bool timed)
{
	const struct calibration c = {
		.config = ctx->config,
		.shape = &wavecrypt_gpu_narrow,
		.timed = timed,
		.device = ctx,
		.open = open_instance,
		.close = hsa_instance_destroy,
	};

	ctx->mode = mode;
	return calibrate(&c, ctx->cost);
}

static const char *choose_mode(struct hsa_context *ctx)
{
	const struct config *config = ctx->config;
	struct backend_cost cost[ALG_KINDS];
	const char *why;
	double rating;

	if (config->hsa_mode != CONFIG_HSA_AUTO)
		return try_mode(ctx, config->hsa_mode, config->balance);
	why = try_mode(ctx, CONFIG_HSA_DISPATCH, true);
	if (why)
		return why;
	memcpy(cost, ctx->cost, sizeof(cost));
	rating = calibrate_rating(config, cost);
	if (!try_mode(ctx, CONFIG_HSA_PERSISTENT, true) &&
	    calibrate_rating(config, ctx->cost) < WORTH * rating)
		return NULL;
	memcpy(ctx->cost, cost, sizeof(cost));
	ctx->mode = CONFIG_HSA_DISPATCH;
	return NULL;
}

static const char *open_gpu(struct hsa_context *ctx)
{
	const struct config *config = ctx->config;
	const char *why;

	why = hsa_machine_look(&ctx->machine, config->hsa_code);
	if (why)
		return why;
	ctx->gpu = hsa_gpu_choose(&ctx->machine, config->hsa_device, &why);
	if (!ctx->gpu)
		return why;
	why = hsa_code_load(&ctx->code, ctx->gpu->agent, config->hsa_code,
			    ctx->gpu->gfx);
	if (why)
		return why;
	ctx->calibrating = true;
	why = choose_mode(ctx);
	ctx->calibrating = false;
	if (!why && (hsa_context_lost(ctx) || ctx->hung))
		why = "it failed while it was measured";
	return why;
}

struct hsa_context *hsa_context_create(const struct config *config,
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
	ctx->config = config;
	*why = open_gpu(ctx);
	if (!*why)
		return ctx;
	hsa_context_free(ctx);
	return NULL;
}

void hsa_context_free(struct hsa_context *ctx)
{
	/* Releasing what has hung may hang, too. */
	if (!ctx->hung) {
		hsa_code_unload(&ctx->code);
		stop();
	}
	free(ctx);
}
