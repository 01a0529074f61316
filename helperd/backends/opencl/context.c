// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/gpu/calibrate.h"
#include "backends/opencl/memory.h"
#include "backends/opencl/opencl.h"
#include "backends/opencl/program.h"
#include "lib/log.h"

static char text[256];

/* The last reason; "" as long as nothing has failed. */
static const char *failed(const char *what, cl_int err)
{
	snprintf(text, sizeof(text), "%s: %s", what, opencl_error(err));
	return text;
}

static const char *open_device(struct opencl_context *ctx)
{
	const struct gpu_settings *s = ctx->base.settings;
	const struct opencl_device *d = &ctx->dev;
	const char *why;
	char options[128];
	cl_int err;

	why = opencl_api_load();
	if (!why)
		why = opencl_device_find(&ctx->dev, s->opencl_device);
	if (why)
		return why;
	ctx->base.shape = strstr(d->platform, "NVIDIA") ? &wavecrypt_gpu_wide :
							  &wavecrypt_gpu_narrow;
	ctx->context = cl.CreateContext(NULL, 1, &d->id, NULL, NULL, &err);
	if (!ctx->context)
		return failed("cannot use the device", err);
	snprintf(options, sizeof(options), "%s%s", ctx->base.shape->options,
		 opencl_can_persist(d) ?
		 " -DWAVECRYPT_PERSISTENT -cl-std=CL2.0" : "");
	ctx->program = opencl_program(ctx->context, d, options,
				      s->opencl_cache, &why);
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

static const char *try_way(struct opencl_context *ctx, enum opencl_way way,
			   bool timed)
{
	const char *why = impossible(ctx, way);

	ctx->way = way;
	return why ? why : calibrate(&ctx->base, timed);
}

/*
 * The best of those that are possible. The persistent kernel keeps part of the
 * device busy even with nothing to do, so that it has to be asked for.
 */
static const char *choose_way(struct opencl_context *ctx)
{
	const struct gpu_settings *settings = ctx->base.settings;
	struct backend_cost cost[ALG_KINDS];
	const char *why;
	double copied;

	if (settings->opencl_memory != OPENCL_AUTO)
		return try_way(ctx, settings->opencl_memory, settings->balance);
	why = try_way(ctx, OPENCL_COPY, true);
	if (impossible(ctx, OPENCL_SHARED))
		return why;
	copied = why ? 0 : calibrate_rating(settings, ctx->base.cost);
	memcpy(cost, ctx->base.cost, sizeof(cost));
	if (!try_way(ctx, OPENCL_SHARED, true) &&
	    (why || calibrate_rating(settings, ctx->base.cost) < copied))
		return NULL;
	memcpy(ctx->base.cost, cost, sizeof(cost));
	ctx->way = OPENCL_COPY;
	return why;
}

static void close_device(struct context *base)
{
	struct opencl_context *ctx = (struct opencl_context *)base;

	/* Releasing what has hung may hang, too. */
	if (!context_hung(base)) {
		if (ctx->program)
			cl.ReleaseProgram(ctx->program);
		if (ctx->context)
			cl.ReleaseContext(ctx->context);
	}
	free(ctx);
}

static struct context *create(const struct gpu_settings *settings,
			      const char **why)
{
	struct opencl_context *ctx = calloc(1, sizeof(*ctx));

	*why = "no memory";
	if (!ctx)
		return NULL;
	ctx->base.ops = &opencl_context_ops;
	ctx->base.settings = settings;
	*why = open_device(ctx);
	if (!*why)
		*why = choose_way(ctx);
	if (!*why)
		return &ctx->base;
	close_device(&ctx->base);
	return NULL;
}

static struct backend *open_instance(struct context *ctx,
				     const struct channel *ch, const char **why)
{
	struct opencl *o;
	cl_int err;

	o = opencl_create((struct opencl_context *)ctx, ch, &err);
	if (o)
		return &o->be;
	*why = opencl_error(err);
	return NULL;
}

static void describe(const struct context *base, char *to, size_t room)
{
	const struct opencl_context *ctx = (const struct opencl_context *)base;
	const struct opencl_device *d = &ctx->dev;

	snprintf(to, room,
		 "%s (%s, driver %s, %u compute units); way: %s, %s work-groups",
		 d->name, d->platform, d->driver, d->units,
		 opencl_way_name[ctx->way],
		 base->shape == &wavecrypt_gpu_wide ? "wide" : "narrow");
}

const struct context_ops opencl_context_ops = {
	.name = "opencl",
	.create = create,
	.free = close_device,
	.open = open_instance,
	.close = opencl_destroy,
	.describe = describe,
};
