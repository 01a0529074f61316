// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdarg.h>
#include <stdio.h>

#include "packet.h"
#include "report.h"

enum {
	HEADER_RESERVED = 0xe000,
	GROUP_MAX = 1024,
	LDS_MAX = 65536,
	LDS_GRANULE = 512,
};

static hsa_status_t wrong(const struct queue *q, u64 packet, hsa_status_t status,
			  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static hsa_status_t wrong(const struct queue *q, u64 packet, hsa_status_t status,
			  const char *fmt, ...)
{
	char why[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	report("queue %u packet %lu: %s", q->number, packet, why);
	return status;
}

hsa_status_t packet_check_header(const struct queue *q, u64 packet, u16 header)
{
	const hsa_status_t bad = HSA_STATUS_ERROR_INVALID_PACKET_FORMAT;
	unsigned int type = header & 255;

	if (type != HSA_PACKET_TYPE_KERNEL_DISPATCH && type != HSA_PACKET_TYPE_BARRIER_AND &&
	    type != HSA_PACKET_TYPE_BARRIER_OR)
		return wrong(q, packet, bad, "header %#x: packets of type %u are not known",
			     header, type);
	if (header & HEADER_RESERVED)
		return wrong(q, packet, bad, "header %#x: reserved bits", header);
	if ((header >> HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE & 3) == 3 ||
	    (header >> HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE & 3) == 3)
		return wrong(q, packet, bad, "header %#x: no such fence scope", header);
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t check_sizes(const struct queue *q, u64 packet,
				const hsa_kernel_dispatch_packet_t *p, const struct kernel *k)
{
	const hsa_status_t bad = HSA_STATUS_ERROR_INVALID_ARGUMENT;
	const u32 group[3] = {
		p->workgroup_size_x, p->workgroup_size_y, p->workgroup_size_z
	};
	const u32 grid[3] = { p->grid_size_x, p->grid_size_y, p->grid_size_z };
	u64 items = (u64)group[0] * group[1] * group[2];

	for (unsigned int n = 0; n < 3; n++) {
		if (!group[n] || !grid[n])
			return wrong(q, packet, bad, "dimension %u has no work-items", n);
		if (n >= p->setup && (group[n] != 1 || grid[n] != 1))
			return wrong(q, packet, bad,
				     "%u dimensions, but dimension %u has grid %u, group %u",
				     p->setup, n, grid[n], group[n]);
		if (k->note.group[n] && group[n] != k->note.group[n])
			return wrong(q, packet, bad,
				     "%s wants groups of (%u,%u,%u), not (%u,%u,%u)", k->name,
				     k->note.group[0], k->note.group[1], k->note.group[2],
				     group[0], group[1], group[2]);
	}
	if (items > GROUP_MAX || (k->note.group_max && items > k->note.group_max))
		return wrong(q, packet, bad, "groups of %lu work-items; %s takes %u", items,
			     k->name, k->note.group_max ? k->note.group_max : GROUP_MAX);
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t check_segments(const struct queue *q, u64 packet,
				   const hsa_kernel_dispatch_packet_t *p, const struct kernel *k)
{
	const hsa_status_t bad = HSA_STATUS_ERROR_INVALID_ALLOCATION;

	if (k->private_fixed || p->private_segment_size)
		return wrong(q, packet, HSA_STATUS_ERROR_OUT_OF_RESOURCES,
			     "private memory (%u bytes, %s has %u): none is emulated",
			     p->private_segment_size, k->name, k->private_fixed);
	if (p->group_segment_size < k->group_fixed)
		return wrong(q, packet, bad, "%u bytes of local memory; %s has %u",
			     p->group_segment_size, k->name, k->group_fixed);
	if (p->group_segment_size > LDS_MAX)
		return wrong(q, packet, bad, "%u bytes of local memory; there are %u",
			     p->group_segment_size, LDS_MAX);
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t check_kernarg(const struct queue *q, u64 packet,
				  const hsa_kernel_dispatch_packet_t *p, const struct kernel *k)
{
	const hsa_status_t bad = HSA_STATUS_ERROR_INVALID_ARGUMENT;
	u64 address = (u64)(uintptr_t)p->kernarg_address;
	u32 align = k->note.kernarg_align > 16 ? k->note.kernarg_align : 16;
	const struct region *r;
	hsa_status_t status = HSA_STATUS_SUCCESS;

	if (!k->kernarg_size)
		return HSA_STATUS_SUCCESS;
	if (address % align)
		return wrong(q, packet, bad, "arguments at %#lx, not aligned to %u", address,
			     align);
	pthread_rwlock_rdlock(&q->agent->aspace.lock);
	r = aspace_find(&q->agent->aspace, address, k->kernarg_size);
	if (!r || !(r->flags & REGION_KERNARG))
		status = wrong(q, packet, bad, "%u bytes of arguments at %#lx: %s",
			       k->kernarg_size, address,
			       r ? r->what : "not memory that the agent may use");
	pthread_rwlock_unlock(&q->agent->aspace.lock);
	return status;
}

hsa_status_t packet_check(const struct queue *q, u64 packet,
			  const hsa_kernel_dispatch_packet_t *p, const struct kernel *k)
{
	hsa_status_t status;

	if (!k)
		return wrong(q, packet, HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
			     "%#lx is no kernel of a frozen executable for this agent",
			     p->kernel_object);
	if (p->setup < 1 || p->setup > 3)
		return wrong(q, packet, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
			     "setup %#x: 1 to 3 dimensions, and nothing else", p->setup);
	if (p->reserved0 || p->reserved2)
		return wrong(q, packet, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
			     "reserved fields are not zero");
	if (k->properties & KERNEL_WAVE32)
		return wrong(q, packet, HSA_STATUS_ERROR_INVALID_ISA, "waves of 32");
	status = check_sizes(q, packet, p, k);
	if (!status)
		status = check_segments(q, packet, p, k);
	return status ? status : check_kernarg(q, packet, p, k);
}

void packet_launch(const struct queue *q, u64 packet, const hsa_kernel_dispatch_packet_t *p,
		   const struct kernel *k, struct dispatch *d)
{
	struct launch *l = &d->launch;
	unsigned int waves;

	*l = (struct launch) {
		.program = k->code->program,
		.entry = k->entry,
		.aspace = &q->agent->aspace,
		.sgprs = {
			.private_buffer = k->properties & KERNEL_PRIVATE_BUFFER,
			.dispatch_ptr = k->properties & KERNEL_DISPATCH_PTR,
			.queue_ptr = k->properties & KERNEL_QUEUE_PTR,
			.kernarg_ptr = k->properties & KERNEL_KERNARG_PTR,
			.dispatch_id = k->properties & KERNEL_DISPATCH_ID,
			.flat_scratch = k->properties & KERNEL_FLAT_SCRATCH,
			.private_size = k->properties & KERNEL_PRIVATE_SIZE,
			.user = k->rsrc2 >> 1 & 31,
			.group_id = {
				k->rsrc2 >> 7 & 1, k->rsrc2 >> 8 & 1, k->rsrc2 >> 9 & 1
			},
			.group_info = k->rsrc2 >> 10 & 1,
			.wave_offset = k->rsrc2 & 1,
			.item_id = k->rsrc2 >> 11 & 3,
		},
		.group_size = { p->workgroup_size_x, p->workgroup_size_y, p->workgroup_size_z },
		.grid_size = { p->grid_size_x, p->grid_size_y, p->grid_size_z },
		/* A group gets whole granules, but is not to know. */
		.lds_size = p->group_segment_size,
		.nr_vregs = k->vregs,
		.nr_sregs = k->sregs,
		.dispatch_ptr = (u64)(uintptr_t)q->ring +
				(packet & (q->hw.hsa_queue.size - 1)) * PACKET_SIZE,
		.queue_ptr = (u64)(uintptr_t)q,
		.kernarg_ptr = (u64)(uintptr_t)p->kernarg_address,
		.dispatch_id = packet,
		.aperture = LDS_APERTURE,
	};
	d->total = 1;
	for (unsigned int n = 0; n < 3; n++)
		d->total *= (l->grid_size[n] - 1) / l->group_size[n] + 1;
	waves = (l->group_size[0] * l->group_size[1] * l->group_size[2] + LANES - 1) / LANES;
	l->race.waves = waves;
	d->max_resident = agent_resident(q->agent, waves, l->nr_vregs,
					 (l->lds_size + LDS_GRANULE - 1) / LDS_GRANULE *
					 LDS_GRANULE);
	d->share = d->max_resident ? DEVICE_ROOM / d->max_resident : 0;
}
