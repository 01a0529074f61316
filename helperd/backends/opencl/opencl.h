/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An instance: one worker's use of the device.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_OPENCL_OPENCL_H
#define WAVECRYPT_BACKENDS_OPENCL_OPENCL_H

#include "backends/gpu/flight.h"
#include "backends/gpu/ring.h"
#include "backends/opencl/arena.h"
#include "backends/opencl/keys.h"

struct opencl;

/** OPENCL_RUNS - most runs of slots that are copied as they are, in one chunk */
#define OPENCL_RUNS	64

/** OPENCL_COMMANDS - most commands of a chunk: the kernel, and copies there and back */
#define OPENCL_COMMANDS	(1 + 2 * (1 + OPENCL_RUNS))

/**
 * struct run - neighbouring slots that are copied in one go
 * @at: where they begin in the arena
 * @size: bytes
 * @device: where they go in the device's memory
 */
struct run {
	uint64_t at;
	size_t size;
	size_t device;
};

/**
 * struct flight - a chunk with the device, or room for one
 * @base: what any GPU's have
 * @owner: whose it is
 * @next: the one that has waited to be sent for longer
 * @unsent: it waits to be sent, or is being sent, by whichever worker
 * @touches: the device may write to the chunk's packets
 * @failed: what went wrong: with sending it, or later
 * @queue: its commands, one after another
 * @kernel: the kernel, with the arguments of this flight
 * @nr_events: number of events
 * @events: of its commands, in their order: the last one's is waited for
 * @host: groups, packets, and for a copy payload, as the host sees them
 * @device: for a copy, the same and more as the device does
 * @payload: where payload begins in @host
 * @end: where it ends
 * @nr_runs: number of runs
 * @runs: runs that are copied beside that
 * @ticket: for a persistent kernel: its place in the ring
 */
struct flight {
	struct gpu_flight base;
	struct opencl *owner;
	struct flight *next;
	bool unsent;
	bool touches;
	cl_int failed;
	cl_command_queue queue;
	cl_kernel kernel;
	uint32_t nr_events;
	cl_event events[OPENCL_COMMANDS];
	struct opencl_memory host;
	struct opencl_memory device;
	size_t payload;
	size_t end;
	uint32_t nr_runs;
	struct run runs[OPENCL_RUNS];
	struct gpu_ticket ticket;
};

/**
 * enum opencl_answer - is a flight done?
 * @OPENCL_DONE: it is
 * @OPENCL_AT_WORK: not yet
 * @OPENCL_UNASKED: nobody knows: it was not sent yet, or another worker is in the driver
 * @OPENCL_FAILED: it never will be; &flight.failed says why
 */
enum opencl_answer {
	OPENCL_DONE,
	OPENCL_AT_WORK,
	OPENCL_UNASKED,
	OPENCL_FAILED,
};

/** opencl_failed - a flight has */
static inline enum opencl_answer opencl_failed(struct flight *f, cl_int err)
{
	f->failed = err;
	return OPENCL_FAILED;
}

/**
 * struct opencl_way_ops - one way for packets to get to the device and back
 * @kernel: name of the kernel
 * @open: what an instance needs besides; NULL: nothing
 * @open_flight: what a flight needs
 * @describe: describe a flight's chunk to the device
 * @send: have the device do it, by whichever worker; NULL: it does already
 * @done: has it?
 * @finish: put the results where they belong; NULL: they are there
 * @stop: have the kernel that all flights share, in the instance's queue, come to an end,
 *	if @open got that far: then it says which event is that one's. NULL: each has its own.
 * @close: give back what @open took, even if that failed, but for what a device
 *	that hung may use; NULL: nothing
 */
struct opencl_way_ops {
	const char *kernel;
	cl_int (*open)(struct opencl *o);
	cl_int (*open_flight)(struct opencl *o, struct flight *f);
	void (*describe)(struct opencl *o, struct flight *f);
	cl_int (*send)(struct opencl *o, struct flight *f);
	enum opencl_answer (*done)(struct opencl *o, struct flight *f);
	void (*finish)(struct opencl *o, struct flight *f);
	void (*stop)(struct opencl *o, cl_event *kernel);
	void (*close)(struct opencl *o);
};

extern const struct opencl_way_ops opencl_copy;
extern const struct opencl_way_ops opencl_shared;
extern const struct opencl_way_ops opencl_persistent;

/** opencl_persistent_groups - work-groups of a persistent kernel; 0: there is room for none */
unsigned int opencl_persistent_groups(const struct opencl_session *session);

/**
 * opencl_persistent_most - how many persistent kernels can run at once?
 *
 * Work-groups that never leave keep all others out for ever, so that instances beyond
 * these have to have each chunk launched.
 */
unsigned int opencl_persistent_most(const struct opencl_session *session);

/**
 * struct opencl - an instance
 * @be: what the worker sees
 * @session: what all have in common
 * @way: how packets get to the device
 * @ch: channel
 * @queue: for what belongs to no flight
 * @arena: the channel's packets
 * @keys: key table
 * @flights: &backend.chunks of them
 * @flying: which are with the device
 * @next_poll: do not look again before, in ticks
 * @next_keys: likewise, at what becomes of keys
 * @asked: watch over flights that could be asked for
 * @unasked: over those that could not
 * @ending: waits for the commands of the first flight, which failed, or NULL
 * @place: for a copy: by slot, where a packet's payload lies in the device's
 *	memory; 0: it is not in a run
 * @taken: for a copy: bit for each slot that the chunk in hand has
 * @persistent: what the persistent kernel needs
 */
struct opencl {
	struct backend be;
	struct opencl_session *session;
	const struct opencl_way_ops *way;
	const struct channel *ch;
	cl_command_queue queue;
	struct arena *arena;
	struct opencl_keys keys;
	struct flight *flights;
	struct gpu_flights flying;
	uint64_t next_poll;
	uint64_t next_keys;
	struct gpu_watch asked;
	struct gpu_watch unasked;
	struct ending *ending;
	uint32_t *place;
	uint64_t *taken;
	struct persistent *persistent;
};

/**
 * opencl_packets_at - where packets begin behind so many groups
 *
 * At a multiple of their size, for kernels count them from where groups begin.
 */
static inline size_t opencl_packets_at(uint32_t groups)
{
	size_t size = sizeof(struct wavecrypt_gpu_packet);

	return (groups * sizeof(struct wavecrypt_gpu_group) + size - 1) & -size;
}

/**
 * opencl_create - an instance
 * @session: the device in use
 * @ch: channel
 * @err: what failed, if something did
 */
struct opencl *opencl_create(struct opencl_session *session,
			     const struct channel *ch, cl_int *err);

/**
 * opencl_destroy - free an instance that has no chunks, unless it hung
 *
 * Return: false if it hung.
 */
bool opencl_destroy(struct backend *be);

/** opencl_event - where the event of a flight's next command is to be put */
static inline cl_event *opencl_event(struct flight *f)
{
	return &f->events[f->nr_events];
}

/** opencl_enqueued - what came of enqueueing that command; the same again */
static inline cl_int opencl_enqueued(struct flight *f, cl_int err)
{
	f->nr_events += !err;
	return err;
}

/** opencl_launch - enqueue a flight's kernel, a work-group for each part */
cl_int opencl_launch(const struct opencl *o, struct flight *f);

/**
 * opencl_enter - may this worker call the driver now?
 *
 * For calls that are made for every chunk. true: opencl_leave() afterwards.
 */
bool opencl_enter(struct opencl_session *session);

/** opencl_leave - send what others have brought meanwhile, and let others in */
void opencl_leave(struct opencl_session *session);

/** opencl_send - have a flight sent, now or by the worker that is in the driver */
void opencl_send(struct flight *f);

/** opencl_events_done - for &opencl_way_ops.done: have the flight's commands been done? */
enum opencl_answer opencl_events_done(struct opencl *o, struct flight *f);

/** opencl_backend - the "opencl" backend */
extern const struct backend_ops opencl_backend;

#endif
