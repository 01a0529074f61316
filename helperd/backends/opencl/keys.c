// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "backends/opencl/keys.h"

static size_t table_size(const struct opencl_keys *k)
{
	return k->nr * sizeof(struct wavecrypt_gpu_key);
}

/* The host's copy: of each key for as long as it takes to copy it, then zeros. */
static cl_int make_copy(struct opencl_keys *k)
{
	void *host = mmap(NULL, table_size(k), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (host == MAP_FAILED)
		return CL_OUT_OF_HOST_MEMORY;
	madvise(host, table_size(k), MADV_DONTDUMP);
	k->host = host;
	return CL_SUCCESS;
}

cl_int opencl_keys_init(struct opencl_keys *k, const struct opencl_session *session,
			const struct wavecrypt_key *table, uint32_t nr)
{
	cl_int err;

	memset(k, 0, sizeof(*k));
	k->session = session;
	k->table = table;
	k->nr = nr;
	k->key = calloc(nr, sizeof(*k->key));
	k->live = calloc(nr, sizeof(*k->live));
	if (!k->key || !k->live)
		return CL_OUT_OF_HOST_MEMORY;
	if (session->way != OPENCL_COPY) {
		err = opencl_memory_shared(session, &k->memory, table_size(k));
		k->host = (void *)k->memory.host;
		return err;
	}
	k->queue = cl.CreateCommandQueue(session->context, session->dev.id, 0, &err);
	if (!k->queue)
		return err;
	err = opencl_memory_device(session, &k->memory, table_size(k));
	return err ? err : make_copy(k);
}

/* Copy a place of the host's table to the device's. */
static cl_int copy(struct opencl_keys *k, uint32_t index)
{
	size_t size = sizeof(k->host[0]);
	cl_int err;

	err = cl.EnqueueWriteBuffer(k->queue, k->memory.mem, CL_FALSE,
				    index * size, size, &k->host[index], 0,
				    NULL, &k->key[index].copied);
	return err ? err : cl.Flush(k->queue);
}

/* Is a copy under way at an end? The host's part of it is wiped then. */
static bool copied(struct opencl_keys *k, uint32_t index, cl_int *err)
{
	struct opencl_key *key = &k->key[index];
	cl_int status = CL_QUEUED;

	if (!key->copied)
		return true;
	*err = cl.GetEventInfo(key->copied, CL_EVENT_COMMAND_EXECUTION_STATUS,
			       sizeof(status), &status, NULL);
	if (!*err && status < 0)
		*err = status;
	if (*err || status != CL_COMPLETE)
		return false;
	cl.ReleaseEvent(key->copied);
	key->copied = NULL;
	explicit_bzero(&k->host[index], sizeof(k->host[index]));
	return true;
}

/* Prepare a key; false: it has gone meanwhile. */
static bool prepare(struct opencl_keys *k, const struct packet *p)
{
	struct wavecrypt_key key;
	bool good;

	memcpy(&key, p->key, sizeof(key));
	/* The module may have replaced it while it was copied. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	good = packet_key_valid(p);
	if (good)
		wavecrypt_gpu_key_init(&k->host[p->key_index], &key);
	explicit_bzero(&key, sizeof(key));
	return good;
}

bool opencl_keys_bring(struct opencl_keys *k, const struct packet *p,
		       uint64_t done, cl_int *err)
{
	struct opencl_key *key = &k->key[p->key_index];

	*err = CL_SUCCESS;
	if (!copied(k, p->key_index, err))
		return false;
	if (key->gen == p->key_gen) {
		key->ready = true;
		return true;
	}
	/* The one that was there before is still in use. */
	if (key->last > done || !prepare(k, p))
		return false;
	if (!key->gen)
		k->live[k->nr_live++] = p->key_index;
	key->gen = p->key_gen;
	key->ready = !k->queue;
	if (k->queue)
		*err = copy(k, p->key_index);
	return key->ready;
}

/* Wipe a place; false: not yet possible. */
static bool wipe(struct opencl_keys *k, uint32_t index, uint64_t done,
		 cl_int *err)
{
	struct opencl_key *key = &k->key[index];

	if (key->last > done || !copied(k, index, err))
		return false;
	explicit_bzero(&k->host[index], sizeof(k->host[index]));
	if (k->queue)
		*err = copy(k, index);
	key->gen = 0;
	key->ready = false;
	return true;
}

cl_int opencl_keys_expire(struct opencl_keys *k, uint64_t done)
{
	cl_int err = CL_SUCCESS;
	uint32_t kept = 0;

	k->stale = false;
	for (uint32_t i = 0; i < k->nr_live; i++) {
		uint32_t index = k->live[i];

		if (__atomic_load_n(&k->table[index].gen, __ATOMIC_ACQUIRE) ==
		    k->key[index].gen) {
			k->live[kept++] = index;
		} else if (err || !wipe(k, index, done, &err)) {
			k->live[kept++] = index;
			k->stale = true;
		}
	}
	k->nr_live = kept;
	return err;
}

/* Zeros for everything that is or may be there. false: copies are under way. */
static bool wipe_all(struct opencl_keys *k)
{
	bool good = true;

	for (uint32_t i = 0; i < k->nr_live; i++) {
		uint32_t index = k->live[i];

		explicit_bzero(&k->host[index], sizeof(k->host[index]));
		if (k->key[index].copied)
			cl.ReleaseEvent(k->key[index].copied);
		k->key[index].copied = NULL;
		if (k->queue)
			copy(k, index);
	}
	if (k->queue)
		good = !cl.Finish(k->queue);
	for (uint32_t i = 0; i < k->nr_live; i++)
		if (k->key[k->live[i]].copied)
			cl.ReleaseEvent(k->key[k->live[i]].copied);
	return good;
}

void opencl_keys_exit(struct opencl_keys *k, bool hung)
{
	if (!hung && k->host && k->key && k->live)
		hung = !wipe_all(k);
	if (k->host && hung)
		explicit_bzero(k->host, table_size(k));
	if (!hung) {
		if (k->queue)
			cl.ReleaseCommandQueue(k->queue);
		opencl_memory_free(k->session, &k->memory);
		if (k->queue && k->host)
			munmap(k->host, table_size(k));
	}
	free(k->key);
	free(k->live);
	memset(k, 0, sizeof(*k));
}
