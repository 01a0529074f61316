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

static __thread char text[256];

/* Why the device cannot be used, in words that stay until this thread's next ones */
static const char *failed(const char *what, cl_int err)
{
	snprintf(text, sizeof(text), "%s: %s", what, opencl_error(err));
	return text;
}

static const char *choose_device(struct opencl_session *session)
{
	struct opencl_devices all;
	const char *why = opencl_devices_look(&all);
	unsigned int number;

	if (why || !gpu_choose_one(&session->base, &all.list, &number, &why))
		return why;
	session->dev = all.device[number];
	strcpy(session->base.where, all.list.device[number].address);
	return NULL;
}

/* There may be memory again, or the device. */
static bool passes(cl_int err)
{
	return err == CL_OUT_OF_RESOURCES || err == CL_OUT_OF_HOST_MEMORY ||
	       err == CL_MEM_OBJECT_ALLOCATION_FAILURE || err == CL_DEVICE_NOT_AVAILABLE;
}

/*
 * After a kernel's fault NVIDIA's driver is done with the process: until that ends, there
 * is no new context on the device.
 */
static const char *no_context(struct opencl_session *session, cl_int err)
{
	if (!passes(err))
		gpu_refused(&session->base,
			    "its driver takes no new context in this process; the daemon has to be restarted");
	return failed("cannot use the device", err);
}

/*
 * What not every compiler has is asked for by those alone who want the persistent kernel.
 * OpenCL 3.0 need not have OpenCL C 2.0.
 */
static const char *persistent_options(const struct opencl_session *session)
{
	if (session->base.settings->opencl_memory != OPENCL_PERSISTENT ||
	    !opencl_can_persist(&session->dev))
		return "";
	return session->dev.c3 ? " -DWAVECRYPT_PERSISTENT -cl-std=CL3.0" :
				 " -DWAVECRYPT_PERSISTENT -cl-std=CL2.0";
}

static const char *open_device(struct opencl_session *session)
{
	const struct gpu_settings *s = session->base.settings;
	const struct opencl_device *d = &session->dev;
	const char *why;
	char options[128];
	cl_int err;

	why = opencl_api_load();
	if (!why)
		why = choose_device(session);
	if (why)
		return why;
	session->base.shape = strstr(d->platform, "NVIDIA") ? &wavecrypt_gpu_wide :
							  &wavecrypt_gpu_narrow;
	session->context = cl.CreateContext(NULL, 1, &d->id, NULL, NULL, &err);
	if (!session->context)
		return no_context(session, err);
	snprintf(options, sizeof(options), "%s%s", session->base.shape->options,
		 persistent_options(session));
	session->program = opencl_program(session->context, d, options,
					  s->opencl_cache, &why);
	return session->program ? NULL : why;
}

/* Can packets get there like this? NULL: yes. */
static const char *impossible(const struct opencl_session *session,
			      enum opencl_way way)
{
	if (way == OPENCL_SHARED && !opencl_can_share(&session->dev))
		return "the device does not share the host's memory";
	if (way == OPENCL_PERSISTENT && !opencl_can_persist(&session->dev))
		return "the device does not see the host's writes while it works";
	return NULL;
}

static const char *try_way(struct opencl_session *session, enum opencl_way way,
			   bool timed)
{
	const char *why = impossible(session, way);

	session->way = way;
	return why ? why : calibrate(&session->base, timed);
}

static bool has_room(const struct opencl_session *session)
{
	return gpu_has_room(&session->base, opencl_persistent_groups(session), "opencl-groups",
			    session->base.settings->opencl_groups, "a compute unit left free",
			    "a persistent kernel would leave no compute unit free: opencl-memory = shared");
}

/* Instances that there is no room for share: that is to be right, too. */
static const char *try_persistent(struct opencl_session *session, bool timed)
{
	const char *why = impossible(session, OPENCL_PERSISTENT);
	bool room = !why && has_room(session);

	if (!why)
		why = try_way(session, OPENCL_SHARED, timed && !room);
	return why || !room ? why : try_way(session, OPENCL_PERSISTENT, timed);
}

static void use_copies(struct opencl_session *session)
{
	memcpy(session->base.cost, session->copied, sizeof(session->copied));
	session->way = OPENCL_COPY;
}

/*
 * The best of those that are possible. The persistent kernel keeps part of the
 * device busy even with nothing to do, so that it has to be asked for.
 */
static const char *choose_way(struct opencl_session *session)
{
	const struct gpu_settings *settings = session->base.settings;
	const char *why, *second;
	double copied;

	if (settings->opencl_memory == OPENCL_PERSISTENT)
		return try_persistent(session, settings->balance);
	if (settings->opencl_memory != OPENCL_AUTO)
		return try_way(session, settings->opencl_memory, settings->balance);
	why = try_way(session, OPENCL_COPY, true);
	if (impossible(session, OPENCL_SHARED) || !gpu_may_try_second(&session->base))
		return why;
	copied = why ? 0 : calibrate_rating(settings, session->base.cost);
	memcpy(session->copied, session->base.cost, sizeof(session->copied));
	second = try_way(session, OPENCL_SHARED, true);
	if (second) {
		gpu_second_fails(&session->base, "opencl-memory=shared", second);
	} else if (why || calibrate_rating(settings, session->base.cost) < copied) {
		session->may_copy = !why;
		return NULL;
	}
	use_copies(session);
	return why;
}

static void close_device(struct gpu_session *base)
{
	struct opencl_session *session = (struct opencl_session *)base;

	/* Releasing what has hung may hang, too. */
	if (!gpu_hung(base)) {
		if (session->program)
			cl.ReleaseProgram(session->program);
		if (session->context)
			cl.ReleaseContext(session->context);
	}
	free(session);
}

static struct gpu_session *create(struct gpu *gpu, const char **why)
{
	struct opencl_session *session = calloc(1, sizeof(*session));

	*why = "no memory";
	if (!session)
		return NULL;
	gpu_session_init(&session->base, gpu);
	*why = open_device(session);
	if (!*why)
		*why = choose_way(session);
	if (!*why)
		return &session->base;
	close_device(&session->base);
	return NULL;
}

/* What was measured was small; the channel's packets may be more than a buffer can be. */
static void fit(struct opencl_session *session, const struct channel *ch)
{
	size_t size = ch->geo.region[WAVECRYPT_REGION_SLOTS].size;

	if (!session->may_copy || opencl_memory_fits(session, size))
		return;
	log_notice("backend opencl: %s: the packets' %zu MiB are more than it can share: they are copied",
		   session->dev.name, size >> 20);
	use_copies(session);
	gpu_changed(&session->base);
}

static struct backend *open_instance(struct gpu_session *base,
				     const struct channel *ch, const char **why)
{
	struct opencl_session *session = (struct opencl_session *)base;
	struct opencl *o;
	cl_int err;

	fit(session, ch);
	o = opencl_create(session, ch, &err);
	if (o)
		return &o->be;
	*why = opencl_error(err);
	return NULL;
}

static void describe(const struct gpu_session *base, char *to, size_t room)
{
	const struct opencl_session *session = (const struct opencl_session *)base;
	const struct opencl_device *d = &session->dev;
	char way[64];

	gpu_name_mode(way, sizeof(way), opencl_way_name[session->way],
		      session->way == OPENCL_PERSISTENT ? opencl_persistent_most(session) : 0);
	snprintf(to, room,
		 "%s (%s, driver %s, %u compute units); way: %s, %s work-groups",
		 d->name, d->platform, d->driver, d->units,
		 way, base->shape == &wavecrypt_gpu_wide ? "wide" : "narrow");
}

const struct gpu_kind opencl_kind = {
	.ops = &opencl_backend,
	.create = create,
	.free = close_device,
	.open = open_instance,
	.close = opencl_destroy,
	.describe = describe,
};
