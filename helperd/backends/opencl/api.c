// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stddef.h>
#include <stdio.h>

#include "backends/gpu/library.h"
#include "backends/opencl/api.h"
#include "lib/array.h"

struct opencl_api cl;

#define ERROR(name)	{ name, #name }

static const struct {
	cl_int err;
	const char *name;
} errors[] = {
	ERROR(CL_DEVICE_NOT_FOUND), ERROR(CL_DEVICE_NOT_AVAILABLE),
	ERROR(CL_COMPILER_NOT_AVAILABLE),
	ERROR(CL_MEM_OBJECT_ALLOCATION_FAILURE), ERROR(CL_OUT_OF_RESOURCES),
	ERROR(CL_OUT_OF_HOST_MEMORY), ERROR(CL_BUILD_PROGRAM_FAILURE),
	ERROR(CL_MAP_FAILURE), ERROR(CL_INVALID_VALUE),
	ERROR(CL_INVALID_PLATFORM), ERROR(CL_INVALID_DEVICE),
	ERROR(CL_INVALID_CONTEXT), ERROR(CL_INVALID_COMMAND_QUEUE),
	ERROR(CL_INVALID_HOST_PTR), ERROR(CL_INVALID_MEM_OBJECT),
	ERROR(CL_INVALID_BINARY), ERROR(CL_INVALID_BUILD_OPTIONS),
	ERROR(CL_INVALID_PROGRAM), ERROR(CL_INVALID_PROGRAM_EXECUTABLE),
	ERROR(CL_INVALID_KERNEL_NAME), ERROR(CL_INVALID_KERNEL),
	ERROR(CL_INVALID_ARG_VALUE), ERROR(CL_INVALID_KERNEL_ARGS),
	ERROR(CL_INVALID_WORK_GROUP_SIZE), ERROR(CL_INVALID_EVENT),
	ERROR(CL_INVALID_OPERATION), ERROR(CL_INVALID_BUFFER_SIZE),
	ERROR(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
	{ -1001, "no platform is installed" },	/* of cl_khr_icd */
};

#undef ERROR

const char *opencl_error(cl_int err)
{
	static __thread char text[32];

	for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
		if (errors[i].err == err)
			return errors[i].name;
	snprintf(text, sizeof(text), "OpenCL error %d", err);
	return text;
}

#define FUNCTION(name)	{ "cl" #name, offsetof(struct opencl_api, name) }

static const struct gpu_function functions[] = {
	FUNCTION(GetPlatformIDs),
	FUNCTION(GetPlatformInfo),
	FUNCTION(GetDeviceIDs),
	FUNCTION(GetDeviceInfo),
	FUNCTION(CreateContext),
	FUNCTION(CreateCommandQueue),
	FUNCTION(CreateProgramWithSource),
	FUNCTION(CreateProgramWithBinary),
	FUNCTION(BuildProgram),
	FUNCTION(GetProgramInfo),
	FUNCTION(GetProgramBuildInfo),
	FUNCTION(CreateKernel),
	FUNCTION(SetKernelArg),
	FUNCTION(SetKernelArgSVMPointer),
	FUNCTION(CreateBuffer),
	FUNCTION(SVMAlloc),
	FUNCTION(SVMFree),
	FUNCTION(EnqueueMapBuffer),
	FUNCTION(EnqueueWriteBuffer),
	FUNCTION(EnqueueReadBuffer),
	FUNCTION(EnqueueNDRangeKernel),
	FUNCTION(GetEventInfo),
	FUNCTION(WaitForEvents),
	FUNCTION(Flush),
	FUNCTION(Finish),
	FUNCTION(ReleaseContext),
	FUNCTION(ReleaseCommandQueue),
	FUNCTION(ReleaseProgram),
	FUNCTION(ReleaseKernel),
	FUNCTION(ReleaseMemObject),
	FUNCTION(ReleaseEvent),
};

#undef FUNCTION

static const struct gpu_library library = {
	.file = "libOpenCL.so.1",
	.what = "OpenCL",
	.api = &cl,
	.functions = functions,
	.nr = ARRAY_SIZE(functions),
};

const char *opencl_api_load(void)
{
	return gpu_library_load(&library);
}
