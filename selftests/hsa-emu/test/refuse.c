// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * What the runtime is asked for wrongly it refuses, by the status that the
 * specification has for that.
 *
 * Usage: refuse CODE.CO CODE-OF-ANOTHER-GPU.CO
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../gcn/types.h"
#include "harness.h"

#define REFUSED(status, call)						\
	refused(HSA_STATUS_ERROR_ ## status, call, #call)

static struct gpu gpu;
static const hsa_agent_t nobody = { 1 };
static uint64_t value[64];

static void refused(int should, hsa_status_t is, const char *call)
{
	test((int)is == should, "%s is %#x", call, is);
}

static hsa_status_t any_agent(hsa_agent_t agent, void *data)
{
	(void)agent;
	(void)data;
	return HSA_STATUS_SUCCESS;
}

static void before_it_begins(void)
{
	REFUSED(NOT_INITIALIZED, hsa_iterate_agents(any_agent, NULL));
	REFUSED(NOT_INITIALIZED, hsa_shut_down());
}

static void of_the_system(void)
{
	REFUSED(INVALID_ARGUMENT, hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_system_get_info((hsa_system_info_t)9999, value));
	REFUSED(INVALID_ARGUMENT, hsa_system_extension_supported(0, 1, 0, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_status_string(HSA_STATUS_SUCCESS, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_status_string((hsa_status_t)9999, (void *)value));
	REFUSED(INVALID_ARGUMENT, hsa_amd_register_system_event_handler(NULL, NULL));
}

static hsa_status_t event(const hsa_amd_event_t *e, void *data)
{
	(void)e;
	(void)data;
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t any_isa(hsa_isa_t isa, void *data)
{
	*(hsa_isa_t *)data = isa;
	return HSA_STATUS_SUCCESS;
}

static void of_agents(void)
{
	hsa_isa_t isa;

	refused(HSA_STATUS_ERROR, hsa_amd_register_system_event_handler(event, NULL),
		"hsa_amd_register_system_event_handler(), again,");
	REFUSED(INVALID_ARGUMENT, hsa_iterate_agents(NULL, NULL));
	REFUSED(INVALID_AGENT, hsa_agent_get_info(nobody, HSA_AGENT_INFO_NAME, value));
	REFUSED(INVALID_ARGUMENT, hsa_agent_get_info(gpu.agent, HSA_AGENT_INFO_NAME, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_agent_get_info(gpu.agent, (hsa_agent_info_t)9999, value));
	REFUSED(INVALID_AGENT, hsa_agent_iterate_isas(nobody, any_isa, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_agent_iterate_isas(gpu.agent, NULL, NULL));
	CHECK(hsa_agent_iterate_isas(gpu.agent, any_isa, &isa));
	REFUSED(INVALID_ISA, hsa_isa_get_info_alt((hsa_isa_t) { 1 }, HSA_ISA_INFO_NAME, value));
	REFUSED(INVALID_ARGUMENT, hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_isa_get_info_alt(isa, (hsa_isa_info_t)9999, value));
	REFUSED(INVALID_ARGUMENT, hsa_isa_from_name(NULL, &isa));
	REFUSED(INVALID_ISA_NAME, hsa_isa_from_name("amdgcn-amd-amdhsa--gfx000", &isa));
}

static hsa_status_t group_pool(hsa_amd_memory_pool_t pool, void *data)
{
	hsa_amd_segment_t segment;

	CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
	if (segment == HSA_AMD_SEGMENT_GROUP)
		*(hsa_amd_memory_pool_t *)data = pool;
	return HSA_STATUS_SUCCESS;
}

static void of_pools(void)
{
	const hsa_amd_memory_pool_t none = { 1 };
	hsa_amd_memory_pool_t group = none;
	void *p;

	REFUSED(INVALID_AGENT, hsa_amd_agent_iterate_memory_pools(nobody, group_pool, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_amd_agent_iterate_memory_pools(gpu.agent, NULL, NULL));
	CHECK(hsa_amd_agent_iterate_memory_pools(gpu.agent, group_pool, &group));
	REFUSED(INVALID_MEMORY_POOL, hsa_amd_memory_pool_get_info(none, 0, value));
	REFUSED(INVALID_ARGUMENT, hsa_amd_memory_pool_get_info(gpu.fine, 0, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_amd_memory_pool_get_info(gpu.fine, 9999, value));
	REFUSED(INVALID_AGENT, hsa_amd_agent_memory_pool_get_info(nobody, gpu.fine, 0, value));
	REFUSED(INVALID_MEMORY_POOL, hsa_amd_agent_memory_pool_get_info(gpu.agent, none, 0, value));
	REFUSED(INVALID_ARGUMENT, hsa_amd_agent_memory_pool_get_info(gpu.agent, gpu.fine, 0, NULL));
	REFUSED(INVALID_ARGUMENT,
		hsa_amd_agent_memory_pool_get_info(gpu.agent, gpu.fine, 9999, value));
	REFUSED(INVALID_MEMORY_POOL, hsa_amd_memory_pool_allocate(none, 64, 0, &p));
	REFUSED(INVALID_ARGUMENT, hsa_amd_memory_pool_allocate(gpu.fine, 0, 0, &p));
	REFUSED(INVALID_ARGUMENT, hsa_amd_memory_pool_allocate(gpu.fine, 64, 1, &p));
	REFUSED(INVALID_ARGUMENT, hsa_amd_memory_pool_allocate(gpu.fine, 64, 0, NULL));
	REFUSED(INVALID_ALLOCATION, hsa_amd_memory_pool_allocate(group, 64, 0, &p));
}

/* Pages of no struct page, which the driver cannot pin */
static void *pages_of_the_kernel(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long start = 0;
	char line[256];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[vvar]"))
			start = strtoul(line, NULL, 16);
	if (maps)
		fclose(maps);
	return (void *)start;
}

static void of_memory(void)
{
	static uint32_t memory[16];
	hsa_agent_t strange = nobody;
	void *p, *mine = gpu_alloc(&gpu, 64), *kernel = pages_of_the_kernel();
	hsa_amd_pointer_info_t info = { .size = 1 };

	REFUSED(INVALID_ARGUMENT, hsa_amd_agents_allow_access(0, &gpu.agent, NULL, mine));
	REFUSED(INVALID_ARGUMENT, hsa_amd_agents_allow_access(1, NULL, NULL, mine));
	REFUSED(INVALID_ARGUMENT, hsa_amd_agents_allow_access(1, &gpu.agent, memory, mine));
	REFUSED(INVALID_ARGUMENT, hsa_amd_agents_allow_access(1, &gpu.agent, NULL, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_amd_agents_allow_access(1, &gpu.agent, NULL, memory));
	REFUSED(INVALID_AGENT, hsa_amd_agents_allow_access(1, &nobody, NULL, mine));
	REFUSED(INVALID_ARGUMENT, hsa_amd_memory_lock(NULL, 64, &gpu.agent, 1, &p));
	REFUSED(INVALID_ARGUMENT, hsa_amd_memory_lock(memory, 0, &gpu.agent, 1, &p));
	REFUSED(INVALID_ARGUMENT, hsa_amd_memory_lock(memory, 64, &gpu.agent, 0, &p));
	REFUSED(INVALID_ARGUMENT, hsa_amd_memory_lock(memory, 64, NULL, 1, &p));
	REFUSED(INVALID_ARGUMENT, hsa_amd_memory_lock(memory, 64, &gpu.agent, 1, NULL));
	REFUSED(INVALID_AGENT, hsa_amd_memory_lock(memory, 64, &strange, 1, &p));
	if (kernel)
		REFUSED(OUT_OF_RESOURCES, hsa_amd_memory_lock(kernel, 64, &gpu.agent, 1, &p));
	REFUSED(INVALID_MEMORY_POOL,
		hsa_amd_memory_lock_to_pool(memory, 64, &gpu.agent, 1,
					    (hsa_amd_memory_pool_t) { 1 }, 0, &p));
	REFUSED(INVALID_ARGUMENT,
		hsa_amd_memory_lock_to_pool(memory, 64, &gpu.agent, 1, gpu.fine, 1, &p));
	REFUSED(INVALID_ARGUMENT, hsa_amd_pointer_info(mine, &info, NULL, NULL, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_amd_memory_fill((char *)mine + 1, 0, 1));
	REFUSED(INVALID_ARGUMENT, hsa_memory_copy(NULL, mine, 1));
}

static hsa_status_t make_queue(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
			       hsa_queue_t **queue)
{
	return hsa_queue_create(agent, size, type, NULL, NULL, UINT32_MAX, UINT32_MAX, queue);
}

static void of_queues(void)
{
	hsa_queue_t *queue, stranger = { 0 };

	REFUSED(INVALID_AGENT, make_queue(nobody, 64, HSA_QUEUE_TYPE_MULTI, &queue));
	REFUSED(INVALID_QUEUE_CREATION, make_queue(gpu.cpu, 64, HSA_QUEUE_TYPE_MULTI, &queue));
	REFUSED(INVALID_QUEUE_CREATION, make_queue(gpu.agent, 64, 9999, &queue));
	REFUSED(INVALID_ARGUMENT, make_queue(gpu.agent, 64, HSA_QUEUE_TYPE_MULTI, NULL));
	REFUSED(INVALID_ARGUMENT, make_queue(gpu.agent, 0, HSA_QUEUE_TYPE_MULTI, &queue));
	REFUSED(INVALID_ARGUMENT, make_queue(gpu.agent, 32, HSA_QUEUE_TYPE_MULTI, &queue));
	REFUSED(INVALID_ARGUMENT, make_queue(gpu.agent, 100, HSA_QUEUE_TYPE_MULTI, &queue));
	REFUSED(INVALID_ARGUMENT, make_queue(gpu.agent, 1 << 18, HSA_QUEUE_TYPE_MULTI, &queue));
	REFUSED(INVALID_QUEUE, hsa_queue_inactivate(&stranger));
	REFUSED(INVALID_QUEUE, hsa_queue_destroy(&stranger));
	REFUSED(INVALID_QUEUE, hsa_amd_queue_set_priority(&stranger, 0));
	REFUSED(INVALID_ARGUMENT, hsa_amd_queue_set_priority(gpu.queue, 9999));
}

static void of_signals(void)
{
	hsa_signal_t signal;

	REFUSED(INVALID_ARGUMENT, hsa_signal_create(1, 0, NULL, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_signal_create(1, 1, NULL, &signal));
	REFUSED(INVALID_ARGUMENT, hsa_amd_signal_create(1, 0, NULL, ~0ULL, &signal));
	REFUSED(INVALID_ARGUMENT, hsa_signal_destroy(gpu.queue->doorbell_signal));
	CHECK(hsa_signal_create(1, 0, NULL, &signal));
	REFUSED(INVALID_ARGUMENT, hsa_amd_signal_value_pointer(signal, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_amd_signal_async_handler(signal, 0, 0, NULL, NULL));
	CHECK(hsa_signal_destroy(signal));
	REFUSED(INVALID_SIGNAL, hsa_signal_destroy(signal));
	REFUSED(INVALID_SIGNAL, hsa_amd_signal_async_handler(signal, 0, 0, NULL, NULL));
}

static void of_readers(void)
{
	hsa_code_object_reader_t reader;
	int directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	REFUSED(INVALID_ARGUMENT, hsa_code_object_reader_create_from_memory(NULL, 1, &reader));
	REFUSED(INVALID_ARGUMENT, hsa_code_object_reader_create_from_memory(value, 0, &reader));
	REFUSED(INVALID_ARGUMENT, hsa_code_object_reader_create_from_memory(value, 1, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_code_object_reader_create_from_file(directory, NULL));
	REFUSED(INVALID_FILE, hsa_code_object_reader_create_from_file(-1, &reader));
	REFUSED(INVALID_FILE, hsa_code_object_reader_create_from_file(directory, &reader));
	REFUSED(INVALID_CODE_OBJECT_READER,
		hsa_code_object_reader_destroy((hsa_code_object_reader_t) { 1 }));
	close(directory);
}

static hsa_status_t load(hsa_executable_t executable, hsa_agent_t agent,
			 hsa_code_object_reader_t reader)
{
	return hsa_executable_load_agent_code_object(executable, agent, reader, NULL, NULL);
}

/* Loading what is in memory */
static hsa_status_t load_bytes(hsa_executable_t executable, const void *bytes, size_t size)
{
	hsa_code_object_reader_t reader;
	hsa_status_t status;

	CHECK(hsa_code_object_reader_create_from_memory(bytes, size, &reader));
	status = load(executable, gpu.agent, reader);
	CHECK(hsa_code_object_reader_destroy(reader));
	return status;
}

static char *read_all(const char *name, size_t *size)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *bytes;

	if (fd < 0 || fstat(fd, &st))
		exit(2);
	*size = (size_t)st.st_size;
	bytes = malloc(*size);
	if (!bytes || read(fd, bytes, *size) != st.st_size)
		exit(2);
	close(fd);
	return bytes;
}

static void of_code(const char *own, const char *foreign)
{
	const hsa_executable_t none = { 1 };
	hsa_executable_t e;
	size_t size, foreign_size;
	char *bytes = read_all(own, &size), *others = read_all(foreign, &foreign_size);

	CHECK(hsa_executable_create_alt(HSA_PROFILE_FULL, 0, NULL, &e));
	REFUSED(INVALID_AGENT, load(e, gpu.cpu, gpu.reader));
	REFUSED(INVALID_EXECUTABLE, load(none, gpu.agent, gpu.reader));
	REFUSED(INVALID_CODE_OBJECT_READER,
		load(e, gpu.agent, (hsa_code_object_reader_t) { 1 }));
	REFUSED(FROZEN_EXECUTABLE, load(gpu.executable, gpu.agent, gpu.reader));
	REFUSED(INCOMPATIBLE_ARGUMENTS, load_bytes(e, others, foreign_size));
	REFUSED(INVALID_CODE_OBJECT, load_bytes(e, bytes, size / 2));
	bytes[EI_ABIVERSION] = 99;
	REFUSED(INVALID_CODE_OBJECT, load_bytes(e, bytes, size));
	CHECK(hsa_executable_destroy(e));
	free(bytes);
	free(others);
}

static hsa_status_t any_symbol(hsa_executable_t executable, hsa_agent_t agent,
			       hsa_executable_symbol_t symbol, void *data)
{
	(void)executable;
	(void)agent;
	*(hsa_executable_symbol_t *)data = symbol;
	return HSA_STATUS_SUCCESS;
}

static void of_executables(void)
{
	const hsa_executable_t none = { 1 };
	hsa_executable_symbol_t symbol;
	hsa_executable_t e;
	uint32_t result;

	REFUSED(INVALID_ARGUMENT, hsa_executable_create_alt(HSA_PROFILE_FULL, 0, NULL, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_executable_create_alt((hsa_profile_t)9999, 0, NULL, &e));
	REFUSED(INVALID_ARGUMENT,
		hsa_executable_create(HSA_PROFILE_FULL, HSA_EXECUTABLE_STATE_FROZEN, NULL, &e));
	REFUSED(INVALID_EXECUTABLE, hsa_executable_freeze(none, NULL));
	REFUSED(FROZEN_EXECUTABLE, hsa_executable_freeze(gpu.executable, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_executable_validate(gpu.executable, NULL));
	REFUSED(INVALID_EXECUTABLE, hsa_executable_validate(none, &result));
	REFUSED(INVALID_EXECUTABLE, hsa_executable_destroy(none));
	REFUSED(INVALID_ARGUMENT,
		hsa_executable_get_symbol_by_name(gpu.executable, NULL, &gpu.agent, &symbol));
	REFUSED(INVALID_EXECUTABLE,
		hsa_executable_get_symbol_by_name(none, "good.kd", &gpu.agent, &symbol));
	REFUSED(INVALID_SYMBOL_NAME,
		hsa_executable_get_symbol_by_name(gpu.executable, "bad.kd", &gpu.agent, &symbol));
	REFUSED(INVALID_SYMBOL_NAME,
		hsa_executable_get_symbol_by_name(gpu.executable, "good.kd", NULL, &symbol));
	REFUSED(INVALID_ARGUMENT,
		hsa_executable_iterate_agent_symbols(gpu.executable, gpu.agent, NULL, NULL));
	REFUSED(INVALID_EXECUTABLE,
		hsa_executable_iterate_agent_symbols(none, gpu.agent, any_symbol, &symbol));
	CHECK(hsa_executable_iterate_agent_symbols(gpu.executable, gpu.agent, any_symbol, &symbol));
	REFUSED(INVALID_ARGUMENT,
		hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE, NULL));
	REFUSED(INVALID_ARGUMENT, hsa_executable_symbol_get_info(symbol, 9999, value));
	REFUSED(INVALID_EXECUTABLE_SYMBOL,
		hsa_executable_symbol_get_info((hsa_executable_symbol_t) { 1 },
					       HSA_EXECUTABLE_SYMBOL_INFO_TYPE, value));
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	printf("KTAP version 1\n");
	before_it_begins();
	gpu_open(&gpu, argv[1]);
	of_the_system();
	of_agents();
	of_pools();
	of_memory();
	of_queues();
	of_signals();
	of_readers();
	of_code(argv[1], argv[2]);
	of_executables();
	gpu_close(&gpu);
	return tests_end();
}
