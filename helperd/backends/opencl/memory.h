/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that the device can use, and the host perhaps too.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_OPENCL_MEMORY_H
#define WAVECRYPT_BACKENDS_OPENCL_MEMORY_H

#include "backends/opencl/session.h"

/**
 * struct opencl_memory - some memory
 * @mem: OpenCL's buffer, or NULL where the device uses the host's addresses
 * @host: where the host sees it, or NULL
 * @size: in bytes
 * @own: @host is to be freed: by OpenCL, by munmap(), or it is not
 */
struct opencl_memory {
	cl_mem mem;
	uint8_t *host;
	size_t size;
	enum { OPENCL_NOT_OWN, OPENCL_SVM, OPENCL_MAPPED } own;
};

/** opencl_memory_device - memory of the device alone */
cl_int opencl_memory_device(const struct opencl_session *session,
			    struct opencl_memory *m, size_t size);

/** opencl_memory_pinned - the host's, that the device can copy from and to */
cl_int opencl_memory_pinned(const struct opencl_session *session,
			    cl_command_queue queue, struct opencl_memory *m,
			    size_t size);

/** opencl_memory_shared - memory that both work in */
cl_int opencl_memory_shared(const struct opencl_session *session,
			    struct opencl_memory *m, size_t size);

/**
 * opencl_memory_arena - the channel's packets
 * @session: the device in use
 * @queue: any queue
 * @m: result
 * @host: where they are
 * @size: in bytes
 *
 * To be copied from and to, or to be worked in, as &opencl_session.way says. For copies it
 * is pinned where that helps and is possible.
 */
cl_int opencl_memory_arena(const struct opencl_session *session,
			   cl_command_queue queue, struct opencl_memory *m,
			   uint8_t *host, size_t size);

/** opencl_memory_fits - can they be there at all, as far as their size goes? */
bool opencl_memory_fits(const struct opencl_session *session, size_t size);

/** opencl_memory_argument - pass it to a kernel */
cl_int opencl_memory_argument(cl_kernel kernel, cl_uint i,
			      const struct opencl_memory *m);

/** opencl_memory_free - free it; that of all zeros is ignored */
void opencl_memory_free(const struct opencl_session *session,
			struct opencl_memory *m);

/** opencl_can_share - can host and device work in the same memory at all? */
bool opencl_can_share(const struct opencl_device *dev);

/** opencl_can_persist - and see each other's atomics while a kernel runs? */
bool opencl_can_persist(const struct opencl_device *dev);

#endif
