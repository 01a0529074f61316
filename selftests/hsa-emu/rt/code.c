// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "code.h"
#include "report.h"
#include "runtime.h"

/* The bytes of a code object */
struct code_reader {
	const u8 *bytes;
	u8 *own;		/* if they were read from a file */
	size_t size;
	struct code_reader *next;
};

struct executable {
	bool frozen;
	struct code *codes;
	unsigned int running;	/* dispatches of its kernels */
	struct executable *next;
};

static struct {
	pthread_mutex_t lock;
	struct executable *executables;
	struct code_reader *readers;
} code = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct executable **find_executable(u64 handle)
{
	struct executable **at;

	for (at = &code.executables; *at; at = &(*at)->next)
		if ((u64)(uintptr_t)*at == handle)
			break;
	return at;
}

static struct code_reader **find_reader(u64 handle)
{
	struct code_reader **at;

	for (at = &code.readers; *at; at = &(*at)->next)
		if ((u64)(uintptr_t)*at == handle)
			break;
	return at;
}

/* The kernel whose descriptor is at an address, and what it belongs to */
static struct kernel *find_kernel(u64 object, struct executable **owner)
{
	for (struct executable *e = code.executables; e; e = e->next)
		for (struct code *c = e->codes; c; c = c->next)
			for (unsigned int n = 0; n < c->nr_kernels; n++)
				if (c->kernels[n].object == object) {
					*owner = e;
					return &c->kernels[n];
				}
	return NULL;
}

const struct kernel *kernel_hold(u64 object, const struct agent *agent)
{
	struct executable *e;
	struct kernel *k;

	pthread_mutex_lock(&code.lock);
	k = find_kernel(object, &e);
	if (k && (k->code->agent != agent || !e->frozen))
		k = NULL;
	if (k)
		e->running++;
	pthread_mutex_unlock(&code.lock);
	return k;
}

void kernel_release(const struct kernel *k)
{
	struct executable *e = NULL;

	pthread_mutex_lock(&code.lock);
	find_kernel(k->object, &e);
	if (e)
		e->running--;
	pthread_mutex_unlock(&code.lock);
}

void kernel_account(const struct kernel *k, const u32 *grid, const u64 *count)
{
	struct executable *e;
	struct kernel *own;

	pthread_mutex_lock(&code.lock);
	own = find_kernel(k->object, &e);
	own->dispatches++;
	own->items += (u64)grid[0] * grid[1] * grid[2];
	for (unsigned int c = 0; c < CLASSES; c++)
		own->count[c] += count[c];
	pthread_mutex_unlock(&code.lock);
}

static hsa_status_t add_reader(struct code_reader *r, hsa_code_object_reader_t *handle)
{
	pthread_mutex_lock(&code.lock);
	r->next = code.readers;
	code.readers = r;
	pthread_mutex_unlock(&code.lock);
	handle->handle = (u64)(uintptr_t)r;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_code_object_reader_create_from_memory(const void *code_object, size_t size,
						       hsa_code_object_reader_t *handle)
{
	hsa_status_t status = api_enter(__func__);
	struct code_reader *r;

	if (status)
		return status;
	if (!code_object || !size || !handle)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	r = calloc(1, sizeof(*r));
	if (!r)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	r->bytes = code_object;
	r->size = size;
	return add_reader(r, handle);
}

hsa_status_t hsa_code_object_reader_create_from_file(hsa_file_t file,
						     hsa_code_object_reader_t *handle)
{
	hsa_status_t status = api_enter(__func__);
	struct code_reader *r;
	struct stat st;

	if (status)
		return status;
	if (!handle)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	if (fstat(file, &st) || st.st_size <= 0)
		return HSA_STATUS_ERROR_INVALID_FILE;
	r = calloc(1, sizeof(*r));
	if (!r)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	r->size = (size_t)st.st_size;
	r->own = malloc(r->size);
	if (!r->own || pread(file, r->own, r->size, 0) != st.st_size) {
		free(r->own);
		free(r);
		return HSA_STATUS_ERROR_INVALID_FILE;
	}
	r->bytes = r->own;
	return add_reader(r, handle);
}

hsa_status_t hsa_code_object_reader_destroy(hsa_code_object_reader_t handle)
{
	hsa_status_t status = api_enter(__func__);
	struct code_reader **at, *r;

	if (status)
		return status;
	pthread_mutex_lock(&code.lock);
	at = find_reader(handle.handle);
	r = *at;
	if (r)
		*at = r->next;
	pthread_mutex_unlock(&code.lock);
	if (!r)
		return HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
	free(r->own);
	free(r);
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_create_alt(hsa_profile_t profile,
				       hsa_default_float_rounding_mode_t rounding_mode,
				       const char *options, hsa_executable_t *executable)
{
	hsa_status_t status = api_enter(__func__);
	struct executable *e;

	(void)rounding_mode;
	(void)options;
	if (status)
		return status;
	if (!executable || (profile != HSA_PROFILE_BASE && profile != HSA_PROFILE_FULL))
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	e = calloc(1, sizeof(*e));
	if (!e)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	pthread_mutex_lock(&code.lock);
	e->next = code.executables;
	code.executables = e;
	pthread_mutex_unlock(&code.lock);
	executable->handle = (u64)(uintptr_t)e;
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_create(hsa_profile_t profile, hsa_executable_state_t state,
				   const char *options, hsa_executable_t *executable)
{
	if (state != HSA_EXECUTABLE_STATE_UNFROZEN)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	return hsa_executable_create_alt(profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, options,
					 executable);
}

static void destroy(struct executable *e, const char *how)
{
	while (e->codes) {
		struct code *c = e->codes;

		e->codes = c->next;
		elf_unload(c, how);
	}
	free(e);
}

hsa_status_t hsa_executable_destroy(hsa_executable_t executable)
{
	hsa_status_t status = api_enter(__func__);
	struct executable **at, *e;

	if (status)
		return status;
	pthread_mutex_lock(&code.lock);
	at = find_executable(executable.handle);
	e = *at;
	if (e && e->running) {
		pthread_mutex_unlock(&code.lock);
		report("hsa_executable_destroy(): %u of its kernels run", e->running);
		return HSA_STATUS_ERROR_RESOURCE_FREE;
	}
	if (e)
		*at = e->next;
	pthread_mutex_unlock(&code.lock);
	if (!e)
		return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	destroy(e, "hsa_executable_destroy()");
	return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_load_agent_code_object(hsa_executable_t executable, hsa_agent_t agent,
						   hsa_code_object_reader_t handle,
						   const char *options,
						   hsa_loaded_code_object_t *loaded)
{
	hsa_status_t status = api_enter(__func__);
	struct agent *a = agent_find(agent);
	struct code_reader *r;
	struct executable *e;
	struct code *c;

	(void)options;
	if (status)
		return status;
	if (!a || !a->chip)
		return HSA_STATUS_ERROR_INVALID_AGENT;
	pthread_mutex_lock(&code.lock);
	e = *find_executable(executable.handle);
	r = *find_reader(handle.handle);
	if (!e)
		status = HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	else if (!r)
		status = HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
	else if (e->frozen)
		status = HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
	else
		status = elf_load(a, r->bytes, r->size, &c);
	if (!status) {
		c->next = e->codes;
		e->codes = c;
		if (loaded)
			loaded->handle = (u64)(uintptr_t)c;
	}
	pthread_mutex_unlock(&code.lock);
	return status;
}

hsa_status_t hsa_executable_freeze(hsa_executable_t executable, const char *options)
{
	hsa_status_t status = api_enter(__func__);
	struct executable *e;

	(void)options;
	if (status)
		return status;
	pthread_mutex_lock(&code.lock);
	e = *find_executable(executable.handle);
	if (!e)
		status = HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	else if (e->frozen)
		status = HSA_STATUS_ERROR_FROZEN_EXECUTABLE;
	else
		e->frozen = true;
	pthread_mutex_unlock(&code.lock);
	return status;
}

hsa_status_t hsa_executable_validate(hsa_executable_t executable, uint32_t *result)
{
	hsa_status_t status = api_enter(__func__);

	if (status)
		return status;
	if (!result)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_lock(&code.lock);
	if (!*find_executable(executable.handle))
		status = HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	pthread_mutex_unlock(&code.lock);
	*result = 0;
	return status;
}

hsa_status_t hsa_executable_get_symbol_by_name(hsa_executable_t executable,
					       const char *symbol_name, const hsa_agent_t *agent,
					       hsa_executable_symbol_t *symbol)
{
	hsa_status_t status = api_enter(__func__);
	struct executable *e;

	if (status)
		return status;
	if (!symbol_name || !symbol)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	status = HSA_STATUS_ERROR_INVALID_SYMBOL_NAME;
	pthread_mutex_lock(&code.lock);
	e = *find_executable(executable.handle);
	if (!e)
		status = HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	for (struct code *c = e ? e->codes : NULL; c; c = c->next) {
		/* Kernels are an agent's, and so only to be had by naming it. */
		if (!agent || agent->handle != c->agent->handle)
			continue;
		for (unsigned int n = 0; n < c->nr_kernels; n++)
			if (!strcmp(c->kernels[n].name, symbol_name)) {
				symbol->handle = (u64)(uintptr_t)&c->kernels[n];
				status = HSA_STATUS_SUCCESS;
			}
	}
	pthread_mutex_unlock(&code.lock);
	return status;
}

hsa_status_t hsa_executable_get_symbol(hsa_executable_t executable, const char *module_name,
				       const char *symbol_name, hsa_agent_t agent,
				       int32_t call_convention, hsa_executable_symbol_t *symbol)
{
	(void)module_name;
	(void)call_convention;
	return hsa_executable_get_symbol_by_name(executable, symbol_name, &agent, symbol);
}

typedef hsa_status_t symbol_callback(hsa_executable_t executable, hsa_agent_t agent,
				     hsa_executable_symbol_t symbol, void *data);

hsa_status_t hsa_executable_iterate_agent_symbols(hsa_executable_t executable, hsa_agent_t agent,
						  symbol_callback *callback, void *data)
{
	hsa_status_t status = api_enter(__func__);
	struct executable *e;

	if (status)
		return status;
	if (!callback)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	pthread_mutex_lock(&code.lock);
	e = *find_executable(executable.handle);
	pthread_mutex_unlock(&code.lock);
	if (!e)
		return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
	for (struct code *c = e->codes; c; c = c->next)
		for (unsigned int n = 0; n < c->nr_kernels; n++) {
			hsa_executable_symbol_t s = { (u64)(uintptr_t)&c->kernels[n] };

			if (c->agent->handle != agent.handle)
				break;
			status = callback(executable, agent, s, data);
			if (status)
				return status;
		}
	return HSA_STATUS_SUCCESS;
}

/* A symbol's handle is its kernel's address. */
static const struct kernel *find_symbol(u64 handle)
{
	const struct kernel *k = NULL;

	pthread_mutex_lock(&code.lock);
	for (struct executable *e = code.executables; e; e = e->next)
		for (struct code *c = e->codes; c; c = c->next)
			if (handle - (u64)(uintptr_t)c->kernels <
			    c->nr_kernels * sizeof(*c->kernels))
				k = (const struct kernel *)(uintptr_t)handle;
	pthread_mutex_unlock(&code.lock);
	return k;
}

hsa_status_t hsa_executable_symbol_get_info(hsa_executable_symbol_t symbol,
					    hsa_executable_symbol_info_t attribute, void *value)
{
	hsa_status_t status = api_enter(__func__);
	const struct kernel *k;

	if (status)
		return status;
	k = find_symbol(symbol.handle);
	if (!k)
		return HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL;
	if (!value)
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	switch ((int)attribute) {
	case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
		*(hsa_symbol_kind_t *)value = HSA_SYMBOL_KIND_KERNEL;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
		*(uint32_t *)value = (uint32_t)strlen(k->name);
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_NAME:
		/* Without a zero at its end */
		memcpy(value, k->name, strlen(k->name));
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
		((hsa_agent_t *)value)->handle = k->code->agent->handle;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
		*(hsa_symbol_linkage_t *)value = HSA_SYMBOL_LINKAGE_PROGRAM;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION:
		*(bool *)value = true;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
		*(uint64_t *)value = k->object;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
		*(uint32_t *)value = k->kernarg_size;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
		*(uint32_t *)value = k->note.kernarg_align > 16 ? k->note.kernarg_align : 16;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
		*(uint32_t *)value = k->group_fixed;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
		*(uint32_t *)value = k->private_fixed;
		break;
	case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK:
		*(bool *)value = k->properties >> 11 & 1;
		break;
	default:
		return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
	return HSA_STATUS_SUCCESS;
}

void code_exit(void)
{
	while (code.executables) {
		struct executable *e = code.executables;

		code.executables = e->next;
		report("hsa_shut_down(): an executable was not destroyed");
		destroy(e, "hsa_shut_down()");
	}
	while (code.readers) {
		struct code_reader *r = code.readers;

		code.readers = r->next;
		report("hsa_shut_down(): a code object reader was not destroyed");
		free(r->own);
		free(r);
	}
}
