// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "backends/hsa/aql.h"
#include "lib/errand.h"

/* More packets than are ever under way */
#define PACKETS		128

#define HEADER								\
	(HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE |	\
	 HSA_FENCE_SCOPE_SYSTEM <<					\
		HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |		\
	 HSA_FENCE_SCOPE_SYSTEM <<					\
		HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE)

#define SETUP	(1 << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS)

static void on_error(hsa_status_t status, hsa_queue_t *queue, void *data)
{
	struct hsa_aql *a = data;

	(void)queue;
	__atomic_store_n(&a->error, status, __ATOMIC_RELEASE);
}

hsa_status_t hsa_aql_open(struct hsa_aql *a, hsa_agent_t gpu)
{
	hsa_status_t status;

	memset(a, 0, sizeof(*a));
	status = hsa.queue_create(gpu, PACKETS, HSA_QUEUE_TYPE_SINGLE, on_error,
				  a, UINT32_MAX, UINT32_MAX, &a->queue);
	if (status)
		a->queue = NULL;
	return status;
}

static bool destroy(hsa_queue_t *queue, bool abort)
{
	/* Takes the GPU from what is running, and resets it if need be. */
	if (abort)
		hsa.queue_inactivate(queue);
	return !hsa.queue_destroy(queue);
}

static void destroy_aborted(void *context)
{
	struct hsa_aql *a = context;

	a->kept = !destroy(a->aborted, true);
}

/* Nobody frees what the runtime may still write an error to. */
static void keep(void *context)
{
	(void)context;
}

void hsa_aql_abort(struct hsa_aql *a)
{
	if (!a->queue)
		return;
	a->aborted = a->queue;
	a->queue = NULL;
	a->aborting = errand_start(destroy_aborted, keep, a);
	if (!a->aborting)
		destroy_aborted(a);
}

enum hsa_aborted hsa_aql_aborted(struct hsa_aql *a, uint64_t ns)
{
	if (a->aborting && !errand_join(a->aborting, ns))
		return HSA_ABORTING;
	a->aborting = NULL;
	return a->kept ? HSA_NOT_ABORTED : HSA_ABORTED;
}

void hsa_aql_leave(struct hsa_aql *a)
{
	errand_leave(a->aborting);
	a->aborting = NULL;
}

bool hsa_aql_close(struct hsa_aql *a, bool abort)
{
	bool ended = !a->queue || destroy(a->queue, abort);

	a->queue = NULL;
	return ended;
}

bool hsa_aql_dispatch(struct hsa_aql *a, const struct hsa_kernel *kernel,
		      uint16_t lanes, uint32_t groups, void *arguments,
		      hsa_signal_t done)
{
	hsa_queue_t *q = a->queue;
	uint64_t index = hsa.queue_load_write_index_relaxed(q);
	hsa_kernel_dispatch_packet_t *p = q->base_address;

	if (index - hsa.queue_load_read_index_scacquire(q) >= q->size)
		return false;
	p += index & (q->size - 1);
	p->workgroup_size_x = lanes;
	p->workgroup_size_y = 1;
	p->workgroup_size_z = 1;
	p->reserved0 = 0;
	p->grid_size_x = groups * lanes;
	p->grid_size_y = 1;
	p->grid_size_z = 1;
	p->private_segment_size = kernel->private;
	p->group_segment_size = kernel->local;
	p->kernel_object = kernel->object;
	p->kernarg_address = arguments;
	p->reserved2 = 0;
	p->completion_signal = done;
	hsa.queue_store_write_index_screlease(q, index + 1);
	/* Until then, the packet is not there for the GPU. */
	__atomic_store_n((uint32_t *)(void *)p, HEADER | SETUP << 16,
			 __ATOMIC_RELEASE);
	hsa.signal_store_screlease(q->doorbell_signal, index);
	return true;
}
