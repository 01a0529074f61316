// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../gcn/types.h"
#include "harness.h"

enum { PACKET = sizeof(hsa_kernel_dispatch_packet_t) };

static unsigned int tests, failures;

void test(bool good, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %u ", good ? "" : "not ", ++tests);
	failures += !good;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
}

int tests_end(void)
{
	printf("1..%u\n", tests);
	return failures ? 1 : 0;
}

void check_failed(const char *call, hsa_status_t status)
{
	const char *name = "?";

	hsa_status_string(status, &name);
	printf("Bail out! %s: %s (%#x)\n", call, name, status);
	fflush(stdout);
	_exit(2);
}

uint32_t test_random(void)
{
	static uint64_t state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 16);
}

static hsa_status_t see_isa(hsa_isa_t isa, void *data)
{
	struct gpu *gpu = data;

	return hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, gpu->isa);
}

static hsa_status_t see_agent(hsa_agent_t agent, void *data)
{
	struct gpu *gpu = data;
	hsa_device_type_t type;

	CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
	if (type == HSA_DEVICE_TYPE_CPU) {
		gpu->cpu = agent;
	} else if (!gpu->agent.handle) {
		gpu->agent = agent;
		CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_NAME, gpu->name));
		CHECK(hsa_agent_iterate_isas(agent, see_isa, gpu));
	}
	return HSA_STATUS_SUCCESS;
}

static hsa_status_t see_pool(hsa_amd_memory_pool_t pool, void *data)
{
	struct gpu *gpu = data;
	uint32_t flags;

	CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
	if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
		gpu->kernarg = pool;
	else if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED)
		gpu->fine = pool;
	return HSA_STATUS_SUCCESS;
}

static void on_error(hsa_status_t status, hsa_queue_t *queue, void *data)
{
	struct gpu *gpu = data;

	(void)queue;
	__atomic_store_n(&gpu->error, status, __ATOMIC_RELEASE);
}

static hsa_status_t on_event(const hsa_amd_event_t *event, void *data)
{
	struct gpu *gpu = data;

	__atomic_store_n(&gpu->fault, event->memory_fault.virtual_address | 1, __ATOMIC_RELEASE);
	return gpu->deaf ? HSA_STATUS_ERROR : HSA_STATUS_SUCCESS;
}

static void read_code(struct gpu *gpu, const char *code)
{
	int fd = open(code, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		printf("Bail out! %s cannot be read\n", code);
		_exit(2);
	}
	CHECK(hsa_code_object_reader_create_from_file(fd, &gpu->reader));
	close(fd);
	gpu_load(gpu);
}

void gpu_load(struct gpu *gpu)
{
	CHECK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR,
					NULL, &gpu->executable));
	CHECK(hsa_executable_load_agent_code_object(gpu->executable, gpu->agent, gpu->reader,
						    NULL, NULL));
	CHECK(hsa_executable_freeze(gpu->executable, NULL));
}

void gpu_open(struct gpu *gpu, const char *code)
{
	memset(gpu, 0, sizeof(*gpu));
	CHECK(hsa_init());
	CHECK(hsa_iterate_agents(see_agent, gpu));
	if (!gpu->agent.handle) {
		printf("Bail out! no GPU\n");
		_exit(2);
	}
	CHECK(hsa_amd_agent_iterate_memory_pools(gpu->cpu, see_pool, gpu));
	CHECK(hsa_amd_register_system_event_handler(on_event, gpu));
	CHECK(hsa_queue_create(gpu->agent, 256, HSA_QUEUE_TYPE_MULTI, on_error, gpu, UINT32_MAX,
			       UINT32_MAX, &gpu->queue));
	read_code(gpu, code);
}

void gpu_close(struct gpu *gpu)
{
	CHECK(hsa_queue_destroy(gpu->queue));
	while (gpu->nr_allocs)
		CHECK(hsa_amd_memory_pool_free(gpu->allocs[--gpu->nr_allocs]));
	CHECK(hsa_executable_destroy(gpu->executable));
	CHECK(hsa_code_object_reader_destroy(gpu->reader));
	CHECK(hsa_shut_down());
}

static void *alloc(struct gpu *gpu, hsa_amd_memory_pool_t pool, size_t size)
{
	void *ptr;

	CHECK(hsa_amd_memory_pool_allocate(pool, size, 0, &ptr));
	CHECK(hsa_amd_agents_allow_access(1, &gpu->agent, NULL, ptr));
	if (gpu->nr_allocs == ARRAY_SIZE(gpu->allocs)) {
		printf("Bail out! too many allocations\n");
		_exit(2);
	}
	gpu->allocs[gpu->nr_allocs++] = ptr;
	return ptr;
}

void *gpu_alloc(struct gpu *gpu, size_t size)
{
	return alloc(gpu, gpu->fine, size);
}

static void symbol_info(hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t what,
			void *value)
{
	CHECK(hsa_executable_symbol_get_info(symbol, what, value));
}

uint64_t gpu_kernel(struct gpu *gpu, const char *name, uint32_t *lds)
{
	hsa_executable_symbol_t symbol;
	uint64_t object;
	char full[80];

	snprintf(full, sizeof(full), "%s.kd", name);
	CHECK(hsa_executable_get_symbol_by_name(gpu->executable, full, &gpu->agent, &symbol));
	symbol_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &object);
	symbol_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, lds);
	return object;
}

static uint32_t or_one(uint32_t x)
{
	return x ? x : 1;
}

/* A place in the queue, once there is one */
static uint64_t reserve(struct gpu *gpu)
{
	uint64_t packet = hsa_queue_add_write_index_screlease(gpu->queue, 1);

	while (packet - hsa_queue_load_read_index_scacquire(gpu->queue) >= gpu->queue->size &&
	       !__atomic_load_n(&gpu->error, __ATOMIC_ACQUIRE))
		usleep(100);
	return packet;
}

/* What is in the packet but for the header, and that last: then the rest is there. */
static void publish(struct gpu *gpu, uint64_t packet, uint16_t header, const void *content)
{
	char *place = (char *)gpu->queue->base_address + packet % gpu->queue->size * PACKET;
	uint32_t first;

	memcpy(&first, content, sizeof(first));
	memcpy(place + sizeof(first), (const char *)content + sizeof(first),
	       PACKET - sizeof(first));
	__atomic_store_n((uint32_t *)(void *)place, header | (first & 0xffff0000),
			 __ATOMIC_RELEASE);
}

static uint16_t at_system_scope(hsa_packet_type_t type)
{
	return (uint16_t)(type | HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
			  HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE);
}

hsa_signal_t gpu_submit(struct gpu *gpu, const struct shot *s)
{
	hsa_kernel_dispatch_packet_t p;
	hsa_signal_t signal = s->signal;
	void *kernarg = s->kernarg;
	uint64_t packet;
	uint32_t lds = 0;

	memset(&p, 0, sizeof(p));
	if (!kernarg && s->args_size) {
		kernarg = alloc(gpu, gpu->kernarg, s->args_size);
		memcpy(kernarg, s->args, s->args_size);
	}
	if (!signal.handle && !s->no_signal)
		CHECK(hsa_signal_create(1, 0, NULL, &signal));
	p.setup = s->setup ? s->setup : s->grid[2] ? 3 : s->grid[1] ? 2 : 1;
	p.workgroup_size_x = (uint16_t)or_one(s->group[0]);
	p.workgroup_size_y = (uint16_t)or_one(s->group[1]);
	p.workgroup_size_z = (uint16_t)or_one(s->group[2]);
	p.reserved0 = s->reserved;
	p.grid_size_x = s->empty ? 0 : or_one(s->grid[0]);
	p.grid_size_y = or_one(s->grid[1]);
	p.grid_size_z = or_one(s->grid[2]);
	p.kernel_object = s->kernel ? gpu_kernel(gpu, s->kernel, &lds) : s->kernel_object;
	p.group_segment_size = lds + s->lds - s->lds_less;
	p.private_segment_size = s->private;
	p.kernarg_address = kernarg;
	p.completion_signal = signal;
	packet = reserve(gpu);
	publish(gpu, packet,
		s->header ? s->header : at_system_scope(HSA_PACKET_TYPE_KERNEL_DISPATCH), &p);
	if (!s->no_doorbell)
		hsa_signal_store_screlease(gpu->queue->doorbell_signal, (int64_t)packet);
	return signal;
}

hsa_signal_t gpu_barrier(struct gpu *gpu, hsa_packet_type_t type, hsa_barrier_and_packet_t p)
{
	uint64_t packet = reserve(gpu);

	if (!p.completion_signal.handle)
		CHECK(hsa_signal_create(1, 0, NULL, &p.completion_signal));
	publish(gpu, packet, at_system_scope(type), &p);
	hsa_signal_store_screlease(gpu->queue->doorbell_signal, (int64_t)packet);
	return p.completion_signal;
}

bool gpu_wait(struct gpu *gpu, hsa_signal_t signal)
{
	bool done = false;

	for (unsigned int n = 0; n < 6000 && !done; n++) {
		done = !hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, 10000000,
						  HSA_WAIT_STATE_BLOCKED);
		if (__atomic_load_n(&gpu->error, __ATOMIC_ACQUIRE))
			break;
	}
	hsa_signal_destroy(signal);
	return done;
}

bool gpu_run(struct gpu *gpu, const struct shot *s)
{
	return gpu_wait(gpu, gpu_submit(gpu, s));
}
