// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "backends/opencl/keys.h"

/* The host's copy: of each key until it is found to have been copied, then zeros. */
static cl_int make_copy(struct opencl_keys *k)
{
	void *host = mmap(NULL, gpu_keys_size(&k->base), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (host == MAP_FAILED)
		return CL_OUT_OF_HOST_MEMORY;
	madvise(host, gpu_keys_size(&k->base), MADV_DONTDUMP);
	k->base.host = host;
	return CL_SUCCESS;
}

cl_int opencl_keys_init(struct opencl_keys *k, const struct opencl_session *session,
			const struct channel *ch)
{
	cl_int err;

	memset(k, 0, sizeof(*k));
	k->session = session;
	k->key = calloc(ch->geo.keys, sizeof(*k->key));
	k->copies = calloc(ch->geo.keys, sizeof(*k->copies));
	if (!gpu_keys_init(&k->base, ch) || !k->key || !k->copies)
		return CL_OUT_OF_HOST_MEMORY;
	if (session->way != OPENCL_COPY) {
		err = opencl_memory_shared(session, &k->memory, gpu_keys_size(&k->base));
		k->base.host = (void *)k->memory.host;
		return err;
	}
	k->queue = cl.CreateCommandQueue(session->context, session->dev.id, 0, &err);
	if (!k->queue)
		return err;
	err = opencl_memory_device(session, &k->memory, gpu_keys_size(&k->base));
	if (!err)
		err = make_copy(k);
	/* An empty table is zeros, whatever the memory held before. */
	if (!err)
		err = cl.EnqueueWriteBuffer(k->queue, k->memory.mem, CL_TRUE, 0,
					    gpu_keys_size(&k->base), k->base.host,
					    0, NULL, NULL);
	return err;
}

static cl_int enqueue(struct opencl_keys *k, uint32_t index, cl_event *event)
{
	size_t size = sizeof(k->base.host[0]);

	return cl.EnqueueWriteBuffer(k->queue, k->memory.mem, CL_FALSE, index * size,
				     size, &k->base.host[index], 0, NULL, event);
}

/* Copy a place of the host's table to the device's; it is not being copied. */
static cl_int copy(struct opencl_keys *k, uint32_t index)
{
	cl_int err = enqueue(k, index, &k->key[index].copied);

	if (err)
		return err;
	k->copies[k->end++ % k->base.nr] = index;
	return cl.Flush(k->queue);
}

/* Is the first of the copies at an end? The host's part of it is wiped then. */
static bool first_copied(struct opencl_keys *k, cl_int *err)
{
	uint32_t index = k->copies[k->first % k->base.nr];
	struct opencl_key *key = &k->key[index];
	cl_int status = CL_QUEUED;

	*err = cl.GetEventInfo(key->copied, CL_EVENT_COMMAND_EXECUTION_STATUS,
			       sizeof(status), &status, NULL);
	if (!*err && status < 0)
		*err = status;
	if (*err || status != CL_COMPLETE)
		return false;
	cl.ReleaseEvent(key->copied);
	key->copied = NULL;
	gpu_keys_wipe(&k->base, index);
	k->first++;
	return true;
}

static void look_at_copies(struct opencl_keys *k, cl_int *err)
{
	*err = CL_SUCCESS;
	while (k->first != k->end && first_copied(k, err))
		;
}

bool opencl_keys_bring(struct opencl_keys *k, const struct packet *p,
		       uint64_t done, cl_int *err)
{
	struct opencl_key *key = &k->key[p->key_index];

	look_at_copies(k, err);
	if (*err || key->copied)
		return false;
	if (gpu_keys_have(&k->base, p)) {
		key->ready = true;
		return true;
	}
	if (!gpu_keys_put(&k->base, p, done))
		return false;
	key->ready = !k->queue;
	if (k->queue)
		*err = copy(k, p->key_index);
	return key->ready;
}

/* Wipe a place; false: not yet possible, or no more, for something failed. */
static bool wipe(void *with, uint32_t index)
{
	struct opencl_keys *k = with;

	if (k->err || gpu_keys_busy(&k->base, index, k->done) || k->key[index].copied)
		return false;
	gpu_keys_wipe(&k->base, index);
	if (k->queue)
		k->err = copy(k, index);
	k->key[index].ready = false;
	return !k->err;
}

cl_int opencl_keys_expire(struct opencl_keys *k, uint64_t done)
{
	k->done = done;
	look_at_copies(k, &k->err);
	gpu_keys_expire(&k->base, wipe, k);
	return k->err;
}

/* Zeros for everything that is or may be there. false: copies may be under way. */
static bool wipe_all(struct opencl_keys *k)
{
	bool good = true;

	for (uint32_t i = 0; i < k->base.live.nr; i++) {
		uint32_t index = k->base.live.index[i];

		gpu_keys_wipe(&k->base, index);
		if (k->queue)
			enqueue(k, index, NULL);
	}
	if (k->queue)
		good = !cl.Finish(k->queue);
	for (; k->first != k->end; k->first++)
		cl.ReleaseEvent(k->key[k->copies[k->first % k->base.nr]].copied);
	return good;
}

void opencl_keys_exit(struct opencl_keys *k, bool hung)
{
	bool copied = !hung;

	if (!hung && k->base.host && k->key && k->base.live.index)
		copied = wipe_all(k);
	if (k->base.host && !copied)
		explicit_bzero(k->base.host, gpu_keys_size(&k->base));
	/* What is copied has to stay; of a buffer OpenCL itself sees to that. */
	if (k->queue && k->base.host && copied)
		munmap(k->base.host, gpu_keys_size(&k->base));
	if (!hung) {
		if (k->queue)
			cl.ReleaseCommandQueue(k->queue);
		opencl_memory_free(k->session, &k->memory);
	}
	free(k->key);
	free(k->copies);
	k->key = NULL;
	k->copies = NULL;
	gpu_keys_exit(&k->base);
}
