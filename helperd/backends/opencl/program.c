// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/opencl/cache.h"
#include "backends/opencl/program.h"
#include "gpu.h"
#include "lib/log.h"

static __thread char text[1024];

/* Everything that the outcome depends on. */
static void key_of(const struct opencl_device *dev, const char *options,
		   char *key, size_t room)
{
	snprintf(key, room, "wavecrypt\n%s\n%s\n%s\n%s\n%016llx\n",
		 dev->platform, dev->name, dev->driver, options,
		 (unsigned long long)cache_hash(wavecrypt_gpu_source));
}

static cl_program from_binary(cl_context context,
			      const struct opencl_device *dev,
			      const char *options, const uint8_t *data,
			      size_t size)
{
	cl_int status, err;
	cl_program program;

	program = cl.CreateProgramWithBinary(context, 1, &dev->id, &size,
					     &data, &status, &err);
	if (!program)
		return NULL;
	if (!cl.BuildProgram(program, 1, &dev->id, options, NULL, NULL))
		return program;
	cl.ReleaseProgram(program);
	return NULL;
}

static void explain_build(cl_program program, const struct opencl_device *dev,
			  cl_int err)
{
	int n = snprintf(text, sizeof(text), "cannot compile the kernels: %s: ",
			 opencl_error(err));
	char *log = calloc(1, 65536);

	if (log)
		cl.GetProgramBuildInfo(program, dev->id, CL_PROGRAM_BUILD_LOG,
				       65535, log, NULL);
	snprintf(text + n, sizeof(text) - n, "%s", log ? log : "");
	for (char *p = text; (p = strchr(p, '\n')); )
		*p = ' ';
	free(log);
}

static cl_program from_source(cl_context context,
			      const struct opencl_device *dev,
			      const char *options, const char **why)
{
	const char *source = wavecrypt_gpu_source;
	cl_program program;
	cl_int err;

	*why = text;
	program = cl.CreateProgramWithSource(context, 1, &source, NULL, &err);
	if (!program) {
		snprintf(text, sizeof(text), "cannot load the kernels: %s",
			 opencl_error(err));
		return NULL;
	}
	err = cl.BuildProgram(program, 1, &dev->id, options, NULL, NULL);
	if (!err)
		return program;
	explain_build(program, dev, err);
	cl.ReleaseProgram(program);
	return NULL;
}

static void keep(cl_program program, const char *cache, const char *key)
{
	unsigned char *data;
	size_t size = 0;

	if (cl.GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size),
			      &size, NULL) || !size)
		return;
	data = malloc(size);
	if (data && !cl.GetProgramInfo(program, CL_PROGRAM_BINARIES,
				       sizeof(data), &data, NULL))
		cache_store(cache, key, data, size);
	free(data);
}

cl_program opencl_program(cl_context context, const struct opencl_device *dev,
			  const char *options, const char *cache,
			  const char **why)
{
	cl_program program = NULL;
	char key[1024];
	uint8_t *data;
	size_t size;

	key_of(dev, options, key, sizeof(key));
	data = cache_load(cache, key, &size);
	if (data)
		program = from_binary(context, dev, options, data, size);
	free(data);
	if (program)
		return program;
	log_notice("backend opencl: compiling for %s, which takes some seconds",
		   dev->name);
	program = from_source(context, dev, options, why);
	/* Some drivers compile once more for what is to be kept. */
	if (program && cache[0])
		keep(program, cache, key);
	return program;
}
