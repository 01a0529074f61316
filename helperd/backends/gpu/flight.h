/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An instance's chunks with the GPU. They come back in the order in which they were
 * submitted.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_FLIGHT_H
#define WAVECRYPT_BACKENDS_GPU_FLIGHT_H

#include "backends/gpu/device.h"
#include "backends/gpu/keys.h"
#include "lib/clock.h"

/**
 * struct gpu_flight - a chunk with the GPU, or room for one; kinds embed it
 * @chunk: the chunk, or NULL
 * @number: number of the chunk, counted from 1
 * @since: when it was submitted, in ticks
 */
struct gpu_flight {
	struct chunk *chunk;
	uint64_t number;
	uint64_t since;
};

/**
 * struct gpu_flights - all of an instance's, &backend.chunks of them
 * @first: the one that was submitted first of those with the GPU
 * @in_flight: how many are
 * @submitted: chunks submitted
 * @done: number of the last chunk that came back
 */
struct gpu_flights {
	uint32_t first;
	uint32_t in_flight;
	uint64_t submitted;
	uint64_t done;
};

/** gpu_flights_free - may a chunk be submitted now? */
static inline bool gpu_flights_free(const struct gpu_flights *fs,
				    const struct gpu_session *session,
				    struct backend *be)
{
	return fs->in_flight < be->chunks && gpu_good(session, be);
}

/** gpu_flights_next - index of the flight for it */
static inline uint32_t gpu_flights_next(const struct gpu_flights *fs,
					const struct backend *be)
{
	return (fs->first + fs->in_flight) % be->chunks;
}

/** gpu_flights_begin - that is to have a chunk */
static inline void gpu_flights_begin(const struct gpu_flights *fs,
				     struct gpu_flight *f, struct chunk *c)
{
	f->chunk = c;
	f->number = fs->submitted + 1;
	f->since = clock_ticks();
}

/** gpu_flights_go - and is with the GPU */
static inline void gpu_flights_go(struct gpu_flights *fs)
{
	fs->submitted++;
	fs->in_flight++;
}

/** gpu_flights_end - the first one came back. Return: its chunk */
static inline struct chunk *gpu_flights_end(struct gpu_flights *fs,
					    const struct backend *be,
					    struct gpu_flight *f)
{
	struct chunk *c = f->chunk;

	f->chunk = NULL;
	fs->first = (fs->first + 1) % be->chunks;
	fs->in_flight--;
	fs->done = f->number;
	return c;
}

/**
 * struct gpu_watch - looking at flights again and again
 * @since: since when without a break, in ticks
 * @last: when last, in ticks
 */
struct gpu_watch {
	uint64_t since;
	uint64_t last;
};

/**
 * gpu_flight_overdue - looked at, and not done: does it take longer than so many ns?
 * @f: the flight
 * @w: how one looks at it
 * @ns: so many
 *
 * Who could not look for half of that begins anew: perhaps all stood still meanwhile,
 * the GPU, too.
 */
static inline bool gpu_flight_overdue(const struct gpu_flight *f, struct gpu_watch *w,
				      uint64_t ns)
{
	uint64_t now = clock_ticks();

	if (clock_ns_of(now - w->last) > ns / 2)
		w->since = now;
	w->last = now;
	return clock_ns_of(now - f->since) > ns && clock_ns_of(now - w->since) > ns;
}

/**
 * gpu_refuse - a chunk goes back; what was done of it counts for nothing
 * @c: the chunk
 * @touched: the GPU may have written to its packets
 */
static inline void gpu_refuse(struct chunk *c, bool touched)
{
	c->failed = true;
	c->untouched = !touched;
	/* Done in part, perhaps: the module has the original. */
	for (uint32_t i = 0; touched && i < c->nr; i++)
		c->packets[i]->status = WAVECRYPT_STATUS_RETRY;
}

#endif
