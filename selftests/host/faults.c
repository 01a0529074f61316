// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/opencl/api.h"
#include "faults.h"
#include "lib/array.h"

enum call {
	GetPlatformIDs, GetPlatformInfo, GetDeviceIDs, GetDeviceInfo,
	CreateContext, CreateCommandQueue, CreateProgramWithSource,
	CreateProgramWithBinary, BuildProgram, GetProgramInfo,
	GetProgramBuildInfo, CreateKernel, SetKernelArg,
	SetKernelArgSVMPointer, CreateBuffer, SVMAlloc, SVMFree,
	EnqueueMapBuffer, EnqueueWriteBuffer, EnqueueReadBuffer,
	EnqueueNDRangeKernel, GetEventInfo, WaitForEvents, Flush, Finish, ReleaseContext,
	ReleaseCommandQueue, ReleaseProgram, ReleaseKernel, ReleaseMemObject,
	ReleaseEvent,
};

static const char *const names[FAULTS_CALLS] = {
	"GetPlatformIDs", "GetPlatformInfo", "GetDeviceIDs", "GetDeviceInfo",
	"CreateContext", "CreateCommandQueue", "CreateProgramWithSource",
	"CreateProgramWithBinary", "BuildProgram", "GetProgramInfo",
	"GetProgramBuildInfo", "CreateKernel", "SetKernelArg",
	"SetKernelArgSVMPointer", "CreateBuffer", "SVMAlloc", "SVMFree",
	"EnqueueMapBuffer", "EnqueueWriteBuffer", "EnqueueReadBuffer",
	"EnqueueNDRangeKernel", "GetEventInfo", "WaitForEvents", "Flush", "Finish",
	"ReleaseContext", "ReleaseCommandQueue", "ReleaseProgram",
	"ReleaseKernel", "ReleaseMemObject", "ReleaseEvent",
};

static struct opencl_api real;
static uint32_t counts[FAULTS_CALLS];
static int64_t fail_after[FAULTS_CALLS];

/* Buffers that were written to, and by way of which queue */
static struct {
	cl_mem mem;
	cl_command_queue queue;
	size_t size;
} written[256];
static pthread_mutex_t written_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t left, looked;
static bool watching;
static const uint8_t *source;
static size_t source_size;

/* What is otherwise in the kernels' source */
static const struct faults_patch *patches;
static cl_uint dimensions = 1;
static bool happened, aborting;

/* Words in options that the compiler refuses, or NULL */
static const char *refused;

/* What is mapped is first what it was before, so many ms ago; 0: it is not */
static uint32_t stale_ms;

/* Of a function's commands, after so many, one fails on the device; < 0: none */
static int64_t spoil_after[FAULTS_CALLS];

/* The event of one that has */
static const cl_int spoilt = CL_OUT_OF_RESOURCES;

/* The driver is done with the process once that has happened, and has; what it says then */
static bool mortal, dead;

#define DEAD	(-9999)

/* Queues that were made, and of which device */
static struct {
	cl_command_queue queue;
	cl_device_id device;
} queues[1024];
static uint32_t nr_queues;

/* Events that were made and not released, and queues and buffers */
static int32_t events, objects;

/* The number of the device that hangs */
static int hanging = FAULTS_NONE;

/* The function that does not return, and how many threads are in it */
static int blocking = FAULTS_NONE;
static uint32_t blocked;

/* The function that takes long, once, and how long */
static int slow = FAULTS_NONE;
static uint32_t slow_ms;

static void delay(enum call call)
{
	int expected = call;

	if (__atomic_compare_exchange_n(&slow, &expected, FAULTS_NONE, false,
					__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		usleep(slow_ms * 1000);
}

/* Not for ever, so that a test that waits for it fails instead. */
static void block(enum call call)
{
	if (__atomic_load_n(&blocking, __ATOMIC_ACQUIRE) != (int)call)
		return;
	__atomic_add_fetch(&blocked, 1, __ATOMIC_RELAXED);
	for (int ms = 0; ms < FAULTS_BLOCK_MS &&
	     __atomic_load_n(&blocking, __ATOMIC_ACQUIRE) == (int)call; ms++)
		usleep(1000);
	__atomic_sub_fetch(&blocked, 1, __ATOMIC_RELAXED);
}

/* Is this the call that fails? Called from several threads. */
static bool fails(enum call call)
{
	block(call);
	delay(call);
	__atomic_add_fetch(&counts[call], 1, __ATOMIC_RELAXED);
	if (__atomic_load_n(&fail_after[call], __ATOMIC_RELAXED) < 0)
		return false;
	if (__atomic_fetch_sub(&fail_after[call], 1, __ATOMIC_RELAXED))
		return false;
	__atomic_store_n(&happened, true, __ATOMIC_RELAXED);
	return true;
}

/* Does this command fail on the device? Its event is there, and nothing else of it is. */
static bool spoils(enum call call, cl_event *event)
{
	if (__atomic_load_n(&spoil_after[call], __ATOMIC_RELAXED) < 0 ||
	    __atomic_fetch_sub(&spoil_after[call], 1, __ATOMIC_RELAXED))
		return false;
	if (event)
		*event = (cl_event)&spoilt;
	__atomic_store_n(&dead, mortal, __ATOMIC_RELAXED);
	__atomic_store_n(&happened, true, __ATOMIC_RELAXED);
	return true;
}

static void note_written(cl_mem mem, cl_command_queue queue, size_t size)
{
	size_t i = 0;

	pthread_mutex_lock(&written_lock);
	while (watching && i < ARRAY_SIZE(written) && written[i].mem && written[i].mem != mem)
		i++;
	if (watching && i < ARRAY_SIZE(written)) {
		written[i].mem = mem;
		written[i].queue = queue;
		if (written[i].size < size)
			written[i].size = size;
	}
	pthread_mutex_unlock(&written_lock);
}

/* A buffer that goes: is anything left in it of what was written there? */
static void look_into(cl_mem mem)
{
	uint8_t *data = NULL;

	pthread_mutex_lock(&written_lock);
	for (size_t i = 0; i < ARRAY_SIZE(written); i++) {
		if (!watching || written[i].mem != mem)
			continue;
		data = calloc(1, written[i].size);
		if (!real.EnqueueReadBuffer(written[i].queue, mem, CL_TRUE, 0,
					    written[i].size, data, 0, NULL, NULL)) {
			looked++;
			left += data[0] || memcmp(data, data + 1, written[i].size - 1);
		}
		written[i].size = 0;
		written[i].mem = (cl_mem)&written[i];	/* nobody's */
	}
	pthread_mutex_unlock(&written_lock);
	free(data);
}

static cl_int fault_GetPlatformIDs(cl_uint a, cl_platform_id *b, cl_uint *c)
{
	if (fails(GetPlatformIDs))
		return CL_OUT_OF_RESOURCES;
	return real.GetPlatformIDs(a, b, c);
}

static cl_int fault_GetPlatformInfo(cl_platform_id a, cl_platform_info b,
				    size_t c, void *d, size_t *e)
{
	if (fails(GetPlatformInfo))
		return CL_OUT_OF_RESOURCES;
	return real.GetPlatformInfo(a, b, c, d, e);
}

static cl_int fault_GetDeviceIDs(cl_platform_id a, cl_device_type b, cl_uint c,
				 cl_device_id *d, cl_uint *e)
{
	if (fails(GetDeviceIDs))
		return CL_OUT_OF_RESOURCES;
	return real.GetDeviceIDs(a, b, c, d, e);
}

static cl_int fault_GetDeviceInfo(cl_device_id a, cl_device_info b, size_t c,
				  void *d, size_t *e)
{
	if (fails(GetDeviceInfo))
		return CL_OUT_OF_RESOURCES;
	return real.GetDeviceInfo(a, b, c, d, e);
}

/* What is patched is of no use for long, so that it need not become fast. */
static cl_int fault_BuildProgram(cl_program a, cl_uint b, const cl_device_id *c,
				 const char *d, void (*e)(cl_program, void *),
				 void *f)
{
	char options[256];

	if (fails(BuildProgram))
		return CL_OUT_OF_RESOURCES;
	if (refused && strstr(d, refused))
		return CL_BUILD_PROGRAM_FAILURE;
	if (patches) {
		snprintf(options, sizeof(options), "%s -cl-opt-disable", d);
		d = options;
	}
	return real.BuildProgram(a, b, c, d, e, f);
}

static cl_int fault_GetProgramInfo(cl_program a, cl_program_info b, size_t c,
				   void *d, size_t *e)
{
	if (fails(GetProgramInfo))
		return CL_OUT_OF_RESOURCES;
	return real.GetProgramInfo(a, b, c, d, e);
}

static cl_int fault_GetProgramBuildInfo(cl_program a, cl_device_id b,
					cl_program_build_info c, size_t d,
					void *e, size_t *f)
{
	if (fails(GetProgramBuildInfo))
		return CL_OUT_OF_RESOURCES;
	return real.GetProgramBuildInfo(a, b, c, d, e, f);
}

static cl_int fault_SetKernelArg(cl_kernel a, cl_uint b, size_t c,
				 const void *d)
{
	if (fails(SetKernelArg))
		return CL_OUT_OF_RESOURCES;
	return real.SetKernelArg(a, b, c, d);
}

static cl_int fault_SetKernelArgSVMPointer(cl_kernel a, cl_uint b,
					   const void *c)
{
	if (fails(SetKernelArgSVMPointer))
		return CL_OUT_OF_RESOURCES;
	return real.SetKernelArgSVMPointer(a, b, c);
}

static cl_int note_event(cl_int err, const cl_event *event)
{
	if (!err && event)
		__atomic_add_fetch(&events, 1, __ATOMIC_RELAXED);
	return err;
}

static cl_int fault_EnqueueWriteBuffer(cl_command_queue a, cl_mem b, cl_bool c,
				       size_t d, size_t e, const void *f,
				       cl_uint g, const cl_event *h,
				       cl_event *i)
{
	if (fails(EnqueueWriteBuffer))
		return CL_OUT_OF_RESOURCES;
	note_written(b, a, d + e);
	source = f;
	source_size = e;
	/* Without what the beginning says the kernel might work anywhere. */
	if (d && spoils(EnqueueWriteBuffer, i))
		return note_event(CL_SUCCESS, i);
	return note_event(real.EnqueueWriteBuffer(a, b, c, d, e, f, g, h, i), i);
}

static cl_int fault_EnqueueReadBuffer(cl_command_queue a, cl_mem b, cl_bool c,
				      size_t d, size_t e, void *f, cl_uint g,
				      const cl_event *h, cl_event *i)
{
	if (fails(EnqueueReadBuffer))
		return CL_OUT_OF_RESOURCES;
	if (spoils(EnqueueReadBuffer, i))
		return note_event(CL_SUCCESS, i);
	return note_event(real.EnqueueReadBuffer(a, b, c, d, e, f, g, h, i), i);
}

static cl_int fault_EnqueueNDRangeKernel(cl_command_queue a, cl_kernel b,
					 cl_uint c, const size_t *d,
					 const size_t *e, const size_t *f,
					 cl_uint g, const cl_event *h,
					 cl_event *i)
{
	size_t global[3] = { *e, 1, 1 }, local[3] = { *f, 1, 1 };

	if (fails(EnqueueNDRangeKernel))
		return CL_OUT_OF_RESOURCES;
	if (spoils(EnqueueNDRangeKernel, i))
		return note_event(CL_SUCCESS, i);
	return note_event(real.EnqueueNDRangeKernel(a, b, c * dimensions, d, global, local,
						    g, h, i), i);
}

static cl_int fault_Flush(cl_command_queue a)
{
	if (fails(Flush))
		return CL_OUT_OF_RESOURCES;
	return real.Flush(a);
}

/* It fails when nothing is at work any more, or tests could not go on. */
static cl_int fault_Finish(cl_command_queue a)
{
	cl_int err = real.Finish(a);

	if (__atomic_load_n(&dead, __ATOMIC_RELAXED))
		return CL_INVALID_COMMAND_QUEUE;
	return fails(Finish) ? CL_OUT_OF_RESOURCES : err;
}

static cl_int fault_ReleaseContext(cl_context a)
{
	if (fails(ReleaseContext))
		return CL_OUT_OF_RESOURCES;
	return real.ReleaseContext(a);
}

static cl_int fault_ReleaseCommandQueue(cl_command_queue a)
{
	if (fails(ReleaseCommandQueue))
		return CL_OUT_OF_RESOURCES;
	__atomic_sub_fetch(&objects, 1, __ATOMIC_RELAXED);
	return real.ReleaseCommandQueue(a);
}

static cl_int fault_ReleaseProgram(cl_program a)
{
	if (fails(ReleaseProgram))
		return CL_OUT_OF_RESOURCES;
	return real.ReleaseProgram(a);
}

static cl_int fault_ReleaseKernel(cl_kernel a)
{
	if (fails(ReleaseKernel))
		return CL_OUT_OF_RESOURCES;
	return real.ReleaseKernel(a);
}

static cl_int fault_ReleaseMemObject(cl_mem a)
{
	if (fails(ReleaseMemObject))
		return CL_OUT_OF_RESOURCES;
	look_into(a);
	__atomic_sub_fetch(&objects, 1, __ATOMIC_RELAXED);
	return real.ReleaseMemObject(a);
}

static cl_int fault_ReleaseEvent(cl_event a)
{
	if (fails(ReleaseEvent))
		return CL_OUT_OF_RESOURCES;
	__atomic_sub_fetch(&events, 1, __ATOMIC_RELAXED);
	return a == (cl_event)&spoilt ? CL_SUCCESS : real.ReleaseEvent(a);
}

static cl_context fault_CreateContext(const cl_context_properties *a, cl_uint b,
				      const cl_device_id *c,
				      void (*d)(const char *, const void *, size_t, void *),
				      void *e, cl_int *err)
{
	*err = CL_OUT_OF_RESOURCES;
	if (fails(CreateContext))
		return NULL;
	*err = DEAD;
	if (__atomic_load_n(&dead, __ATOMIC_RELAXED))
		return NULL;
	return real.CreateContext(a, b, c, d, e, err);
}

static cl_command_queue fault_CreateCommandQueue(cl_context a, cl_device_id b,
						 cl_command_queue_properties c,
						 cl_int *err)
{
	cl_command_queue queue;
	uint32_t i;

	*err = CL_OUT_OF_RESOURCES;
	if (fails(CreateCommandQueue))
		return NULL;
	queue = real.CreateCommandQueue(a, b, c, err);
	__atomic_add_fetch(&objects, 1, __ATOMIC_RELAXED);
	/* The oldest are forgotten. */
	i = __atomic_fetch_add(&nr_queues, 1, __ATOMIC_RELAXED) % ARRAY_SIZE(queues);
	queues[i].device = b;
	__atomic_store_n(&queues[i].queue, queue, __ATOMIC_RELEASE);
	return queue;
}

/* @source with one thing in it another; to be freed. NULL: it is not in there once. */
static char *replace(const char *source, const struct faults_patch *patch)
{
	const char *at = strstr(source, patch->from);
	char *to;

	if (!at || strstr(at + 1, patch->from) ||
	    asprintf(&to, "%.*s%s%s", (int)(at - source), source, patch->to,
		     at + strlen(patch->from)) < 0)
		return NULL;
	return to;
}

static cl_program patched(cl_context context, const char *source, cl_int *err)
{
	const struct faults_patch *patch = patches;
	char *text = strdup(source), *next;
	cl_program program = NULL;

	for (; text && patch->from; patch++) {
		next = replace(text, patch);
		free(text);
		text = next;
	}
	*err = CL_INVALID_VALUE;
	if (text)
		program = real.CreateProgramWithSource(context, 1, (const char **)&text,
						       NULL, err);
	free(text);
	return program;
}

static cl_program fault_CreateProgramWithSource(cl_context a, cl_uint b,
						const char **c, const size_t *d,
						cl_int *err)
{
	*err = CL_OUT_OF_RESOURCES;
	if (fails(CreateProgramWithSource))
		return NULL;
	if (patches)
		return patched(a, *c, err);
	return real.CreateProgramWithSource(a, b, c, d, err);
}

static cl_program fault_CreateProgramWithBinary(cl_context a, cl_uint b,
						const cl_device_id *c,
						const size_t *d,
						const unsigned char **e,
						cl_int *f, cl_int *err)
{
	*err = CL_OUT_OF_RESOURCES;
	if (fails(CreateProgramWithBinary))
		return NULL;
	return real.CreateProgramWithBinary(a, b, c, d, e, f, err);
}

static cl_kernel fault_CreateKernel(cl_program a, const char *b, cl_int *err)
{
	*err = CL_OUT_OF_RESOURCES;
	if (fails(CreateKernel))
		return NULL;
	return real.CreateKernel(a, b, err);
}

static cl_mem fault_CreateBuffer(cl_context a, cl_mem_flags b, size_t c,
				 void *d, cl_int *err)
{
	*err = CL_OUT_OF_RESOURCES;
	if (fails(CreateBuffer))
		return NULL;
	__atomic_add_fetch(&objects, 1, __ATOMIC_RELAXED);
	return real.CreateBuffer(a, b, c, d, err);
}

/* As a driver does that brings there what the buffer holds: it takes its time for that. */
static void put_back(uint8_t *host, size_t size)
{
	uint32_t ms = __atomic_load_n(&stale_ms, __ATOMIC_RELAXED);
	uint8_t *before = ms ? malloc(size) : NULL;

	if (!before)
		return;
	memcpy(before, host, size);
	usleep(ms * 1000);
	memcpy(host, before, size);
	free(before);
}

static void *fault_EnqueueMapBuffer(cl_command_queue a, cl_mem b, cl_bool c,
				    cl_map_flags d, size_t e, size_t f,
				    cl_uint g, const cl_event *h, cl_event *i,
				    cl_int *err)
{
	void *host;

	*err = CL_OUT_OF_RESOURCES;
	if (fails(EnqueueMapBuffer))
		return NULL;
	host = real.EnqueueMapBuffer(a, b, c, d, e, f, g, h, i, err);
	if (host && !(d & CL_MAP_WRITE_INVALIDATE_REGION))
		put_back(host, f);
	return host;
}

static void *fault_SVMAlloc(cl_context a, cl_svm_mem_flags b, size_t c,
			    cl_uint d)
{
	return fails(SVMAlloc) ? NULL : real.SVMAlloc(a, b, c, d);
}

static void fault_SVMFree(cl_context a, void *b)
{
	if (!fails(SVMFree))
		real.SVMFree(a, b);
}

static cl_device_id device_of(cl_command_queue queue)
{
	uint32_t nr = __atomic_load_n(&nr_queues, __ATOMIC_RELAXED);

	/* The latest of that name: one that was released may be another by now. */
	for (uint32_t i = 0; i < ARRAY_SIZE(queues) && i < nr; i++) {
		uint32_t at = (nr - 1 - i) % ARRAY_SIZE(queues);

		if (__atomic_load_n(&queues[at].queue, __ATOMIC_ACQUIRE) == queue)
			return queues[at].device;
	}
	return NULL;
}

static cl_device_id device_number(unsigned int number)
{
	cl_device_id devices[8] = { 0 };
	cl_platform_id platform;

	if (real.GetPlatformIDs(1, &platform, NULL) || number >= ARRAY_SIZE(devices) ||
	    real.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, ARRAY_SIZE(devices), devices, NULL))
		return NULL;
	return devices[number];
}

static bool hangs(cl_event event)
{
	int number = __atomic_load_n(&hanging, __ATOMIC_RELAXED);
	cl_command_queue queue;

	if (number < 0 || event == (cl_event)&spoilt)
		return number == FAULTS_ALL;
	return !real.GetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue,
				  NULL) &&
	       device_of(queue) == device_number(number);
}

static cl_int fault_GetEventInfo(cl_event a, cl_event_info b, size_t c,
				 void *d, size_t *e)
{
	cl_int err;

	if (fails(GetEventInfo))
		return CL_OUT_OF_RESOURCES;
	if (__atomic_load_n(&dead, __ATOMIC_RELAXED)) {
		*(cl_int *)d = CL_COMPLETE;
		return DEAD;
	}
	if (a == (cl_event)&spoilt) {
		*(cl_int *)d = spoilt;
		err = CL_SUCCESS;
	} else {
		err = real.GetEventInfo(a, b, c, d, e);
	}
	if (__atomic_exchange_n(&aborting, false, __ATOMIC_RELAXED))
		*(cl_int *)d = CL_OUT_OF_RESOURCES;
	else if (hangs(a))
		*(cl_int *)d = CL_RUNNING;
	return err;
}

static cl_int fault_WaitForEvents(cl_uint a, const cl_event *b)
{
	if (fails(WaitForEvents))
		return CL_OUT_OF_RESOURCES;
	for (cl_uint i = 0; i < a; i++)
		if (b[i] == (cl_event)&spoilt)
			return CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	return real.WaitForEvents(a, b);
}

static const struct opencl_api faulty = {
	.GetPlatformIDs = fault_GetPlatformIDs,
	.GetPlatformInfo = fault_GetPlatformInfo,
	.GetDeviceIDs = fault_GetDeviceIDs,
	.GetDeviceInfo = fault_GetDeviceInfo,
	.CreateContext = fault_CreateContext,
	.CreateCommandQueue = fault_CreateCommandQueue,
	.CreateProgramWithSource = fault_CreateProgramWithSource,
	.CreateProgramWithBinary = fault_CreateProgramWithBinary,
	.BuildProgram = fault_BuildProgram,
	.GetProgramInfo = fault_GetProgramInfo,
	.GetProgramBuildInfo = fault_GetProgramBuildInfo,
	.CreateKernel = fault_CreateKernel,
	.SetKernelArg = fault_SetKernelArg,
	.SetKernelArgSVMPointer = fault_SetKernelArgSVMPointer,
	.CreateBuffer = fault_CreateBuffer,
	.SVMAlloc = fault_SVMAlloc,
	.SVMFree = fault_SVMFree,
	.EnqueueMapBuffer = fault_EnqueueMapBuffer,
	.EnqueueWriteBuffer = fault_EnqueueWriteBuffer,
	.EnqueueReadBuffer = fault_EnqueueReadBuffer,
	.EnqueueNDRangeKernel = fault_EnqueueNDRangeKernel,
	.GetEventInfo = fault_GetEventInfo,
	.WaitForEvents = fault_WaitForEvents,
	.Flush = fault_Flush,
	.Finish = fault_Finish,
	.ReleaseContext = fault_ReleaseContext,
	.ReleaseCommandQueue = fault_ReleaseCommandQueue,
	.ReleaseProgram = fault_ReleaseProgram,
	.ReleaseKernel = fault_ReleaseKernel,
	.ReleaseMemObject = fault_ReleaseMemObject,
	.ReleaseEvent = fault_ReleaseEvent,
};

void faults_install(void)
{
	real = cl;
	faults_reset();
	events = 0;
	objects = 0;
	cl = faulty;
}

void faults_remove(void)
{
	cl = real;
}

const char *faults_name(unsigned int call)
{
	return names[call];
}

unsigned int faults_find(const char *name)
{
	unsigned int call = 0;

	while (strcmp(names[call], name))
		call++;
	return call;
}

uint32_t faults_count(unsigned int call)
{
	return __atomic_load_n(&counts[call], __ATOMIC_RELAXED);
}

void faults_reset(void)
{
	for (int i = 0; i < FAULTS_CALLS; i++) {
		__atomic_store_n(&counts[i], 0, __ATOMIC_RELAXED);
		__atomic_store_n(&fail_after[i], -1, __ATOMIC_RELAXED);
		__atomic_store_n(&spoil_after[i], -1, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&happened, false, __ATOMIC_RELAXED);
	mortal = false;
	__atomic_store_n(&dead, false, __ATOMIC_RELAXED);
	faults_hang(FAULTS_NONE);
	faults_block(FAULTS_NONE);
	__atomic_store_n(&slow, FAULTS_NONE, __ATOMIC_RELAXED);
	faults_map_stale(0);
	faults_refuse(NULL);
}

void faults_watch(bool watch)
{
	pthread_mutex_lock(&written_lock);
	memset(written, 0, sizeof(written));
	watching = watch;
	left = 0;
	looked = 0;
	pthread_mutex_unlock(&written_lock);
}

uint32_t faults_left(uint32_t *of)
{
	*of = looked;
	return left;
}

const uint8_t *faults_source(size_t *size)
{
	*size = source_size;
	return source;
}

int32_t faults_events(void)
{
	return __atomic_load_n(&events, __ATOMIC_RELAXED);
}

int32_t faults_objects(void)
{
	return __atomic_load_n(&objects, __ATOMIC_RELAXED);
}

void faults_fail(unsigned int call, uint32_t after)
{
	__atomic_store_n(&fail_after[call], after, __ATOMIC_RELAXED);
}

void faults_spoil(unsigned int call, uint32_t after)
{
	__atomic_store_n(&spoil_after[call], after, __ATOMIC_RELAXED);
}

void faults_die(unsigned int call, uint32_t after)
{
	mortal = true;
	faults_spoil(call, after);
}

void faults_map_stale(uint32_t ms)
{
	__atomic_store_n(&stale_ms, ms, __ATOMIC_RELAXED);
}

void faults_patch(const struct faults_patch *those, unsigned int which)
{
	patches = those;
	dimensions = those ? which + 1 : 1;
}

void faults_refuse(const char *words)
{
	refused = words;
}

bool faults_happened(void)
{
	return __atomic_load_n(&happened, __ATOMIC_RELAXED);
}

void faults_hang(int device)
{
	__atomic_store_n(&hanging, device, __ATOMIC_RELAXED);
}

void faults_block(int call)
{
	__atomic_store_n(&blocking, call, __ATOMIC_RELEASE);
}

uint32_t faults_blocked(void)
{
	return __atomic_load_n(&blocked, __ATOMIC_RELAXED);
}

void faults_delay(unsigned int call, uint32_t ms)
{
	slow_ms = ms;
	__atomic_store_n(&slow, call, __ATOMIC_RELEASE);
}

void faults_abort(void)
{
	__atomic_store_n(&aborting, true, __ATOMIC_RELAXED);
}

const char *faults_all_seen(void)
{
	void *const *calls = (void *const *)&faulty;

	for (size_t i = 0; i < sizeof(faulty) / sizeof(*calls); i++)
		if (!calls[i] || i >= FAULTS_CALLS)
			return i < FAULTS_CALLS ? names[i] : "a new one";
	return NULL;
}
