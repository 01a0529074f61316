/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * OpenCL's functions, found when they are needed: a machine without OpenCL runs
 * the daemon too, and a test can put functions that fail in their place.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_OPENCL_API_H
#define WAVECRYPT_BACKENDS_OPENCL_API_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

/** struct opencl_api - OpenCL's functions, by their names less "cl" */
struct opencl_api {
	typeof(clGetPlatformIDs) *GetPlatformIDs;
	typeof(clGetPlatformInfo) *GetPlatformInfo;
	typeof(clGetDeviceIDs) *GetDeviceIDs;
	typeof(clGetDeviceInfo) *GetDeviceInfo;
	typeof(clCreateContext) *CreateContext;
	typeof(clCreateCommandQueue) *CreateCommandQueue;
	typeof(clCreateProgramWithSource) *CreateProgramWithSource;
	typeof(clCreateProgramWithBinary) *CreateProgramWithBinary;
	typeof(clBuildProgram) *BuildProgram;
	typeof(clGetProgramInfo) *GetProgramInfo;
	typeof(clGetProgramBuildInfo) *GetProgramBuildInfo;
	typeof(clCreateKernel) *CreateKernel;
	typeof(clSetKernelArg) *SetKernelArg;
	typeof(clSetKernelArgSVMPointer) *SetKernelArgSVMPointer;
	typeof(clCreateBuffer) *CreateBuffer;
	typeof(clSVMAlloc) *SVMAlloc;
	typeof(clSVMFree) *SVMFree;
	typeof(clEnqueueMapBuffer) *EnqueueMapBuffer;
	typeof(clEnqueueWriteBuffer) *EnqueueWriteBuffer;
	typeof(clEnqueueReadBuffer) *EnqueueReadBuffer;
	typeof(clEnqueueNDRangeKernel) *EnqueueNDRangeKernel;
	typeof(clGetEventInfo) *GetEventInfo;
	typeof(clWaitForEvents) *WaitForEvents;
	typeof(clFlush) *Flush;
	typeof(clFinish) *Finish;
	typeof(clReleaseContext) *ReleaseContext;
	typeof(clReleaseCommandQueue) *ReleaseCommandQueue;
	typeof(clReleaseProgram) *ReleaseProgram;
	typeof(clReleaseKernel) *ReleaseKernel;
	typeof(clReleaseMemObject) *ReleaseMemObject;
	typeof(clReleaseEvent) *ReleaseEvent;
};

/** cl - the functions, once opencl_api_load() has found them */
extern struct opencl_api cl;

/** opencl_api_load - find them; NULL, or why not */
const char *opencl_api_load(void);

/** opencl_error - name of an error, such as "CL_OUT_OF_RESOURCES" */
const char *opencl_error(cl_int err);

#endif
