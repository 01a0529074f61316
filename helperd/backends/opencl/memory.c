// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>
#include <sys/mman.h>

#include "backends/opencl/memory.h"
#include "lib/log.h"

/* NVIDIA, as PCI has it */
#define VENDOR_NVIDIA	0x10de

/* Devices without finer demands of their own are content with this. */
#define ALIGN		4096u

bool opencl_can_share(const struct opencl_device *dev)
{
	return dev->unified || dev->svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
}

bool opencl_can_persist(const struct opencl_device *dev)
{
	cl_device_svm_capabilities need = CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
					  CL_DEVICE_SVM_ATOMICS;

	return opencl_can_share(dev) && (dev->svm & need) == need;
}

static cl_int create(const struct opencl_session *session,
		     struct opencl_memory *m, cl_mem_flags flags, void *host)
{
	cl_int err;

	if (m->size > session->dev.max_alloc)
		return CL_INVALID_BUFFER_SIZE;
	m->mem = cl.CreateBuffer(session->context, CL_MEM_READ_WRITE | flags,
				 m->size, host, &err);
	return m->mem ? CL_SUCCESS : err;
}

cl_int opencl_memory_device(const struct opencl_session *session,
			    struct opencl_memory *m, size_t size)
{
	memset(m, 0, sizeof(*m));
	m->size = size;
	return create(session, m, 0, NULL);
}

/*
 * Pinned, where the device copies, by being mapped. What the buffer's own
 * contents are does not matter: nothing but the mapping is ever used.
 */
static cl_int pin(struct opencl_memory *m, cl_command_queue queue,
		  cl_map_flags flags)
{
	cl_int err;

	m->host = cl.EnqueueMapBuffer(queue, m->mem, CL_TRUE, flags, 0, m->size,
				      0, NULL, NULL, &err);
	return m->host ? CL_SUCCESS : err;
}

cl_int opencl_memory_pinned(const struct opencl_session *session,
			    cl_command_queue queue, struct opencl_memory *m,
			    size_t size)
{
	cl_int err;

	memset(m, 0, sizeof(*m));
	m->size = size;
	err = create(session, m, CL_MEM_ALLOC_HOST_PTR, NULL);
	return err ? err : pin(m, queue, CL_MAP_READ | CL_MAP_WRITE);
}

static cl_int map(struct opencl_memory *m)
{
	void *host = mmap(NULL, m->size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (host == MAP_FAILED)
		return CL_OUT_OF_HOST_MEMORY;
	madvise(host, m->size, MADV_DONTDUMP);
	m->host = host;
	m->own = OPENCL_MAPPED;
	return CL_SUCCESS;
}

cl_int opencl_memory_shared(const struct opencl_session *session,
			    struct opencl_memory *m, size_t size)
{
	cl_svm_mem_flags flags = CL_MEM_READ_WRITE |
				 CL_MEM_SVM_FINE_GRAIN_BUFFER;
	cl_int err;

	memset(m, 0, sizeof(*m));
	m->size = (size + ALIGN - 1) & -(size_t)ALIGN;
	if (!(session->dev.svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) {
		err = map(m);
		return err ? err : create(session, m, CL_MEM_USE_HOST_PTR, m->host);
	}
	if (session->dev.svm & CL_DEVICE_SVM_ATOMICS)
		flags |= CL_MEM_SVM_ATOMICS;
	m->host = cl.SVMAlloc(session->context, flags, m->size, 0);
	if (!m->host)
		return CL_MEM_OBJECT_ALLOCATION_FAILURE;
	m->own = OPENCL_SVM;
	memset(m->host, 0, m->size);
	return CL_SUCCESS;
}

/*
 * NVIDIA's driver copies from and to what it knows to be pinned without another copy.
 * Others may gain nothing, and make the buffer in the device's own memory: a second arena
 * there, with what packets were at that moment, which nobody would wipe.
 *
 * The module, lanes and other devices write to packets meanwhile. What a mapping is to
 * show, NVIDIA's driver first copies to where the packets are, so that they become what
 * they were a moment ago. Nothing is to be shown of what is invalidated. OpenCL calls
 * the contents undefined then; but who maps it so is to write all of it, and no driver
 * has anything to gain from writing there first.
 *
 * It may be larger than a buffer can be. Copies do without.
 */
static void pin_arena(const struct opencl_session *session, cl_command_queue queue,
		      struct opencl_memory *m)
{
	struct opencl_memory pinned = { .size = m->size };
	cl_int err = create(session, &pinned, CL_MEM_USE_HOST_PTR, m->host);

	if (!err)
		err = pin(&pinned, queue, CL_MAP_WRITE_INVALIDATE_REGION);
	if (!err) {
		m->mem = pinned.mem;
		return;
	}
	opencl_memory_free(session, &pinned);
	if (!session->base.calibrating)
		log_notice("backend opencl: %s: the packets' %zu MiB are copied without being pinned, which takes longer: %s",
			   session->dev.name, m->size >> 20, opencl_error(err));
}

cl_int opencl_memory_arena(const struct opencl_session *session,
			   cl_command_queue queue, struct opencl_memory *m,
			   uint8_t *host, size_t size)
{
	memset(m, 0, sizeof(*m));
	m->size = size;
	m->host = host;
	if (session->way == OPENCL_COPY) {
		if (session->dev.vendor == VENDOR_NVIDIA)
			pin_arena(session, queue, m);
		return CL_SUCCESS;
	}
	if (session->dev.svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)
		return CL_SUCCESS;
	return create(session, m, CL_MEM_USE_HOST_PTR, host);
}

bool opencl_memory_fits(const struct opencl_session *session, size_t size)
{
	return session->way == OPENCL_COPY || size <= session->dev.max_alloc ||
	       session->dev.svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM;
}

cl_int opencl_memory_argument(cl_kernel kernel, cl_uint i,
			      const struct opencl_memory *m)
{
	if (m->mem)
		return cl.SetKernelArg(kernel, i, sizeof(m->mem), &m->mem);
	return cl.SetKernelArgSVMPointer(kernel, i, m->host);
}

void opencl_memory_free(const struct opencl_session *session,
			struct opencl_memory *m)
{
	if (m->mem)
		cl.ReleaseMemObject(m->mem);
	if (m->own == OPENCL_SVM)
		cl.SVMFree(session->context, m->host);
	else if (m->own == OPENCL_MAPPED)
		munmap(m->host, m->size);
	memset(m, 0, sizeof(*m));
}
