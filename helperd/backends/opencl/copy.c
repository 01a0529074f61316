// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device with memory of its own: the copy engines bring packets there and
 * back, while other chunks are being worked on.
 *
 * Neighbouring slots are copied as they are, straight from and to the arena. A
 * packet between other chunks' packets is packed, by this CPU, with others of
 * its like: a copy of its own would cost more than it does.
 *
 * In the device's memory, and up to the runs in the host's:
 *
 *   groups | packets | packed payload |   ... | runs
 *
 * The kernel gets one address for groups, packets and data, so that all but the
 * runs are one copy. Packets begin at a multiple of their size, and indices count
 * from the beginning.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/gpu/describe.h"
#include "backends/opencl/opencl.h"
#include "lib/bitmap.h"

/* Neighbours that are worth a copy of their own, there and back. */
#define RUN_MIN		32

/* What the device reads at a time. */
#define ALIGN		128u

/* A packed payload begins at a multiple of this. */
#define PACK		32u

_Static_assert(WAVECRYPT_HEADROOM + WAVECRYPT_TAILROOM + PACK <=
	       BACKEND_PACKET_ROOM, "a chunk that is packed");

static size_t align_up(size_t n, size_t to)
{
	return (n + to - 1) & -to;
}

/* Where payload begins, if there are so many groups and packets. */
static size_t payload_at(uint32_t groups, uint32_t packets)
{
	return align_up(opencl_packets_at(groups) +
			packets * sizeof(struct wavecrypt_gpu_packet), ALIGN);
}

static size_t host_size(const struct opencl *o)
{
	return payload_at(o->be.chunk_max, o->be.chunk_max) +
	       align_up(o->be.chunk_bytes, ALIGN);
}

static cl_int copy_open(struct opencl *o)
{
	if (!o->arena->start || !o->session->base.settings->opencl_runs)
		return CL_SUCCESS;
	o->place = calloc(o->arena->slots, sizeof(*o->place));
	o->taken = calloc(BITMAP_WORDS(o->arena->slots), sizeof(*o->taken));
	return o->place && o->taken ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

static void copy_close(struct opencl *o)
{
	free(o->place);
	free(o->taken);
}

static cl_int copy_open_flight(struct opencl *o, struct flight *f)
{
	const struct opencl_memory *args[] = {
		&f->device, &f->device, &o->keys.memory, &f->device
	};
	cl_int err;

	err = opencl_memory_pinned(o->session, f->queue, &f->host, host_size(o));
	if (!err)
		err = opencl_memory_device(o->session, &f->device,
					   2 * host_size(o));
	for (cl_uint i = 0; !err && i < 4; i++)
		err = opencl_memory_argument(f->kernel, i, args[i]);
	return err;
}

/* Have slots @first to before @end copied as they are, if there is room. */
static bool add_run(struct opencl *o, struct flight *f, uint32_t first,
		    uint32_t end, size_t *room)
{
	const struct packet *last = f->base.chunk->packets[o->place[end - 1]];
	uint64_t at = o->arena->start[first];
	uint64_t stop = last->data + last->len + algs[last->alg].icv_len -
			o->arena->memory.host;
	size_t size = align_up(stop - at, ALIGN);
	struct run *run = &f->runs[f->nr_runs];

	if (end - first < RUN_MIN || f->nr_runs == OPENCL_RUNS || size > *room)
		return false;
	run->at = at;
	run->size = stop - at;
	run->device = 2 * host_size(o) - *room;
	*room -= size;
	f->nr_runs++;
	for (uint32_t i = first; i < end; i++)
		o->place[i] = run->device + o->arena->start[i] - at +
			      WAVECRYPT_HEADROOM;
	return true;
}

/* Find runs, and where each packet that is in one will be. */
static void find_runs(struct opencl *o, struct flight *f)
{
	uint32_t slots = o->arena->slots, per_queue = o->ch->geo.entries, end;
	size_t room = host_size(o);

	for (uint32_t i = 0; i < f->base.chunk->nr; i++) {
		uint32_t slot = f->base.chunk->packets[i]->slot;

		chunk_prefetch(f->base.chunk, i);
		bitmap_set(o->taken, slot);
		o->place[slot] = i;
	}
	for (uint32_t i = bitmap_next(o->taken, slots, 0); i < slots;
	     i = bitmap_next(o->taken, slots, end)) {
		end = bitmap_next_clear(o->taken, (i / per_queue + 1) * per_queue, i);
		if (!add_run(o, f, i, end, &room))
			memset(&o->place[i], 0, (end - i) * sizeof(o->place[0]));
	}
	memset(o->taken, 0, BITMAP_WORDS(slots) * sizeof(o->taken[0]));
}

/* Copy a packet behind those that are packed already. Return: where to. */
static size_t pack(struct flight *f, const struct packet *p)
{
	size_t at = align_up(f->end + p->aad_len, PACK);

	memcpy(f->host.host + at - p->aad_len, p->data - p->aad_len,
	       p->aad_len + p->len);
	f->end = at + p->len + algs[p->alg].icv_len;
	return at;
}

static void describe(struct opencl *o, struct flight *f)
{
	struct chunk *c = f->base.chunk;
	struct wavecrypt_gpu_group *groups = (void *)f->host.host;
	struct wavecrypt_gpu_packet *packets =
		(void *)(f->host.host + opencl_packets_at(c->nr_parts));
	uint32_t first = opencl_packets_at(c->nr_parts) / sizeof(*packets);

	for (uint32_t i = 0; i < c->nr_parts; i++)
		gpu_group(&groups[i], &c->parts[i], first);
	f->payload = payload_at(c->nr_parts, c->nr);
	f->end = f->payload;
	c->runs = f->nr_runs;
	c->packed = 0;
	for (uint32_t i = 0; i < c->nr; i++) {
		const struct packet *p = c->packets[i];
		size_t at = o->place ? o->place[p->slot] : 0;

		chunk_prefetch_iv(c, i);
		if (!at) {
			at = pack(f, p);
			c->packed++;
		}
		gpu_packet(&packets[i], p, at);
		gpu_keys_use(&o->keys.base, p, f->base.number);
	}
}

static cl_int write_to(struct flight *f, size_t at, size_t size, const uint8_t *from)
{
	return opencl_enqueued(f, cl.EnqueueWriteBuffer(f->queue, f->device.mem, CL_FALSE,
							at, size, from, 0, NULL,
							opencl_event(f)));
}

static cl_int read_from(struct flight *f, size_t at, size_t size, uint8_t *to)
{
	return opencl_enqueued(f, cl.EnqueueReadBuffer(f->queue, f->device.mem, CL_FALSE,
						       at, size, to, 0, NULL,
						       opencl_event(f)));
}

static cl_int copy_in(struct opencl *o, struct flight *f)
{
	cl_int err = write_to(f, 0, f->end, f->host.host);

	for (uint32_t i = 0; !err && i < f->nr_runs; i++)
		err = write_to(f, f->runs[i].device, f->runs[i].size,
			       o->arena->memory.host + f->runs[i].at);
	return err;
}

static cl_int copy_out(struct opencl *o, struct flight *f)
{
	cl_int err = CL_SUCCESS;

	if (f->end > f->payload)
		err = read_from(f, f->payload, f->end - f->payload,
				f->host.host + f->payload);
	for (uint32_t i = 0; !err && i < f->nr_runs; i++) {
		err = read_from(f, f->runs[i].device, f->runs[i].size,
				o->arena->memory.host + f->runs[i].at);
		f->touches = f->touches || !err;
	}
	return err;
}

static void copy_describe(struct opencl *o, struct flight *f)
{
	f->nr_runs = 0;
	if (o->place)
		find_runs(o, f);
	describe(o, f);
}

static cl_int copy_send(struct opencl *o, struct flight *f)
{
	cl_int err = copy_in(o, f);

	if (!err)
		err = opencl_launch(o, f);
	if (!err)
		err = copy_out(o, f);
	return err ? err : cl.Flush(f->queue);
}

static void copy_finish(struct opencl *o, struct flight *f)
{
	const struct chunk *c = f->base.chunk;
	const struct wavecrypt_gpu_packet *packets =
		(const void *)(f->host.host + opencl_packets_at(c->nr_parts));

	(void)o;
	if (f->end == f->payload)
		return;
	for (uint32_t i = 0; i < c->nr; i++) {
		const struct packet *p = c->packets[i];

		if (packets[i].data < f->end)
			memcpy(p->data, f->host.host + packets[i].data,
			       p->len + algs[p->alg].icv_len);
	}
}

const struct opencl_way_ops opencl_copy = {
	.kernel = "wavecrypt_batch",
	.open = copy_open,
	.open_flight = copy_open_flight,
	.describe = copy_describe,
	.send = copy_send,
	.done = opencl_events_done,
	.finish = copy_finish,
	.close = copy_close,
};
