// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/calibrate.h"
#include "backends/opencl/memory.h"
#include "backends/opencl/opencl.h"
#include "backends/opencl/program.h"
#include "log.h"

const char *const opencl_way_name[] = {
	[OPENCL_AUTO] = "auto",
	[OPENCL_COPY] = "copy",
	[OPENCL_SHARED] = "shared",
	[OPENCL_PERSISTENT] = "persistent",
};

static char text[256];

/* The last reason; "" as long as nothing has failed. */
static const char *failed(const char *what, cl_int err)
{
	snprintf(text, sizeof(text), "%s: %s", what, opencl_error(err));
	return text;
}

static const char *open_device(struct opencl_context *ctx)
{
	const struct config *c = ctx->config;
	const struct opencl_device *d = &ctx->dev;
	const char *why;
	char options[128];
	cl_int err;

	why = opencl_api_load();
	if (!why)
		why = opencl_device_find(&ctx->dev, c->opencl_device);
	if (why)
		return why;
	ctx->context = cl.CreateContext(NULL, 1, &d->id, NULL, NULL, &err);
	if (!ctx->context)
		return failed("cannot use the device", err);
	snprintf(options, sizeof(options), "%s%s", d->shape->options,
		 opencl_can_persist(d) ?
		 " -DWAVECRYPT_PERSISTENT -cl-std=CL2.0" : "");
	ctx->program = opencl_program(ctx->context, d, options,
				      c->opencl_cache, &why);
	return ctx->program ? NULL : why;
}

/* Can packets get there like this? NULL: yes. */
static const char *impossible(const struct opencl_context *ctx,
			      enum opencl_way way)
{
	if (way == OPENCL_SHARED && !opencl_can_share(&ctx->dev))
		return "the device does not share the host's memory";
	if (way == OPENCL_PERSISTENT && !opencl_can_persist(&ctx->dev))
		return "the device does not see the host's writes while it works";
	return NULL;
}

static struct backend *open_instance(void *context, const struct channel *ch,
				     const char **why)
{
	struct opencl *o;
	cl_int err;

	o = opencl_create(context, ch, &err);
	if (o)
		return &o->be;
	*why = opencl_error(err);
	return NULL;
}

static bool close_instance(struct backend *be)
{
	struct opencl_context *ctx = ((struct opencl *)be)->ctx;

	opencl_destroy((struct opencl *)be);
	return !ctx->hung;
}

static const char *try_way(struct opencl_context *ctx, enum opencl_way way)
{
	const struct calibration c = {
		.config = ctx->config,
		.shape = ctx->dev.shape,
		.timed = true,
		.device = ctx,
		.open = open_instance,
		.close = close_instance,
	};
	const char *why = impossible(ctx, way);

	ctx->way = way;
	return why ? why : calibrate(&c, ctx->cost);
}

/*
 * The best of those that are possible. The persistent kernel keeps part of the
 * device busy even with nothing to do, so that it has to be asked for.
 */
static const char *choose_way(struct opencl_context *ctx)
{
	enum opencl_way way = ctx->config->opencl_memory;
	struct backend_cost cost[ALG_KINDS];
	const char *why;
	double copied;

	if (way != OPENCL_AUTO)
		return try_way(ctx, way);
	why = try_way(ctx, OPENCL_COPY);
	if (impossible(ctx, OPENCL_SHARED))
		return why;
	copied = why ? 0 : calibrate_rating(ctx->config, ctx->cost);
	memcpy(cost, ctx->cost, sizeof(cost));
	if (!try_way(ctx, OPENCL_SHARED) &&
	    (why || calibrate_rating(ctx->config, ctx->cost) < copied))
		return NULL;
	memcpy(ctx->cost, cost, sizeof(cost));
	ctx->way = OPENCL_COPY;
	return why;
}

struct opencl_context *opencl_context_create(const struct config *config,
					     const char **why)
{
	struct opencl_context *ctx = calloc(1, sizeof(*ctx));

	*why = "no memory";
	if (!ctx)
		return NULL;
	ctx->config = config;
	*why = open_device(ctx);
	if (!*why) {
		ctx->calibrating = true;
		*why = choose_way(ctx);
		ctx->calibrating = false;
	}
	if (!*why && ctx->lost)
		*why = "it failed while it was calibrated";
	if (!*why)
		return ctx;
	opencl_context_free(ctx);
	return NULL;
}

void opencl_context_free(struct opencl_context *ctx)
{
	/* Releasing what has hung may hang, too. */
	if (!ctx->hung) {
		if (ctx->program)
			cl.ReleaseProgram(ctx->program);
		if (ctx->context)
			cl.ReleaseContext(ctx->context);
	}
	free(ctx);
}
