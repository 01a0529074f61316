// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/hsa/code.h"
#include "layout.h"
#include "lib/array.h"

/* No code object of ours is that large. */
#define SIZE_LIMIT	(16u << 20)

/* What is wrong, until the same thread asks again */
static __thread char why[PATH_MAX + 128];

/* By their layout's number: files that are older than we are do not fit. */
static void name_file(char *path, size_t size, const char *dir, const char *gfx)
{
	snprintf(path, size, "%s/%s-v%u.co", dir, gfx, WAVECRYPT_GPU_LAYOUT);
}

const char *hsa_code_missing(const char *dir, const char *gfx)
{
	char path[PATH_MAX];

	name_file(path, sizeof(path), dir, gfx);
	if (!access(path, R_OK))
		return NULL;
	snprintf(why, sizeof(why), "no code object for it: %s: %s", path,
		 strerror(errno));
	return why;
}

static void *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "re");
	void *data = NULL;
	long end = -1;

	if (f && !fseek(f, 0, SEEK_END))
		end = ftell(f);
	if (end > 0 && end < SIZE_LIMIT)
		data = malloc(end);
	if (data) {
		rewind(f);
		*size = fread(data, 1, end, f);
		if (*size != (size_t)end) {
			free(data);
			data = NULL;
		}
	}
	if (f)
		fclose(f);
	return data;
}

static hsa_status_t find_kernel(const struct hsa_code *code, hsa_agent_t agent,
				const char *name, struct hsa_kernel *k)
{
	const struct {
		hsa_executable_symbol_info_t what;
		void *to;
	} wanted[] = {
		{ HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &k->object },
		{ HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE,
		  &k->arguments },
		{ HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE,
		  &k->local },
		{ HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE,
		  &k->private },
	};
	hsa_executable_symbol_t symbol;
	hsa_status_t status;

	status = hsa.executable_get_symbol_by_name(code->executable, name,
						   &agent, &symbol);
	for (size_t i = 0; !status && i < ARRAY_SIZE(wanted); i++)
		status = hsa.executable_symbol_get_info(symbol, wanted[i].what,
							wanted[i].to);
	return status;
}

static hsa_status_t load(struct hsa_code *code, hsa_agent_t agent, size_t size)
{
	hsa_status_t status;

	status = hsa.code_object_reader_create_from_memory(code->data, size,
							   &code->reader);
	if (!status)
		status = hsa.executable_create_alt(HSA_PROFILE_FULL,
				HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, NULL,
				&code->executable);
	if (!status)
		status = hsa.executable_load_agent_code_object(code->executable,
							       agent,
							       code->reader,
							       NULL, NULL);
	if (!status)
		status = hsa.executable_freeze(code->executable, NULL);
	if (!status)
		status = find_kernel(code, agent, "wavecrypt_batch.kd",
				     &code->batch);
	if (!status)
		status = find_kernel(code, agent, "wavecrypt_persistent.kd",
				     &code->persistent);
	return status;
}

const char *hsa_code_load(struct hsa_code *code, hsa_agent_t agent,
			  const char *dir, const char *gfx)
{
	char path[PATH_MAX];
	hsa_status_t status;
	size_t size;

	memset(code, 0, sizeof(*code));
	name_file(path, sizeof(path), dir, gfx);
	code->data = read_file(path, &size);
	if (!code->data) {
		snprintf(why, sizeof(why), "cannot read %s", path);
		return why;
	}
	status = load(code, agent, size);
	if (!status)
		return NULL;
	snprintf(why, sizeof(why), "cannot load %s: %s", path,
		 hsa_error(status));
	return why;
}

void hsa_code_unload(struct hsa_code *code)
{
	if (code->executable.handle)
		hsa.executable_destroy(code->executable);
	if (code->reader.handle)
		hsa.code_object_reader_destroy(code->reader);
	free(code->data);
	memset(code, 0, sizeof(*code));
}
