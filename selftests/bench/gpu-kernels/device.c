// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#define CL_TARGET_OPENCL_VERSION 120

#include <CL/cl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device.h"

enum { GROUPS, PACKETS, KEYS, DATA, BUFFERS };

static const size_t sizes[BUFFERS] = {
	[GROUPS]	= ENGINE_GROUPS * sizeof(struct wavecrypt_gpu_group),
	[PACKETS]	= ENGINE_PACKETS * sizeof(struct wavecrypt_gpu_packet),
	[KEYS]		= ENGINE_KEYS * sizeof(struct wavecrypt_gpu_key),
	[DATA]		= ENGINE_DATA,
};

static struct {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
	cl_program program;
	cl_kernel kernel;
	cl_mem buffer[BUFFERS];
	char name[128], driver[128], vendor[128];
} cl;

static char message[8192];

static const char *failed(const char *what, cl_int status)
{
	snprintf(message, sizeof(message), "%s: OpenCL error %d", what, status);
	return message;
}

/*
 * Where no vendor is registered with the loader, NVIDIA's library may be there
 * all the same: in containers its driver often is without its OpenCL file.
 */
static void register_nvidia(void)
{
	glob_t found;

	if (glob("/etc/OpenCL/vendors/*.icd", 0, NULL, &found) == GLOB_NOMATCH)
		setenv("OCL_ICD_VENDORS", "libnvidia-opencl.so.1", 0);
	else
		globfree(&found);
}

const char *device_find(const char *wanted)
{
	const cl_device_type types[] = { CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL };
	const bool by_number = wanted && *wanted && !wanted[strspn(wanted, "0123456789")];
	unsigned long before = by_number ? strtoul(wanted, NULL, 10) : 0;
	cl_platform_id platforms[8];
	cl_uint nr_platforms = 0;

	register_nvidia();
	clGetPlatformIDs(8, platforms, &nr_platforms);
	for (unsigned int t = 0; t < (by_number ? 1 : 2); t++)
		for (cl_uint i = 0; i < nr_platforms; i++) {
			cl_device_id devices[16];
			cl_uint nr = 0;

			clGetDeviceIDs(platforms[i], types[t], 16, devices, &nr);
			for (cl_uint j = 0; j < nr && j < 16; j++) {
				cl.device = devices[j];
				clGetDeviceInfo(cl.device, CL_DEVICE_NAME, sizeof(cl.name),
						cl.name, NULL);
				if (by_number ? !before-- : !wanted || strstr(cl.name, wanted))
					goto found;
			}
		}
	return nr_platforms ? "no such OpenCL device" : "no OpenCL platform";
found:
	clGetDeviceInfo(cl.device, CL_DRIVER_VERSION, sizeof(cl.driver), cl.driver, NULL);
	clGetDeviceInfo(cl.device, CL_DEVICE_VENDOR, sizeof(cl.vendor), cl.vendor, NULL);
	return NULL;
}

const char *device_name(void)
{
	return cl.name;
}

const char *device_driver(void)
{
	return cl.driver;
}

bool device_is_wide(void)
{
	return strstr(cl.vendor, "NVIDIA");
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static const char *launch(struct engine *engine, unsigned int nr, cl_event *event)
{
	const size_t local = engine->shape->lanes, global = nr * local;
	cl_int status;

	status = clEnqueueNDRangeKernel(cl.queue, cl.kernel, 1, NULL, &global, &local, 0, NULL,
					event);
	if (!status)
		status = clFinish(cl.queue);
	return status ? failed("launch", status) : NULL;
}

static const char *run(struct engine *engine, unsigned int nr)
{
	const void *const from[BUFFERS] = {
		engine->groups, engine->packets, engine->keys, engine->data
	};
	const char *error;
	cl_int status = 0;

	for (int i = 0; !status && i < BUFFERS; i++)
		status = clEnqueueWriteBuffer(cl.queue, cl.buffer[i], CL_TRUE, 0, sizes[i],
					      from[i], 0, NULL, NULL);
	if (status)
		return failed("copy there", status);
	error = launch(engine, nr, NULL);
	if (error)
		return error;
	status = clEnqueueReadBuffer(cl.queue, cl.buffer[DATA], CL_TRUE, 0, sizes[DATA],
				     engine->data, 0, NULL, NULL);
	return status ? failed("copy back", status) : NULL;
}

static const char *end(struct engine *engine)
{
	for (int i = 0; i < BUFFERS; i++)
		clReleaseMemObject(cl.buffer[i]);
	clReleaseKernel(cl.kernel);
	clReleaseProgram(cl.program);
	clReleaseCommandQueue(cl.queue);
	clReleaseContext(cl.context);
	free(engine->groups);
	free(engine->packets);
	free(engine->keys);
	free(engine->data);
	return NULL;
}

const char *device_start(struct engine *engine, const char *source, const char *kernel,
			 const struct wavecrypt_gpu_shape *shape, const char *more,
			 double *build_s)
{
	char options[512];
	cl_int status;

	cl.context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &status);
	if (!cl.context)
		return failed("context", status);
	cl.queue = clCreateCommandQueue(cl.context, cl.device, CL_QUEUE_PROFILING_ENABLE, &status);
	if (!cl.queue)
		return failed("queue", status);
	*build_s = seconds();
	cl.program = clCreateProgramWithSource(cl.context, 1, &source, NULL, &status);
	if (!cl.program)
		return failed("program", status);
	snprintf(options, sizeof(options), "%s %s", shape->options, more);
	if (clBuildProgram(cl.program, 1, &cl.device, options, NULL, NULL)) {
		clGetProgramBuildInfo(cl.program, cl.device, CL_PROGRAM_BUILD_LOG,
				      sizeof(message), message, NULL);
		return message;
	}
	cl.kernel = clCreateKernel(cl.program, kernel, &status);
	if (!cl.kernel)
		return failed(kernel, status);
	*build_s = seconds() - *build_s;
	for (int i = 0; i < BUFFERS; i++) {
		cl.buffer[i] = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, sizes[i], NULL,
					      &status);
		if (!cl.buffer[i])
			return failed("buffer", status);
		status = clSetKernelArg(cl.kernel, i, sizeof(cl_mem), &cl.buffer[i]);
		if (status)
			return failed("argument", status);
	}

	snprintf(engine->name, sizeof(engine->name), "%s", cl.name);
	engine->shape = shape;
	engine->run = run;
	engine->close = end;
	engine->groups = calloc(1, sizes[GROUPS]);
	engine->packets = calloc(1, sizes[PACKETS]);
	engine->keys = calloc(1, sizes[KEYS]);
	engine->data = calloc(1, sizes[DATA]);
	return engine->groups && engine->packets && engine->keys && engine->data ?
		NULL : "no memory";
}

#define MAX_TIMES	64

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* All packets alike, but for where they are and how long */
static const char *make_equal(struct engine *engine, unsigned int nr)
{
	const struct wavecrypt_gpu_group *last = &engine->groups[nr - 1];
	const unsigned int packets = last->first + last->count;
	const cl_uint zero = 0;
	cl_int status;

	for (unsigned int i = 0; i < packets; i++) {
		engine->packets[i].key = 0;
		memset(engine->packets[i].iv, 0, sizeof(engine->packets[i].iv));
	}
	status = clEnqueueWriteBuffer(cl.queue, cl.buffer[PACKETS], CL_TRUE, 0, sizes[PACKETS],
				      engine->packets, 0, NULL, NULL);
	if (!status)
		status = clEnqueueFillBuffer(cl.queue, cl.buffer[DATA], &zero, sizeof(zero), 0,
					     sizes[DATA], 0, NULL, NULL);
	return status ? failed("equal packets", status) : NULL;
}

const char *device_time(struct engine *engine, unsigned int nr, bool equal,
			unsigned int times, double *us)
{
	double took[MAX_TIMES];
	const char *error;

	if (equal) {
		error = make_equal(engine, nr);
		if (error)
			return error;
	}
	for (int i = -2; i < (int)times; i++) {
		cl_ulong from, to;
		cl_event event;

		error = launch(engine, nr, &event);
		if (error)
			return error;
		clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(from), &from,
					NULL);
		clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(to), &to, NULL);
		clReleaseEvent(event);
		if (i >= 0)
			took[i] = (to - from) / 1e3;
	}
	qsort(took, times, sizeof(took[0]), by_value);
	*us = took[times / 2];
	return NULL;
}

#define MAX_QUEUES	8

/* Copies in each queue before one waits for the first of them, and in all */
#define COPIES_AHEAD	2
#define COPIES		200

struct lane {
	cl_command_queue queue;
	cl_mem host, there;
	void *memory;
	cl_event last[COPIES_AHEAD];
};

static cl_int lane_open(struct lane *lane, size_t size)
{
	cl_int status;

	lane->queue = clCreateCommandQueue(cl.context, cl.device, 0, &status);
	if (!status)
		lane->host = clCreateBuffer(cl.context, CL_MEM_ALLOC_HOST_PTR, size, NULL,
					    &status);
	if (!status)
		lane->there = clCreateBuffer(cl.context, CL_MEM_READ_WRITE, size, NULL, &status);
	if (!status)
		lane->memory = clEnqueueMapBuffer(lane->queue, lane->host, CL_TRUE,
						  CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL,
						  NULL, &status);
	if (!status)
		memset(lane->memory, 1, size);
	return status;
}

static void lane_close(struct lane *lane)
{
	for (int i = 0; i < COPIES_AHEAD; i++)
		if (lane->last[i])
			clReleaseEvent(lane->last[i]);
	if (lane->memory)
		clEnqueueUnmapMemObject(lane->queue, lane->host, lane->memory, 0, NULL, NULL);
	if (lane->queue)
		clFinish(lane->queue);
	if (lane->there)
		clReleaseMemObject(lane->there);
	if (lane->host)
		clReleaseMemObject(lane->host);
	if (lane->queue)
		clReleaseCommandQueue(lane->queue);
}

static cl_int copy_once(struct lane *lane, size_t size, cl_event *last)
{
	cl_int status = 0;

	if (*last) {
		status = clWaitForEvents(1, last);
		clReleaseEvent(*last);
		*last = NULL;
	}
	if (!status)
		status = clEnqueueWriteBuffer(lane->queue, lane->there, CL_FALSE, 0, size,
					      lane->memory, 0, NULL, NULL);
	if (!status)
		status = clEnqueueReadBuffer(lane->queue, lane->there, CL_FALSE, 0, size,
					     lane->memory, 0, NULL, last);
	return status ? status : clFlush(lane->queue);
}

const char *device_copies(size_t size, unsigned int queues, double *gbit)
{
	struct lane lanes[MAX_QUEUES] = { 0 };
	cl_int status = 0;
	double start = 0;

	for (unsigned int i = 0; !status && i < queues; i++)
		status = lane_open(&lanes[i], size);
	/* The first half warms up. */
	for (int i = 0; !status && i < 2 * COPIES; i++) {
		if (i == COPIES)
			start = seconds();
		for (unsigned int k = 0; !status && k < queues; k++)
			status = copy_once(&lanes[k], size,
					   &lanes[k].last[i % COPIES_AHEAD]);
	}
	for (unsigned int i = 0; !status && i < queues; i++)
		status = clFinish(lanes[i].queue);
	*gbit = 8.0 * size * queues * COPIES / 1e9 / (seconds() - start);
	for (unsigned int i = 0; i < queues; i++)
		lane_close(&lanes[i]);
	return status ? failed("copies", status) : NULL;
}
