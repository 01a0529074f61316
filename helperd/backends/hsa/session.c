// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/gpu/calibrate.h"
#include "backends/hsa/instance.h"
#include "backends/hsa/runtime.h"

/* The persistent kernel has to be that much better: it keeps the GPU awake. */
#define WORTH	0.9

static const char *try_mode(struct hsa_session *session, enum hsa_mode mode,
			    bool timed)
{
	session->mode = mode;
	return calibrate(&session->base, timed);
}

static bool has_room(const struct hsa_session *session)
{
	return gpu_has_room(&session->base, hsa_persistent_groups(session), "hsa-groups",
			    session->base.settings->hsa_groups, "room left for other work",
			    "there is no room for a persistent kernel: every batch is dispatched");
}

/* Instances that there is no room for dispatch: that is to be right, too. */
static const char *try_persistent(struct hsa_session *session, bool timed)
{
	bool room = has_room(session);
	const char *why = try_mode(session, HSA_MODE_DISPATCH, timed && !room);

	return why || !room ? why : try_mode(session, HSA_MODE_PERSISTENT, timed);
}

static const char *choose_mode(struct hsa_session *session)
{
	const struct gpu_settings *settings = session->base.settings;
	struct backend_cost cost[ALG_KINDS];
	const char *why;
	double rating;

	if (settings->hsa_mode == HSA_MODE_PERSISTENT)
		return try_persistent(session, settings->balance);
	if (settings->hsa_mode == HSA_MODE_DISPATCH)
		return try_mode(session, HSA_MODE_DISPATCH, settings->balance);
	why = try_mode(session, HSA_MODE_DISPATCH, true);
	if (why || !gpu_may_try_second(&session->base) || !has_room(session))
		return why;
	memcpy(cost, session->base.cost, sizeof(cost));
	rating = calibrate_rating(settings, cost);
	why = try_mode(session, HSA_MODE_PERSISTENT, true);
	if (why)
		gpu_second_fails(&session->base, "hsa-mode=persistent", why);
	else if (calibrate_rating(settings, session->base.cost) < WORTH * rating)
		return NULL;
	memcpy(session->base.cost, cost, sizeof(cost));
	session->mode = HSA_MODE_DISPATCH;
	return NULL;
}

static void know_others(struct hsa_session *session, const struct hsa_machine *m)
{
	const struct gpu_settings *settings = session->base.settings;
	struct gpu_chosen others;
	char why[GPU_WHY];

	hsa_gpus_add(&session->gpus, session->gpu->agent);
	/* Where one is missing, there are still the others. */
	session->lacks = !gpu_choose(&m->list, settings->hsa_device, &others, why);
	for (unsigned int i = 0; i < others.nr; i++)
		hsa_gpus_add(&session->gpus, m->gpus[others.number[i]].agent);
}

/* One that was missing may be there by now: the next memory is to be locked for it, too. */
static void look_for_others(struct hsa_session *session)
{
	struct hsa_machine now;

	if (session->lacks && !hsa_machine_look(&now, session->base.settings->hsa_code))
		know_others(session, &now);
}

static const char *choose_gpu(struct hsa_session *session)
{
	struct hsa_machine *m = &session->machine;
	const char *why = hsa_machine_look(m, session->base.settings->hsa_code);
	unsigned int number;

	if (why || !gpu_choose_one(&session->base, &m->list, &number, &why))
		return why;
	session->gpu = &m->gpus[number];
	session->found = &m->list.device[number];
	strcpy(session->base.where, session->found->address);
	hsa_runtime_forgive(session->gpu->agent);
	hsa_machine_near(m, session->gpu);
	know_others(session, m);
	return NULL;
}

static const char *open_gpu(struct hsa_session *session)
{
	const struct gpu_settings *settings = session->base.settings;
	const char *why = choose_gpu(session);

	if (why)
		return why;
	why = hsa_code_load(&session->code, session->gpu->agent, settings->hsa_code,
			    session->found->isa);
	if (why)
		return why;
	return choose_mode(session);
}

static void close_gpu(struct gpu_session *base)
{
	struct hsa_session *session = (struct hsa_session *)base;

	/* Releasing what has hung may hang, too. */
	if (!gpu_hung(base))
		hsa_code_unload(&session->code);
	hsa_runtime_stop(gpu_hung(base));
	free(session);
}

static struct gpu_session *create(struct gpu *gpu, const char **why)
{
	struct hsa_session *session;

	*why = hsa_api_load();
	if (!*why)
		*why = hsa_runtime_start();
	if (*why)
		return NULL;
	session = calloc(1, sizeof(*session));
	if (!session) {
		*why = "no memory";
		hsa_runtime_stop(false);
		return NULL;
	}
	gpu_session_init(&session->base, gpu);
	*why = open_gpu(session);
	if (!*why)
		return &session->base;
	close_gpu(&session->base);
	return NULL;
}

static struct backend *open_instance(struct gpu_session *session,
				     const struct channel *ch, const char **why)
{
	struct hsa_instance *in;
	hsa_status_t status;

	look_for_others((struct hsa_session *)session);
	in = hsa_instance_create((struct hsa_session *)session, ch, &status);
	if (in)
		return &in->be;
	*why = hsa_error(status);
	return NULL;
}

static void describe(const struct gpu_session *base, char *to, size_t room)
{
	const struct hsa_session *session = (const struct hsa_session *)base;
	const struct gpu_found *f = session->found;
	char mode[64];

	gpu_name_mode(mode, sizeof(mode), gpu_hsa_mode_name[session->mode],
		      session->mode == HSA_MODE_PERSISTENT ? hsa_persistent_most(session) : 0);
	snprintf(to, room,
		 "%s at %s (%s, %s, %u compute units); mode: %s; runtime: %s, version %s",
		 f->isa, f->address, f->name, f->kind, session->gpu->units,
		 mode, hsa_api_path(), hsa_api_version());
}

const struct gpu_kind hsa_kind = {
	.ops = &hsa_backend,
	.stuck = "it hung, and the runtime does not give it back; the daemon has to be restarted",
	.create = create,
	.free = close_gpu,
	.open = open_instance,
	.close = hsa_instance_destroy,
	.describe = describe,
};
