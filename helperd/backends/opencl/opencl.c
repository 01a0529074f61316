// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instances, their chunks in flight, and what happens when something fails.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/gpu/describe.h"
#include "backends/opencl/opencl.h"
#include "lib/clock.h"
#include "lib/errand.h"
#include "lib/log.h"

/*
 * Asking OpenCL whether it is done costs as much as a packet does, and more where
 * others have to wait for it. So not sooner than this, nor than an eighth of the
 * time left until then by expectation, and not much later.
 */
#define POLL_NS		1000
#define POLL_LATEST_NS	20000

/* Most chunks of a worker's that are with the device, unless told. */
#define CHUNKS		3

/* A key's copy takes no less; asking whether it is done costs as much as a packet. */
#define KEYS_NS		(100 * NSEC_PER_USEC)

/* So long may the first launches take, while nobody waits for packets. */
#define COMPILE_NS	(300 * NSEC_PER_SEC)

/* Somebody in the driver may take so many times as long as a chunk may. */
#define IN_DRIVER	4

/**
 * struct ending - waiting until a queue has nothing at work
 * @queue: the queue
 * @errand: that waits
 * @watch: over that
 * @err: what it found
 */
struct ending {
	cl_command_queue queue;
	struct errand *errand;
	struct gpu_watch watch;
	cl_int err;
};

static const struct opencl_way_ops *const ways[OPENCL_WAYS] = {
	[OPENCL_COPY] = &opencl_copy,
	[OPENCL_SHARED] = &opencl_shared,
	[OPENCL_PERSISTENT] = &opencl_persistent,
};

static struct opencl *to_opencl(struct backend *be)
{
	return (struct opencl *)be;
}

/* Something failed: no more work for this device. Said once. */
static void lose(struct opencl *o, const char *what, cl_int err)
{
	struct opencl_session *session = o->session;

	if (o->be.state == BACKEND_GOOD)
		o->be.state = BACKEND_LOST;
	if (gpu_lose(&session->base, what, opencl_error(err)))
		log_err("backend opencl: %s (%s): %s: %s; the CPU does its work, and %s",
			o->be.dev->name, session->dev.name, what,
			opencl_error(err), gpu_outlook(&session->base));
}

/*
 * Packets were there, as they are outside of a tunnel, and a driver gives memory to
 * whoever asks for some next. A device that is lost is not asked.
 */
static void flight_wipe(const struct opencl *o, struct flight *f)
{
	const struct opencl_memory *host = &f->host, *device = &f->device;
	cl_int err = CL_SUCCESS;
	size_t n;

	if (!host->host)
		return;
	explicit_bzero(host->host, host->size);
	if (o->be.state != BACKEND_GOOD || !device->mem)
		return;
	for (size_t at = 0; !err && at < device->size; at += n) {
		n = device->size - at;
		if (n > host->size)
			n = host->size;
		err = cl.EnqueueWriteBuffer(f->queue, device->mem, CL_TRUE, at,
					    n, host->host, 0, NULL, NULL);
	}
}

static void drop_events(const struct opencl *o, struct flight *f)
{
	for (; f->nr_events; f->nr_events--)
		if (!gpu_hung(&o->session->base))
			cl.ReleaseEvent(f->events[f->nr_events - 1]);
}

static void flight_close(struct opencl *o, struct flight *f)
{
	drop_events(o, f);
	flight_wipe(o, f);
	opencl_memory_free(o->session, &f->host);
	opencl_memory_free(o->session, &f->device);
	if (f->kernel)
		cl.ReleaseKernel(f->kernel);
	if (f->queue)
		cl.ReleaseCommandQueue(f->queue);
}

static cl_int flight_open(struct opencl *o, struct flight *f)
{
	cl_int err;

	f->owner = o;
	if (!o->way->open_flight)
		return CL_SUCCESS;
	f->queue = cl.CreateCommandQueue(o->session->context, o->session->dev.id, 0,
					 &err);
	if (!f->queue)
		return err;
	f->kernel = cl.CreateKernel(o->session->program, o->way->kernel, &err);
	if (!f->kernel)
		return err;
	return o->way->open_flight(o, f);
}

static bool is_sent(const struct flight *f)
{
	return !__atomic_load_n(&f->unsent, __ATOMIC_ACQUIRE);
}

/* May a worker that hangs in the driver still want to send something of ours? */
static bool all_sent(const struct opencl *o)
{
	for (uint32_t i = 0; o->flights && i < o->be.chunks; i++)
		if (!is_sent(&o->flights[i]))
			return false;
	return true;
}

/* Is one of these commands to be done yet? Of a device that is lost nothing is. */
static bool at_work(const cl_event *events, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		cl_int status = CL_COMPLETE;
		cl_int err = cl.GetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS,
					     sizeof(status), &status, NULL);

		if (!err && status > CL_COMPLETE)
			return true;
	}
	return false;
}

/* The event of the kernel that all flights share, which is to come to an end, or NULL */
static cl_event stop(struct opencl *o)
{
	cl_event kernel = NULL;

	if (o->way->stop)
		o->way->stop(o, &kernel);
	return kernel;
}

static bool has_ended(struct opencl *o)
{
	cl_event kernel = stop(o);

	return !kernel || !cl.Finish(o->queue) || !at_work(&kernel, 1);
}

/* Where it hung, nothing that the device may still use is released. */
bool opencl_destroy(struct backend *be)
{
	struct opencl *o = to_opencl(be);
	struct opencl_session *session = o->session;
	bool released;

	session->base.residents -= o->way == &opencl_persistent;
	if (!gpu_hung(&session->base) && !has_ended(o)) {
		gpu_hang(&session->base);
		lose(o, "its kernel does not come to an end", CL_DEVICE_NOT_AVAILABLE);
	}
	if (o->way->close)
		o->way->close(o);
	released = !gpu_hung(&session->base);
	opencl_keys_exit(&o->keys, !released);
	if (released) {
		for (uint32_t i = 0; o->flights && i < be->chunks; i++)
			flight_close(o, &o->flights[i]);
		arena_put(session, o->arena);
		if (o->queue)
			cl.ReleaseCommandQueue(o->queue);
	}
	if (all_sent(o)) {
		free(o->flights);
		free(o);
	}
	return released;
}

static cl_int open_all(struct opencl *o)
{
	const struct channel *ch = o->ch;
	cl_int err;

	o->flights = calloc(o->be.chunks, sizeof(*o->flights));
	if (!o->flights)
		return CL_OUT_OF_HOST_MEMORY;
	o->queue = cl.CreateCommandQueue(o->session->context, o->session->dev.id, 0,
					 &err);
	if (!o->queue)
		return err;
	err = arena_get(o->session, ch, o->queue, &o->arena);
	if (!err)
		err = opencl_keys_init(&o->keys, o->session, ch);
	if (!err && o->way->open)
		err = o->way->open(o);
	for (uint32_t i = 0; !err && i < o->be.chunks; i++)
		err = flight_open(o, &o->flights[i]);
	return err;
}

/*
 * About four chunks keep the copy engines and the work-groups busy, from however
 * many workers. More would be smaller ones, each with as many calls of the driver.
 */
static uint32_t pipeline(const struct opencl_session *session)
{
	uint32_t users = gpu_users(&session->base);

	if (session->base.settings->chunks)
		return session->base.settings->chunks;
	return users > 3 ? 1 : users > 1 ? 2 : CHUNKS;
}

static const struct opencl_way_ops *choose_way(const struct opencl_session *session)
{
	if (session->way == OPENCL_PERSISTENT &&
	    session->base.residents >= opencl_persistent_most(session))
		return &opencl_shared;
	return ways[session->way];
}

struct opencl *opencl_create(struct opencl_session *session,
			     const struct channel *ch, cl_int *err)
{
	struct opencl *o = calloc(1, sizeof(*o));

	*err = CL_OUT_OF_HOST_MEMORY;
	if (!o)
		return NULL;
	o->session = session;
	o->ch = ch;
	o->way = choose_way(session);
	session->base.residents += o->way == &opencl_persistent;
	o->be.ops = &opencl_backend;
	o->be.dev = gpu_device_of(session->base.gpu);
	o->be.chunks = session->base.settings->chunks;
	if (!o->be.chunks)
		o->be.chunks = CHUNKS;
	o->be.pipeline = pipeline(session);
	o->be.chunk_max = session->base.settings->chunk;
	o->be.chunk_bytes = (uint64_t)session->base.settings->chunk_kib << 10;
	*err = open_all(o);
	if (*err) {
		opencl_destroy(&o->be);
		return NULL;
	}
	return o;
}

cl_int opencl_launch(const struct opencl *o, struct flight *f)
{
	size_t local = o->session->base.shape->lanes;
	size_t global = f->base.chunk->nr_parts * local;

	return opencl_enqueued(f, cl.EnqueueNDRangeKernel(f->queue, f->kernel, 1, NULL,
							  &global, &local, 0, NULL,
							  opencl_event(f)));
}

/*
 * Of a command that fails those behind it learn nothing: they are done with whatever
 * is there. So all are asked, but not before the last one is done: there is nothing
 * to wait for then, and one call is less than one for each.
 */
enum opencl_answer opencl_events_done(struct opencl *o, struct flight *f)
{
	cl_int status = CL_COMPLETE, err = CL_SUCCESS;

	if (!opencl_enter(o->session))
		return OPENCL_UNASKED;
	if (f->nr_events)
		err = cl.GetEventInfo(f->events[f->nr_events - 1],
				      CL_EVENT_COMMAND_EXECUTION_STATUS,
				      sizeof(status), &status, NULL);
	if (!err && status == CL_COMPLETE && f->nr_events > 1)
		err = cl.WaitForEvents(f->nr_events - 1, f->events);
	if (!err && status == CL_COMPLETE)
		drop_events(o, f);
	opencl_leave(o->session);
	if (err || status < 0)
		return opencl_failed(f, err ? err : status);
	return status == CL_COMPLETE ? OPENCL_DONE : OPENCL_AT_WORK;
}

static bool takes_slowly(struct opencl *o, const struct packet *p)
{
	bool there;
	cl_int err;

	if (gpu_lost(&o->session->base))
		return false;
	there = opencl_keys_bring(&o->keys, p, o->flying.done, &err);
	o->be.keys_pending = opencl_keys_pending(&o->keys);
	if (err)
		lose(o, "copying a key", err);
	return there;
}

static bool takes(struct backend *be, const struct packet *p)
{
	struct opencl *o = to_opencl(be);

	if (!gpu_fits(p) ||
	    !(opencl_keys_ready(&o->keys, p) || takes_slowly(o, p)))
		return false;
	gpu_keys_use(&o->keys.base, p, o->flying.submitted + 1);
	return true;
}

/* The flight's chunk goes back to the worker. */
static struct chunk *give_back(struct opencl *o, struct flight *f)
{
	drop_events(o, f);
	return gpu_flights_end(&o->flying, &o->be, &f->base);
}

/*
 * Commands of a flight may be at work, nobody knows for how long. Where they have
 * no access to the packets themselves those can be done by others. Where they
 * have, they cannot even be given back.
 */
static struct chunk *hung(struct opencl *o, struct flight *f)
{
	gpu_hang(&o->session->base);
	if (!is_sent(f) || f->touches) {
		o->be.state = BACKEND_HUNG;
		return NULL;
	}
	gpu_refuse(f->base.chunk, false);
	return give_back(o, f);
}

/* That it hung is known before others see that it is lost, and close what they have. */
static struct chunk *overdue(struct opencl *o, struct flight *f)
{
	gpu_hang(&o->session->base);
	lose(o, "a chunk does not come to an end", CL_DEVICE_NOT_AVAILABLE);
	return hung(o, f);
}

/* Some drivers compile once more when they first launch a kernel. */
static uint64_t timeout_ns(const struct opencl_session *session)
{
	return session->base.calibrating ? COMPILE_NS :
	       session->base.settings->timeout_ms * NSEC_PER_MSEC;
}

static void wait_for_end(void *context)
{
	struct ending *e = context;

	e->err = cl.Finish(e->queue);
}

static struct ending *ending_start(cl_command_queue queue)
{
	struct ending *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->queue = queue;
	e->errand = errand_start(wait_for_end, free, e);
	if (e->errand)
		return e;
	free(e);
	return NULL;
}

/* The queue has nothing at work, or has failed itself: then its commands tell. */
static enum opencl_answer ended(struct opencl *o, const struct flight *f, cl_int err)
{
	cl_event kernel = stop(o);
	bool busy = err && (kernel ? at_work(&kernel, 1) : at_work(f->events, f->nr_events));

	return busy ? OPENCL_FAILED : OPENCL_DONE;
}

/*
 * Is nothing at work any more on a flight that failed? A driver may never say so. Its
 * thread is left then; packets that have nothing to do with it do not wait for that.
 */
static enum opencl_answer quiet(struct opencl *o, const struct flight *f)
{
	struct ending *e = o->ending;
	cl_command_queue queue;
	cl_int err;

	if (!e) {
		queue = stop(o) ? o->queue : f->queue;
		e = ending_start(queue);
		if (!e)
			return ended(o, f, cl.Finish(queue));
	}
	o->ending = NULL;
	if (errand_join(e->errand, 0)) {
		err = e->err;
		free(e);
		return ended(o, f, err);
	}
	if (gpu_flight_overdue(&f->base, &e->watch, timeout_ns(o->session))) {
		errand_leave(e->errand);
		return OPENCL_FAILED;
	}
	o->ending = e;
	return OPENCL_AT_WORK;
}

/* A chunk failed. Whether its packets are as they were depends. */
static struct chunk *broken(struct opencl *o, struct flight *f)
{
	enum opencl_answer answer;

	lose(o, "a chunk failed", f->failed);
	answer = quiet(o, f);
	if (answer == OPENCL_AT_WORK) {
		o->next_poll = clock_ticks() + clock_ticks_of(POLL_LATEST_NS);
		return NULL;
	}
	if (answer == OPENCL_FAILED)
		return hung(o, f);
	gpu_refuse(f->base.chunk, f->touches);
	return give_back(o, f);
}

/* It may be done where it cannot be asked for, unless whoever is in there never returns. */
static bool is_overdue(struct opencl *o, const struct flight *f, enum opencl_answer answer)
{
	uint64_t ns = timeout_ns(o->session);

	if (answer == OPENCL_UNASKED)
		return gpu_flight_overdue(&f->base, &o->unasked, IN_DRIVER * ns);
	return gpu_flight_overdue(&f->base, &o->asked, ns);
}

static uint64_t patience_ns(const struct chunk *c, uint64_t now)
{
	double ns = (c->expected - clock_ns_of(now)) / 8;

	return ns < POLL_NS ? POLL_NS : ns < POLL_LATEST_NS ? ns : POLL_LATEST_NS;
}

static enum opencl_answer ask(struct opencl *o, struct flight *f)
{
	if (!is_sent(f))
		return OPENCL_UNASKED;
	return f->failed ? OPENCL_FAILED : o->way->done(o, f);
}

static struct chunk *poll(struct backend *be)
{
	struct opencl *o = to_opencl(be);
	struct flight *f = &o->flights[o->flying.first];
	uint64_t now = clock_ticks();
	enum opencl_answer answer;
	cl_int err = CL_SUCCESS;

	if (!o->flying.in_flight || be->state == BACKEND_HUNG ||
	    clock_ahead(o->next_poll, now, clock_ticks_of(POLL_LATEST_NS)))
		return NULL;
	answer = ask(o, f);
	if (answer == OPENCL_FAILED)
		return broken(o, f);
	if (answer == OPENCL_DONE) {
		if (o->way->finish)
			o->way->finish(o, f);
		if (o->keys.base.live.nr_stale)
			err = opencl_keys_expire(&o->keys, f->base.number);
		if (err)
			lose(o, "wiping keys", err);
		return give_back(o, f);
	}
	o->next_poll = now + clock_ticks_of(patience_ns(f->base.chunk, now));
	return is_overdue(o, f, answer) ? overdue(o, f) : NULL;
}

static bool submit(struct backend *be, struct chunk *c)
{
	struct opencl *o = to_opencl(be);
	struct flight *f = &o->flights[gpu_flights_next(&o->flying, be)];

	if (!gpu_flights_free(&o->flying, &o->session->base, be))
		return false;
	be->pipeline = pipeline(o->session);
	gpu_flights_begin(&o->flying, &f->base, c);
	f->touches = false;
	f->failed = CL_SUCCESS;
	f->unsent = o->way->send;
	o->way->describe(o, f);
	gpu_flights_go(&o->flying);
	o->next_poll = f->base.since;
	if (o->way->send)
		opencl_send(f);
	return true;
}

static void keys_changed(struct backend *be)
{
	struct opencl *o = to_opencl(be);
	uint64_t now = clock_ticks();
	cl_int err;

	be->keys_pending = true;
	if (clock_ahead(o->next_keys, now, clock_ticks_of(KEYS_NS)))
		return;
	o->next_keys = now + clock_ticks_of(KEYS_NS);
	err = opencl_keys_expire(&o->keys, o->flying.done);
	be->keys_pending = opencl_keys_pending(&o->keys);
	if (err)
		lose(o, "wiping keys", err);
}

static struct device *device(const struct gpu_settings *settings, const char *name)
{
	return gpu_device(&opencl_kind, settings, name);
}

static const char *look(const struct gpu_settings *settings, struct gpu_list *list)
{
	const char *why = opencl_api_load();
	struct opencl_devices all;

	(void)settings;
	if (!why)
		why = opencl_devices_look(&all);
	if (!why)
		*list = all.list;
	return why;
}

static const char *wanted(const struct gpu_settings *settings)
{
	return settings->opencl_device;
}

const struct backend_ops opencl_backend = {
	.name = "opencl",
	.look = look,
	.wanted = wanted,
	.device = device,
	GPU_BACKEND_OPS,
	.takes = takes,
	.submit = submit,
	.poll = poll,
	.keys_changed = keys_changed,
};
