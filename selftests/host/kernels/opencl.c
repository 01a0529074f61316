// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernels on an OpenCL device whose memory is shared with the host,
 * fine-grained: one launch for a batch, or the persistent kernel.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#define CL_TARGET_OPENCL_VERSION 300

#include <CL/cl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine.h"

#define RING_PLACES	64	/* so that it goes round often */

static struct {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	struct wavecrypt_gpu_ring *ring;
	struct wavecrypt_gpu_group *places;
	unsigned int tail;
} cl;

static char message[4096];

static const char *failed(const char *what, cl_int status)
{
	snprintf(message, sizeof(message), "%s: OpenCL error %d", what, status);
	return message;
}

/* The first device with what is needed, of whatever kind */
static const char *find_device(void)
{
	const cl_device_svm_capabilities want =
		CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS;
	cl_platform_id platforms[8];
	cl_uint nr_platforms = 0;

	clGetPlatformIDs(8, platforms, &nr_platforms);
	for (cl_uint i = 0; i < nr_platforms; i++) {
		cl_device_id devices[8];
		cl_uint nr = 0;

		clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 8, devices, &nr);
		for (cl_uint j = 0; j < nr; j++) {
			cl_device_svm_capabilities has = 0;

			clGetDeviceInfo(devices[j], CL_DEVICE_SVM_CAPABILITIES, sizeof(has),
					&has, NULL);
			if ((has & want) == want) {
				cl.device = devices[j];
				return NULL;
			}
		}
	}
	return "no OpenCL device with fine-grained shared memory and atomics";
}

static const char *build(const struct wavecrypt_gpu_shape *shape, const char *name,
			 const char *more)
{
	const char *source = wavecrypt_gpu_source;
	struct timespec from, to;
	char options[256];
	cl_int status;

	cl.context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &status);
	if (!cl.context)
		return failed("context", status);
	cl.queue = clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &status);
	if (!cl.queue)
		return failed("queue", status);
	cl.program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &status);
	if (!cl.program)
		return failed("program", status);

	clock_gettime(CLOCK_MONOTONIC, &from);
	snprintf(options, sizeof(options), "%s %s", shape->options, more);
	status = clBuildProgram(cl.program, 1, &cl.device, options, NULL, NULL);
	if (status) {
		clGetProgramBuildInfo(cl.program, cl.device, CL_PROGRAM_BUILD_LOG,
				      sizeof(message), message, NULL);
		return message;
	}
	cl.kernel = clCreateKernel(cl.program, name, &status);
	clock_gettime(CLOCK_MONOTONIC, &to);
	printf("# built in %.1f s\n", to.tv_sec - from.tv_sec + (to.tv_nsec - from.tv_nsec) / 1e9);
	return cl.kernel ? NULL : failed(name, status);
}

static void *shared(size_t size)
{
	return clSVMAlloc(cl.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER |
			  CL_MEM_SVM_ATOMICS, size, 64);
}

static const char *set_arguments(const void *const *pointers, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		const cl_int status = clSetKernelArgSVMPointer(cl.kernel, i, pointers[i]);

		if (status)
			return failed("argument", status);
	}
	return NULL;
}

static const char *launch(const struct engine *engine, unsigned int groups)
{
	const size_t local = engine->shape->lanes, global = groups * local;
	const cl_int status = clEnqueueNDRangeKernel(cl.queue, cl.kernel, 1, NULL, &global,
						     &local, 0, NULL, NULL);

	if (status)
		return failed("launch", status);
	clFlush(cl.queue);
	return NULL;
}

static const char *finish(void)
{
	const cl_int status = clFinish(cl.queue);

	return status ? failed("finish", status) : NULL;
}

static const char *open_device(struct engine *engine, const char *kernel, const char *options)
{
	const char *error = find_device();

	if (error)
		return error;
	engine->shape = &wavecrypt_gpu_narrow;
	clGetDeviceInfo(cl.device, CL_DEVICE_NAME, sizeof(engine->name), engine->name, NULL);
	error = build(engine->shape, kernel, options);
	if (error)
		return error;
	engine->groups = shared(sizeof(*engine->groups) * ENGINE_GROUPS);
	engine->packets = shared(sizeof(*engine->packets) * ENGINE_PACKETS);
	engine->keys = shared(sizeof(*engine->keys) * ENGINE_KEYS);
	engine->data = shared(ENGINE_DATA);
	return engine->groups && engine->packets && engine->keys && engine->data ?
		NULL : "no memory";
}

static const char *close_device(struct engine *engine)
{
	const char *error = finish();

	clSVMFree(cl.context, engine->groups);
	clSVMFree(cl.context, engine->packets);
	clSVMFree(cl.context, engine->keys);
	clSVMFree(cl.context, engine->data);
	clReleaseKernel(cl.kernel);
	clReleaseProgram(cl.program);
	clReleaseCommandQueue(cl.queue);
	clReleaseContext(cl.context);
	return error;
}

static const char *run_batch(struct engine *engine, unsigned int nr)
{
	const void *const arguments[] = {
		engine->groups, engine->packets, engine->keys, engine->data
	};
	const char *error = set_arguments(arguments, 4);

	if (!error)
		error = launch(engine, nr);
	return error ? error : finish();
}

const char *engine_batch(struct engine *engine)
{
	engine->run = run_batch;
	engine->close = close_device;
	return open_device(engine, "wavecrypt_batch", "");
}

/*
 * Waits for the group that has the place of @ticket, if any, to be done. Before
 * the first of all, PoCL compiles: on a busy machine that takes minutes.
 */
static const char *wait_for_place(unsigned int ticket)
{
	const struct wavecrypt_gpu_group *place = &cl.places[ticket % RING_PLACES];
	const time_t patience = time(NULL) + 300;

	while (__atomic_load_n(&place->done, __ATOMIC_ACQUIRE) != ticket - RING_PLACES + 1) {
		if (time(NULL) > patience)
			return "the persistent kernel did not finish a group in five minutes";
		sched_yield();
	}
	return NULL;
}

static const char *run_persistent(struct engine *engine, unsigned int nr)
{
	const char *error = NULL;

	for (unsigned int i = 0; !error && i < nr; i++) {
		struct wavecrypt_gpu_group *place = &cl.places[cl.tail % RING_PLACES];

		error = wait_for_place(cl.tail);
		if (error)
			break;
		*place = engine->groups[i];
		place->done = cl.tail - RING_PLACES + 1;
		__atomic_store_n(&cl.ring->tail, ++cl.tail, __ATOMIC_RELEASE);
	}
	for (unsigned int i = 0; !error && i < RING_PLACES; i++)
		error = wait_for_place(cl.tail + i);
	return error;
}

/* The kernel ends by itself, or finish() waits for ever: and then the test fails. */
static const char *stop_persistent(struct engine *engine)
{
	const char *error;

	__atomic_store_n(&cl.ring->stop, 1, __ATOMIC_RELEASE);
	error = finish();
	clSVMFree(cl.context, cl.ring);
	clSVMFree(cl.context, cl.places);
	return error ? error : close_device(engine);
}

const char *engine_persistent(struct engine *engine)
{
	const char *error = open_device(engine, "wavecrypt_persistent",
					"-DWAVECRYPT_PERSISTENT -cl-std=CL2.0");
	cl_uint units = 1;

	if (error)
		return error;
	cl.ring = shared(sizeof(*cl.ring));
	cl.places = shared(sizeof(*cl.places) * RING_PLACES);
	if (!cl.ring || !cl.places)
		return "no memory";
	cl.tail = 0;
	memset(cl.ring, 0, sizeof(*cl.ring));
	cl.ring->mask = RING_PLACES - 1;
	for (unsigned int i = 0; i < RING_PLACES; i++)
		cl.places[i].done = i - RING_PLACES + 1;

	const void *const arguments[] = {
		cl.ring, cl.places, engine->packets, engine->keys, engine->data
	};
	clGetDeviceInfo(cl.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units), &units, NULL);
	error = set_arguments(arguments, 5);
	if (!error)
		error = launch(engine, units);
	engine->run = run_persistent;
	engine->close = stop_persistent;
	return error;
}
