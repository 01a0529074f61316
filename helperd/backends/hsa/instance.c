// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instances, their chunks in flight, and what happens when something fails.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>

#include "backends/gpu/describe.h"
#include "backends/hsa/instance.h"
#include "backends/hsa/runtime.h"
#include "lib/clock.h"
#include "lib/log.h"

/* Arguments begin where the GPU's cache lines do. */
#define LINE		64u

/* Chunks that keep the GPU busy: one at work, the next one there already. */
#define CHUNKS		2

/* The kernel's driver waits 9 s for a GPU that has hung, and then resets it. */
#define RESET_NS	(11 * NSEC_PER_SEC)

/* Turns of polling after which to see whether the GPU is still there. */
#define LOOK_AFTER	1024

static struct hsa_instance *to_instance(struct backend *be)
{
	return (struct hsa_instance *)be;
}

/*
 * Something failed: no more work for this GPU. Its queue is taken from it, after
 * which it writes to packets no more; if that fails, nobody knows.
 */
static void lose(struct hsa_instance *in, const char *what, const char *error)
{
	struct hsa_session *session = in->session;

	in->be.state = BACKEND_LOST;
	in->watch = (struct gpu_watch){ 0 };
	hsa_aql_abort(&in->aql);
	if (gpu_lose(&session->base, what, error))
		log_err("backend hsa: %s (%s, %s): %s%s%s; the CPU does its work, and %s",
			in->be.dev->name, session->found->isa,
			session->found->name, what, error ? ": " : "",
			error ? error : "", gpu_outlook(&session->base));
}

static uint32_t argument_size(const struct hsa_code *code)
{
	uint32_t size = code->batch.arguments > code->persistent.arguments ?
			code->batch.arguments : code->persistent.arguments;

	return (size + LINE - 1) & -LINE;
}

static hsa_status_t allocate(struct hsa_instance *in)
{
	uint32_t all = in->be.chunks * in->be.chunk_max;
	const struct hsa_machine *m = &in->session->machine;
	hsa_agent_t gpu = in->session->gpu->agent;
	hsa_status_t status;

	in->flights = calloc(in->be.chunks, sizeof(*in->flights));
	if (!in->flights)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	/* All that can be in flight, so that a place is always free. */
	in->places = gpu_ring_places(all);
	in->argument_size = argument_size(&in->session->code);
	status = hsa_shared_alloc(m->fine, gpu,
				  in->places * sizeof(*in->groups),
				  (void **)&in->groups);
	if (!status)
		status = hsa_shared_alloc(m->fine, gpu,
					  all * sizeof(*in->packets),
					  (void **)&in->packets);
	if (!status)
		status = hsa_shared_alloc(m->kernarg, gpu,
					  in->be.chunks * in->argument_size,
					  (void **)&in->arguments);
	return status;
}

static hsa_status_t open_all(struct hsa_instance *in)
{
	struct hsa_session *session = in->session;
	hsa_status_t status;

	status = allocate(in);
	if (!status)
		status = hsa_aql_open(&in->aql, session->gpu->agent);
	if (!status)
		status = hsa_arena_get(&session->machine, &session->gpus,
				       session->gpu->agent, in->ch, &in->arena);
	if (!status)
		status = hsa_keys_init(&in->keys, &session->machine,
				       session->gpu->agent, in->ch);
	if (!status)
		status = in->mode->open(in);
	return status;
}

static uint64_t timeout_ns(const struct hsa_instance *in)
{
	return in->session->base.settings->timeout_ms * NSEC_PER_MSEC;
}

/* false: the GPU may still be at work. */
static bool close_queue(struct hsa_instance *in)
{
	enum hsa_aborted aborted = hsa_aql_aborted(&in->aql, timeout_ns(in) + RESET_NS);

	if (aborted == HSA_ABORTING)
		hsa_aql_leave(&in->aql);
	return aborted == HSA_ABORTED && hsa_aql_close(&in->aql, !in->mode->end(in));
}

/* Where it hung, nothing that the GPU may still use is released. */
bool hsa_instance_destroy(struct backend *be)
{
	struct hsa_instance *in = to_instance(be);
	struct hsa_session *session = in->session;
	bool released;

	session->base.residents -= in->mode == &hsa_persistent;
	if (be->state != BACKEND_HUNG && !close_queue(in)) {
		gpu_hang(&session->base);
		lose(in, "it does not let go of a queue", NULL);
	}
	released = !gpu_hung(&session->base);
	hsa_keys_exit(&in->keys, !released);
	if (released) {
		if (in->flights)
			in->mode->close(in);
		hsa_arena_put(in->arena);
		hsa_shared_free(in->groups);
		hsa_shared_free(in->packets);
		hsa_shared_free(in->arguments);
	}
	free(in->flights);
	/* A queue that is still there may write its error to it. */
	if (released)
		free(in);
	return released;
}

static const struct hsa_mode_ops *choose_mode(const struct hsa_session *session)
{
	return session->mode == HSA_MODE_PERSISTENT &&
	       session->base.residents < hsa_persistent_most(session) ?
	       &hsa_persistent : &hsa_dispatch;
}

struct hsa_instance *hsa_instance_create(struct hsa_session *session,
					 const struct channel *ch,
					 hsa_status_t *status)
{
	struct hsa_instance *in = calloc(1, sizeof(*in));

	*status = HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	if (!in)
		return NULL;
	in->session = session;
	in->ch = ch;
	in->mode = choose_mode(session);
	session->base.residents += in->mode == &hsa_persistent;
	in->be.ops = &hsa_backend;
	in->be.dev = gpu_device_of(session->base.gpu);
	in->be.chunks = session->base.settings->chunks;
	if (!in->be.chunks)
		in->be.chunks = CHUNKS;
	in->be.pipeline = in->be.chunks;
	in->be.chunk_max = session->base.settings->chunk;
	*status = open_all(in);
	if (*status) {
		hsa_instance_destroy(&in->be);
		return NULL;
	}
	return in;
}

static bool takes(struct backend *be, const struct packet *p)
{
	struct hsa_instance *in = to_instance(be);

	if (!gpu_fits(p) ||
	    !(gpu_keys_have(&in->keys.base, p) ||
	      gpu_keys_put(&in->keys.base, p, in->flying.done)))
		return false;
	gpu_keys_use(&in->keys.base, p, in->flying.submitted + 1);
	return true;
}

static bool submit(struct backend *be, struct chunk *c)
{
	struct hsa_instance *in = to_instance(be);
	struct hsa_flight *f = &in->flights[gpu_flights_next(&in->flying, be)];

	if (!gpu_flights_free(&in->flying, &in->session->base, be))
		return false;
	gpu_flights_begin(&in->flying, &f->base, c);
	gpu_packets(in->packets + hsa_instance_index(in, f) * be->chunk_max, c,
		    f->base.number, &in->keys.base);
	if (!in->mode->submit(in, f)) {
		f->base.chunk = NULL;
		lose(in, "its queue does not move on", NULL);
		return false;
	}
	gpu_flights_go(&in->flying);
	return true;
}

static bool overdue(struct hsa_instance *in, const struct hsa_flight *f)
{
	return gpu_flight_overdue(&f->base, &in->watch, timeout_ns(in));
}

/* Is there a reason why a chunk that is not done will never be? */
static void look_after(struct hsa_instance *in, const struct hsa_flight *f)
{
	hsa_status_t error = hsa_aql_error(&in->aql);

	if (error)
		lose(in, "it stopped working", hsa_error(error));
	else if (hsa_runtime_fault(in->session->gpu->agent))
		lose(in, "a memory fault or a reset", NULL);
	else if (overdue(in, f))
		lose(in, "a chunk does not come to an end", NULL);
	else if (++in->turns % LOOK_AFTER == 0 && !in->mode->alive(in))
		lose(in, "its kernel has failed", NULL);
}

/* Is the lost queue no longer the GPU's? Lanes do not wait for that. */
static bool is_taken(struct hsa_instance *in, const struct hsa_flight *f)
{
	enum hsa_aborted aborted = hsa_aql_aborted(&in->aql, 0);

	if (aborted == HSA_ABORTING &&
	    gpu_flight_overdue(&f->base, &in->watch, timeout_ns(in) + RESET_NS)) {
		hsa_aql_leave(&in->aql);
		aborted = HSA_NOT_ABORTED;
	}
	if (aborted == HSA_NOT_ABORTED) {
		in->be.state = BACKEND_HUNG;
		gpu_hang(&in->session->base);
	}
	return aborted == HSA_ABORTED;
}

static struct chunk *answer(struct hsa_instance *in, struct hsa_flight *f)
{
	struct chunk *c = gpu_flights_end(&in->flying, &in->be, &f->base);

	if (in->keys.base.live.nr_stale)
		hsa_keys_expire(&in->keys, in->flying.done);
	return c;
}

static struct chunk *poll(struct backend *be)
{
	struct hsa_instance *in = to_instance(be);
	struct hsa_flight *f = &in->flights[in->flying.first];

	if (!in->flying.in_flight || be->state == BACKEND_HUNG)
		return NULL;
	if (in->mode->done(in, f))
		return answer(in, f);
	if (in->aql.queue)
		look_after(in, f);
	if (in->aql.queue || !is_taken(in, f))
		return NULL;
	gpu_refuse(f->base.chunk, true);
	return answer(in, f);
}

static void keys_changed(struct backend *be)
{
	struct hsa_instance *in = to_instance(be);

	hsa_keys_expire(&in->keys, in->flying.done);
}

static struct device *device(const struct gpu_settings *settings, const char *name)
{
	return gpu_device(&hsa_kind, settings, name);
}

static const char *look(const struct gpu_settings *settings, struct gpu_list *list)
{
	const char *why = hsa_api_load();
	struct hsa_machine machine;

	if (!why)
		why = hsa_runtime_start();
	if (why)
		return why;
	why = hsa_machine_look(&machine, settings->hsa_code);
	if (!why)
		*list = machine.list;
	hsa_runtime_stop(false);
	return why;
}

static const char *wanted(const struct gpu_settings *settings)
{
	return settings->hsa_device;
}

const struct backend_ops hsa_backend = {
	.name = "hsa",
	.look = look,
	.wanted = wanted,
	.device = device,
	GPU_BACKEND_OPS,
	.takes = takes,
	.submit = submit,
	.poll = poll,
	.keys_changed = keys_changed,
};
