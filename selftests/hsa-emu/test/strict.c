// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Every mistake is found: each is made in a process of its own, which must be
 * told of it through the queue's callback, and find it in the report.
 *
 * Usage: strict WRONG.CO WRONG.S.CO
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../gcn/types.h"
#include "harness.h"

static const char *objects[2];

/* A kernel that makes a mistake */
struct wrong {
	const char *kernel;
	int object;
	const char *finds;	/* in the report; NULL: nothing is wrong */
	int status;
	uint32_t groups, size;	/* of one dimension; 0: 1 group of 64 */
	const char *only;	/* on chips whose name starts like this */
};

enum { CL, ASM };

static const struct wrong wrongs[] = {
	{ "good", CL, NULL, 0, 4 },
	{ "past_end", CL, "writes 4 bytes at", HSA_STATUS_ERROR_MEMORY_FAULT, 16 },
	{ "past_end", CL, "0 bytes behind the end of 4096 bytes of fine-grained memory",
	  HSA_STATUS_ERROR_MEMORY_FAULT, 16 },
	{ "read_past_end", CL, "reads 16 bytes at", HSA_STATUS_ERROR_MEMORY_FAULT },
	{ "race_write", CL, "wave 0 writes, and nothing orders them", HSA_STATUS_ERROR_EXCEPTION,
	  2 },
	{ "race_read", CL, "and nothing orders them", HSA_STATUS_ERROR_EXCEPTION, 2 },
	{ "race_write_read", CL, "wave 0 reads, and nothing orders them",
	  HSA_STATUS_ERROR_EXCEPTION, 1, 128 },
	{ "race_waves", CL, "and nothing orders them", HSA_STATUS_ERROR_EXCEPTION, 1, 128 },
	{ "race_lds", CL, "without a barrier between", HSA_STATUS_ERROR_EXCEPTION, 1, 128 },
	{ "same_place", CL, "store different values", HSA_STATUS_ERROR_EXCEPTION },
	{ "unwritten_lds", CL, "holds no value", HSA_STATUS_ERROR_EXCEPTION },
	{ "past_lds", CL, "of local memory at", HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION },
	{ "half_barrier", CL, "1 of 2 waves have ended", HSA_STATUS_ERROR_EXCEPTION, 1, 128 },
	{ "write_const", CL, "a code object is not to be written", HSA_STATUS_ERROR_MEMORY_FAULT },
	{ "trap", CL, "s_trap", HSA_STATUS_ERROR_EXCEPTION },
	{ "unaligned_atomic", CL, "atomic on 4 bytes at", HSA_STATUS_ERROR_EXCEPTION },
	{ "atomic_far", CL, "changes 4 bytes at", HSA_STATUS_ERROR_MEMORY_FAULT },
	{ "asm_good", ASM, NULL, 0 },
	{ "undefined_data", ASM, "v1 of lane 0 holds no value", HSA_STATUS_ERROR_EXCEPTION },
	{ "undefined_sum", ASM, "v1 of lane 0 holds no value", HSA_STATUS_ERROR_EXCEPTION },
	{ "undefined_address", ASM, "v2 of lane 0 holds no value", HSA_STATUS_ERROR_EXCEPTION },
	{ "undefined_branch", ASM, "s_cbranch_scc1", HSA_STATUS_ERROR_EXCEPTION },
	{ "undefined_exec", ASM, "s_and_saveexec_b64", HSA_STATUS_ERROR_EXCEPTION },
	{ "undefined_vcc", ASM, "vcc_lo holds no value", HSA_STATUS_ERROR_EXCEPTION },
	{ "undefined_exec_moved", ASM, "s8 holds no value", HSA_STATUS_ERROR_EXCEPTION },
	{ "undefined_exec_compared", ASM, "v5 of lane 0 holds no value",
	  HSA_STATUS_ERROR_EXCEPTION },
	{ "undefined_jump", ASM, "s8 holds no value", HSA_STATUS_ERROR_EXCEPTION },
	{ "undefined_offset", ASM, "s8 holds no value", HSA_STATUS_ERROR_EXCEPTION },
	{ "undefined_lane_read", ASM, "s8 holds no value", HSA_STATUS_ERROR_EXCEPTION },
	{ "undefined_lane_written", ASM, "s8 holds no value", HSA_STATUS_ERROR_EXCEPTION },
	{ "undefined_base", ASM, "s8 holds no value", HSA_STATUS_ERROR_EXCEPTION, .only = "gfx9" },
	{ "private_pointer", ASM, "private memory", HSA_STATUS_ERROR_MEMORY_FAULT,
	  .only = "gfx9" },
	{ "undefined_lane", ASM, "v1 of lane 32 holds no value", HSA_STATUS_ERROR_EXCEPTION },
	{ "no_wait_vector", ASM, "v1 of lane 0 is used before", HSA_STATUS_ERROR_EXCEPTION },
	{ "no_wait_scalar", ASM, "s4 is used before it was waited for",
	  HSA_STATUS_ERROR_EXCEPTION },
	{ "no_wait_lds", ASM, "not waited for", HSA_STATUS_ERROR_EXCEPTION },
	{ "wait_counted", ASM, "v1 of lane 0 is used before", HSA_STATUS_ERROR_EXCEPTION },
	{ "beyond_vgprs", ASM, "8 VGPRs", HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION },
	{ "unknown", ASM, "unknown instruction", HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION },
	{ "lds_m0", ASM, "beyond M0", HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION, .only = "gfx8" },
	{ "no_m0", ASM, "m0 holds no value", HSA_STATUS_ERROR_EXCEPTION, .only = "gfx8" },
	{ "lds_unaligned", ASM, "4 bytes of local memory at 0x2", HSA_STATUS_ERROR_EXCEPTION },
	{ "lds_unwritten", ASM, "changes local memory at 0, which was never written",
	  HSA_STATUS_ERROR_EXCEPTION },
	{ "scalar_far", ASM, "reads 4 bytes at 0x1000", HSA_STATUS_ERROR_MEMORY_FAULT },
	{ "scalar_unaligned", ASM, "scalar load at", HSA_STATUS_ERROR_EXCEPTION },
	{ "branch_away", ASM, "branch out of the code", HSA_STATUS_ERROR_MEMORY_FAULT },
	{ "off_the_end", ASM, "ran off the end", HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION },
	{ "jump_away", ASM, "which is no code", HSA_STATUS_ERROR_MEMORY_FAULT },
};

/* What a child found; the report is in its file. */
struct outcome {
	bool done;
	hsa_status_t error;
};

static char report_name[64];

/* Runs in a child; what it returns is the outcome. */
typedef struct outcome try_fn(const void *arg);

static struct outcome try_in_child(try_fn *try, const void *arg, char *report, size_t size)
{
	struct outcome o = { 0 };
	int fds[2], fd, status = 0;
	ssize_t n;
	pid_t pid;

	unlink(report_name);
	fflush(stdout);
	if (pipe(fds))
		exit(2);
	pid = fork();
	if (!pid) {
		setenv("HSA_EMU_REPORT", report_name, 1);
		fd = open("/dev/null", O_WRONLY);
		dup2(fd, STDERR_FILENO);
		o = try(arg);
		_exit(write(fds[1], &o, sizeof(o)) != sizeof(o));
	}
	close(fds[1]);
	n = read(fds[0], &o, sizeof(o));
	close(fds[0]);
	waitpid(pid, &status, 0);
	if (n != sizeof(o) || status)
		o.error = (hsa_status_t)~0;
	report[0] = 0;
	fd = open(report_name, O_RDONLY);
	if (fd >= 0) {
		n = read(fd, report, size - 1);
		report[n > 0 ? n : 0] = 0;
		close(fd);
	}
	unlink(report_name);
	return o;
}

static bool expect(const struct outcome *o, const char *report, const char *finds, int status)
{
	bool good;

	if (finds)
		good = !o->done && (int)o->error == status && report[0] && strstr(report, finds);
	else
		good = o->done && !o->error && !report[0];
	if (!good)
		printf("# %s, status %#x instead of %#x, \"%s\" instead of \"%s\"\n",
		       o->done ? "done" : "not done", o->error, status, report,
		       finds ? finds : "");
	return good;
}

/*
 * What a kernel does wrong is told with its packet, its name, its work-group and
 * wave, and where in it which instruction is.
 */
static bool names_place(const char *report, const char *kernel)
{
	unsigned int queue, packet, group[3], wave, offset;
	char name[64], insn[64];

	return sscanf(report,
		      "hsa-emu: queue %u packet %u, %63[^,], work-group (%u,%u,%u) wave %u, %x: %63[^:]",
		      &queue, &packet, name, &group[0], &group[1], &group[2], &wave, &offset,
		      insn) == 9 && !strncmp(name, kernel, strlen(kernel));
}

/* Faults come through the event handler, and the queue hears of them, too. */
static struct outcome outcome(struct gpu *gpu, bool done)
{
	struct outcome o = { .done = done };

	for (unsigned int n = 0; n < 1000 && !done; n++) {
		o.error = __atomic_load_n(&gpu->error, __ATOMIC_ACQUIRE);
		if (o.error)
			break;
		usleep(1000);
	}
	gpu_close(gpu);
	return o;
}

static struct outcome try_kernel(const void *arg)
{
	const struct wrong *w = arg;
	uint32_t groups = w->groups ? w->groups : 1, size = w->size ? w->size : 64;
	struct { void *data, *out; } args;
	static struct gpu gpu;
	bool done;

	gpu_open(&gpu, objects[w->object]);
	args.data = gpu_alloc(&gpu, strcmp(w->kernel, "read_past_end") ? 4096 : 1024);
	args.out = gpu_alloc(&gpu, 4096);
	memset(args.data, 0, 1024);
	((uint32_t *)args.data)[0] = strcmp(w->kernel, "trap") ? 0 : 12345;
	done = gpu_run(&gpu, &(struct shot) {
		.kernel = w->kernel, .group = { size }, .grid = { groups * size }, .args = &args,
		.args_size = sizeof(args), .lds = strcmp(w->kernel, "past_lds") ? 0 : 128,
	});
	return outcome(&gpu, done);
}

/* A packet, or a use of the API, with a mistake */
struct misuse {
	const char *name;
	const char *finds;
	int status;
	struct shot shot;
	void (*before)(struct gpu *gpu, struct shot *s);
};

static void *buffer;

static void unaligned_kernarg(struct gpu *gpu, struct shot *s)
{
	s->kernarg = (char *)gpu_alloc(gpu, 64) + 8;
}

static void foreign_kernarg(struct gpu *gpu, struct shot *s)
{
	(void)gpu;
	s->kernarg = aligned_alloc(64, 64);
}

static void short_kernarg(struct gpu *gpu, struct shot *s)
{
	s->kernarg = (char *)gpu_alloc(gpu, 24) + 16;
	s->kernel = "read_past_end";
}

static void no_kernel(struct gpu *gpu, struct shot *s)
{
	(void)gpu;
	s->kernel = NULL;
	s->kernel_object = 0x1000;
}

static void dead_signal(struct gpu *gpu, struct shot *s)
{
	(void)gpu;
	CHECK(hsa_signal_create(1, 0, NULL, &s->signal));
	CHECK(hsa_signal_destroy(s->signal));
}

static void freed(struct gpu *gpu, struct shot *s)
{
	(void)s;
	/* Not with harness's list, for it is freed here. */
	CHECK(hsa_amd_memory_pool_free(buffer));
	for (unsigned int n = 0; n < gpu->nr_allocs; n++)
		if (gpu->allocs[n] == buffer)
			gpu->allocs[n] = gpu->allocs[--gpu->nr_allocs];
}

static void never_locked(struct gpu *gpu, struct shot *s)
{
	static uint32_t memory[1024];

	(void)gpu;
	(void)s;
	buffer = memory;
}

static void not_taken(struct gpu *gpu, struct shot *s)
{
	gpu->deaf = true;
	never_locked(gpu, s);
}

static void unlocked(struct gpu *gpu, struct shot *s)
{
	static uint32_t memory[1024];

	(void)s;
	CHECK(hsa_amd_memory_lock(memory, sizeof(memory), &gpu->agent, 1, &buffer));
	CHECK(hsa_amd_memory_unlock(memory));
}

/* The code that it is of was destroyed; another copy is there. */
static void destroyed_kernel(struct gpu *gpu, struct shot *s)
{
	hsa_executable_t old = gpu->executable;
	uint32_t lds;

	s->kernel_object = gpu_kernel(gpu, s->kernel, &lds);
	s->kernel = NULL;
	gpu_load(gpu);
	CHECK(hsa_executable_destroy(old));
}

static void not_allowed(struct gpu *gpu, struct shot *s)
{
	(void)s;
	CHECK(hsa_amd_agents_allow_access(1, &gpu->cpu, NULL, buffer));
}

static uint16_t header(unsigned int type, unsigned int acquire, unsigned int release)
{
	return (uint16_t)(type | acquire << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
			  release << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE);
}

static void acquire_agent(struct gpu *gpu, struct shot *s)
{
	(void)gpu;
	s->header = header(HSA_PACKET_TYPE_KERNEL_DISPATCH, HSA_FENCE_SCOPE_AGENT,
			   HSA_FENCE_SCOPE_SYSTEM);
}

static void release_agent(struct gpu *gpu, struct shot *s)
{
	(void)gpu;
	s->header = header(HSA_PACKET_TYPE_KERNEL_DISPATCH, HSA_FENCE_SCOPE_SYSTEM,
			   HSA_FENCE_SCOPE_AGENT);
}

static void bad_type(struct gpu *gpu, struct shot *s)
{
	(void)gpu;
	s->header = header(HSA_PACKET_TYPE_AGENT_DISPATCH, HSA_FENCE_SCOPE_SYSTEM,
			   HSA_FENCE_SCOPE_SYSTEM);
}

static void bad_scope(struct gpu *gpu, struct shot *s)
{
	(void)gpu;
	s->header = header(HSA_PACKET_TYPE_KERNEL_DISPATCH, 3, HSA_FENCE_SCOPE_SYSTEM);
}

static void reserved_bits(struct gpu *gpu, struct shot *s)
{
	(void)gpu;
	s->header = header(HSA_PACKET_TYPE_KERNEL_DISPATCH | 1U << 14, HSA_FENCE_SCOPE_SYSTEM,
			   HSA_FENCE_SCOPE_SYSTEM);
}

#define GOOD .kernel = "good", .group = { 64 }, .grid = { 64 }

static const struct misuse misuses[] = {
	{ "a right packet", NULL, 0, { GOOD }, NULL },
	{ "arguments not aligned", "not aligned to 16", HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  { GOOD }, unaligned_kernarg },
	{ "arguments in the host's memory", "not memory that the agent may use",
	  HSA_STATUS_ERROR_INVALID_ARGUMENT, { GOOD }, foreign_kernarg },
	{ "arguments that end too early", "bytes of arguments at",
	  HSA_STATUS_ERROR_INVALID_ARGUMENT, { GOOD }, short_kernarg },
	{ "no kernel", "is no kernel of a frozen executable",
	  HSA_STATUS_ERROR_INVALID_CODE_OBJECT, { GOOD }, no_kernel },
	{ "a kernel whose code was destroyed", "is no kernel of a frozen executable",
	  HSA_STATUS_ERROR_INVALID_CODE_OBJECT, { GOOD }, destroyed_kernel },
	{ "memory that was never locked", "writes 4 bytes at", HSA_STATUS_ERROR_MEMORY_FAULT,
	  { GOOD }, never_locked },
	{ "memory that was unlocked", "hsa_amd_memory_unlock() released",
	  HSA_STATUS_ERROR_MEMORY_FAULT, { GOOD }, unlocked },
	{ "a fault that nobody takes", "no system event handler took it", -1, { GOOD },
	  not_taken },
	{ "a signal that was destroyed", "is none", HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
	  { GOOD }, dead_signal },
	{ "memory that was freed", "hsa_amd_memory_pool_free() released",
	  HSA_STATUS_ERROR_MEMORY_FAULT, { GOOD }, freed },
	{ "memory that the agent may not use", "hsa_amd_agents_allow_access() released",
	  HSA_STATUS_ERROR_MEMORY_FAULT, { GOOD }, not_allowed },
	{ "an acquire fence that is too narrow", "acquires at less than system scope",
	  HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, { GOOD }, acquire_agent },
	{ "a release fence that is too narrow", "completes a signal at less than system scope",
	  HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, { GOOD }, release_agent },
	{ "a packet type there is not", "of type 4", HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
	  { GOOD }, bad_type },
	{ "a fence scope there is not", "no such fence scope",
	  HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, { GOOD }, bad_scope },
	{ "reserved header bits", "reserved bits", HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
	  { GOOD }, reserved_bits },
	{ "reserved fields", "reserved fields", HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
	  { GOOD, .reserved = 1 }, NULL },
	{ "too many dimensions", "1 to 3 dimensions", HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
	  { GOOD, .setup = 4 }, NULL },
	{ "a dimension that is not counted", "but dimension 1 has grid 4",
	  HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  { .kernel = "good", .group = { 64 }, .grid = { 64, 4 }, .setup = 1 }, NULL },
	{ "an empty grid", "dimension 0 has no work-items", HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  { GOOD, .empty = true }, NULL },
	{ "groups that are too large", "groups of 2048 work-items; scratch",
	  HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  { .kernel = "scratch", .group = { 1024, 2 }, .grid = { 1024, 2 } }, NULL },
	{ "groups of another size than the kernel's", "wants groups of (64,1,1), not (32,1,1)",
	  HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  { .kernel = "good", .group = { 32 }, .grid = { 64 } }, NULL },
	{ "less local memory than the kernel's", "bytes of local memory; race_lds.kd has 512",
	  HSA_STATUS_ERROR_INVALID_ALLOCATION,
	  { .kernel = "race_lds", .group = { 128 }, .grid = { 128 }, .lds_less = 4 }, NULL },
	{ "more local memory than there is", "there are 65536",
	  HSA_STATUS_ERROR_INVALID_ALLOCATION, { GOOD, .lds = 65537 }, NULL },
	{ "private memory", "none is emulated", HSA_STATUS_ERROR_OUT_OF_RESOURCES,
	  { .kernel = "scratch", .group = { 64 }, .grid = { 64 } }, NULL },
	{ "more private memory than the kernel's", "private memory (64 bytes",
	  HSA_STATUS_ERROR_OUT_OF_RESOURCES, { GOOD, .private = 64 }, NULL },
};

static struct outcome try_misuse(const void *arg)
{
	const struct misuse *m = arg;
	static struct gpu gpu;
	struct shot s = m->shot;
	struct { void *data, *out; } args;
	hsa_signal_t signal;
	bool done = false;

	gpu_open(&gpu, objects[CL]);
	buffer = gpu_alloc(&gpu, 4096);
	s.args = &args;
	s.args_size = sizeof(args);
	if (m->before)
		m->before(&gpu, &s);
	args.data = buffer;
	args.out = buffer;
	signal = gpu_submit(&gpu, &s);
	if (m->before == dead_signal)
		return outcome(&gpu, false);
	done = gpu_wait(&gpu, signal);
	return outcome(&gpu, done);
}

/* Mistakes that no packet is needed for: only the report tells of them. */
struct slip {
	const char *name, *finds;
	void (*make)(struct gpu *gpu);
};

static void forget_memory(struct gpu *gpu)
{
	gpu_alloc(gpu, 100);
	gpu->nr_allocs--;
}

static void forget_signal(struct gpu *gpu)
{
	hsa_signal_t signal;

	(void)gpu;
	CHECK(hsa_signal_create(1, 0, NULL, &signal));
}

static void forget_lock(struct gpu *gpu)
{
	static char memory[64];
	void *seen;

	CHECK(hsa_amd_memory_lock(memory, sizeof(memory), &gpu->agent, 1, &seen));
}

static void free_twice(struct gpu *gpu)
{
	void *p = gpu_alloc(gpu, 100);

	CHECK(hsa_amd_memory_pool_free(p));
	hsa_amd_memory_pool_free(p);
	gpu->nr_allocs--;
}

static void unlock_never_locked(struct gpu *gpu)
{
	hsa_amd_memory_unlock(gpu);
}

static void use_dead_signal(struct gpu *gpu)
{
	hsa_signal_t signal;

	(void)gpu;
	CHECK(hsa_signal_create(1, 0, NULL, &signal));
	CHECK(hsa_signal_destroy(signal));
	hsa_signal_store_relaxed(signal, 0);
}

static void ring_too_far(struct gpu *gpu)
{
	hsa_signal_store_screlease(gpu->queue->doorbell_signal, 5);
}

static void ring_too_early(struct gpu *gpu)
{
	hsa_queue_add_write_index_screlease(gpu->queue, 1);
	hsa_signal_store_screlease(gpu->queue->doorbell_signal, 0);
}

/* A kernel runs, and does not end. */
static hsa_signal_t begin_forever(struct gpu *gpu)
{
	struct { void *data, *out; } args = { gpu_alloc(gpu, 64), NULL };
	hsa_signal_t signal;

	memset(args.data, 0, 64);
	signal = gpu_submit(gpu, &(struct shot) {
		.kernel = "forever", .group = { 64 }, .grid = { 64 }, .args = &args,
		.args_size = sizeof(args),
	});
	/* The packet is gone from the queue once its kernel runs. */
	while (!hsa_queue_load_read_index_scacquire(gpu->queue))
		usleep(1000);
	return signal;
}

static void end_forever(struct gpu *gpu, hsa_signal_t signal)
{
	CHECK(hsa_queue_destroy(gpu->queue));
	CHECK(hsa_signal_destroy(signal));
	CHECK(hsa_queue_create(gpu->agent, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0,
			       &gpu->queue));
}

static void destroy_running(struct gpu *gpu)
{
	end_forever(gpu, begin_forever(gpu));
}

static void destroy_running_code(struct gpu *gpu)
{
	hsa_signal_t signal = begin_forever(gpu);

	hsa_executable_destroy(gpu->executable);
	end_forever(gpu, signal);
}

static void destroy_used_signal(struct gpu *gpu)
{
	hsa_signal_t signal = begin_forever(gpu);

	CHECK(hsa_signal_destroy(signal));
	CHECK(hsa_signal_create(1, 0, NULL, &signal));
	end_forever(gpu, signal);
}

/* The first one runs, the second one waits for it, and its place is taken. */
static void ring_around(struct gpu *gpu)
{
	hsa_signal_t signal = begin_forever(gpu), waiting;

	waiting = gpu_submit(gpu, &(struct shot) {
		GOOD, .header = header(HSA_PACKET_TYPE_KERNEL_DISPATCH |
				       1U << HSA_PACKET_HEADER_BARRIER,
				       HSA_FENCE_SCOPE_SYSTEM, HSA_FENCE_SCOPE_SYSTEM),
	});
	hsa_queue_add_write_index_screlease(gpu->queue, gpu->queue->size);
	hsa_signal_store_screlease(gpu->queue->doorbell_signal, gpu->queue->size + 1);
	end_forever(gpu, signal);
	CHECK(hsa_signal_destroy(waiting));
}

static void forget_queue(struct gpu *gpu)
{
	hsa_queue_t *queue;

	CHECK(hsa_queue_create(gpu->agent, 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &queue));
}

static void forget_code(struct gpu *gpu)
{
	gpu_load(gpu);
}

static void forget_reader(struct gpu *gpu)
{
	hsa_code_object_reader_t reader;
	int fd = open(objects[CL], O_RDONLY | O_CLOEXEC);

	(void)gpu;
	CHECK(hsa_code_object_reader_create_from_file(fd, &reader));
	close(fd);
}

static void load_doorbell(struct gpu *gpu)
{
	hsa_signal_add_relaxed(gpu->queue->doorbell_signal, 1);
}

static void await_doorbell(struct gpu *gpu)
{
	hsa_signal_wait_scacquire(gpu->queue->doorbell_signal, HSA_SIGNAL_CONDITION_EQ, 1, 0,
				  HSA_WAIT_STATE_ACTIVE);
}

static void complete_twice(struct gpu *gpu)
{
	struct { void *data, *out; } args = { gpu_alloc(gpu, 4096), NULL };
	hsa_signal_t signal;

	CHECK(hsa_signal_create(0, 0, NULL, &signal));
	gpu_submit(gpu, &(struct shot) {
		GOOD, .args = &args, .args_size = sizeof(args), .signal = signal,
	});
	while (hsa_signal_load_scacquire(signal) >= 0)
		usleep(1000);
	CHECK(hsa_signal_destroy(signal));
}

static void wrong_barrier(struct gpu *gpu, hsa_packet_type_t type, hsa_barrier_and_packet_t p)
{
	hsa_signal_t signal = gpu_barrier(gpu, type, p);

	while (!__atomic_load_n(&gpu->error, __ATOMIC_ACQUIRE))
		usleep(1000);
	CHECK(hsa_signal_destroy(signal));
}

static void reserved_barrier(struct gpu *gpu)
{
	wrong_barrier(gpu, HSA_PACKET_TYPE_BARRIER_AND,
		      (hsa_barrier_and_packet_t) { .reserved1 = 1 });
}

static void await_dead_signal(struct gpu *gpu)
{
	hsa_barrier_and_packet_t p = { 0 };

	CHECK(hsa_signal_create(1, 0, NULL, &p.dep_signal[3]));
	CHECK(hsa_signal_destroy(p.dep_signal[3]));
	wrong_barrier(gpu, HSA_PACKET_TYPE_BARRIER_OR, p);
}

static void complete_barrier_twice(struct gpu *gpu)
{
	hsa_barrier_and_packet_t p = { 0 };

	CHECK(hsa_signal_create(0, 0, NULL, &p.completion_signal));
	gpu_barrier(gpu, HSA_PACKET_TYPE_BARRIER_AND, p);
	while (hsa_signal_load_scacquire(p.completion_signal) >= 0)
		usleep(1000);
	CHECK(hsa_signal_destroy(p.completion_signal));
}

/* Two packets at work on the same words, and no barrier bit */
static void unordered_packets(struct gpu *gpu)
{
	struct { void *data, *out; } args = { gpu_alloc(gpu, 4096), NULL };
	struct shot s = {
		.kernel = "unordered", .group = { 64 }, .grid = { 64 }, .args = &args,
		.args_size = sizeof(args), .no_doorbell = true,
	};
	hsa_signal_t first, second;

	memset(args.data, 0, 4096);
	first = gpu_submit(gpu, &s);
	second = gpu_submit(gpu, &s);
	hsa_signal_store_screlease(gpu->queue->doorbell_signal, 1);
	gpu_wait(gpu, first);
	gpu_wait(gpu, second);
}

/* The same, but the second waits for the first: nothing is wrong. */
static void ordered_packets(struct gpu *gpu)
{
	struct { void *data, *out; } args = { gpu_alloc(gpu, 4096), NULL };
	struct shot s = {
		.kernel = "unordered", .group = { 64 }, .grid = { 64 }, .args = &args,
		.args_size = sizeof(args), .no_doorbell = true,
		.header = header(HSA_PACKET_TYPE_KERNEL_DISPATCH | 1U << HSA_PACKET_HEADER_BARRIER,
				 HSA_FENCE_SCOPE_SYSTEM, HSA_FENCE_SCOPE_SYSTEM),
	};
	hsa_signal_t first, second;

	memset(args.data, 0, 4096);
	first = gpu_submit(gpu, &s);
	second = gpu_submit(gpu, &s);
	hsa_signal_store_screlease(gpu->queue->doorbell_signal, 1);
	gpu_wait(gpu, first);
	gpu_wait(gpu, second);
}

static const struct slip slips[] = {
	{ "memory that is not freed", "100 bytes at", forget_memory },
	{ "a signal that is not destroyed", "was not destroyed", forget_signal },
	{ "memory that stays locked", "are still locked", forget_lock },
	{ "memory that is freed twice", "nothing was allocated there", free_twice },
	{ "memory that is unlocked and was not locked", "nothing was locked", unlock_never_locked },
	{ "a signal's use after its end", "is no signal, or was destroyed", use_dead_signal },
	{ "a doorbell for a packet there is not", "but the write index is 0", ring_too_far },
	{ "a doorbell before the header", "before its header was written", ring_too_early },
	{ "a doorbell for a packet whose place is taken", "packet 257 is where packet 1 still is",
	  ring_around },
	{ "a doorbell that is added to", "only to be stored to", load_doorbell },
	{ "a doorbell that is waited for", "nobody can wait for a doorbell", await_doorbell },
	{ "a queue that is not destroyed", "queue 2 was not destroyed", forget_queue },
	{ "code that is not destroyed", "an executable was not destroyed", forget_code },
	{ "a reader of code that is not destroyed", "a code object reader was not destroyed",
	  forget_reader },
	{ "a queue destroyed while its kernel runs", "1 packets running", destroy_running },
	{ "code destroyed while its kernel runs", "1 of its kernels run", destroy_running_code },
	{ "a signal destroyed while its kernel runs", "a packet in a queue uses",
	  destroy_used_signal },
	{ "a signal that was not set", "was not above zero", complete_twice },
	{ "a barrier's reserved fields", "reserved fields are not zero", reserved_barrier },
	{ "a barrier that waits for a signal that was destroyed", "which is no signal",
	  await_dead_signal },
	{ "a barrier's signal that was not set", "was not above zero", complete_barrier_twice },
	{ "two packets that race", "of dispatch", unordered_packets },
	{ "two packets in order", NULL, ordered_packets },
};

static struct outcome try_slip(const void *arg)
{
	const struct slip *s = arg;
	static struct gpu gpu;

	gpu_open(&gpu, objects[CL]);
	s->make(&gpu);
	gpu_close(&gpu);
	return (struct outcome) { .done = true };
}

/* What chip it is, from a child: threads do not survive a fork. */
static struct outcome try_name(const void *arg)
{
	static struct gpu gpu;
	struct outcome o = { 0 };

	(void)arg;
	gpu_open(&gpu, objects[CL]);
	memcpy(&o, gpu.name, sizeof(o));
	gpu_close(&gpu);
	return o;
}

int main(int argc, char **argv)
{
	char report[4096], gfx[sizeof(struct outcome) + 1] = "";
	struct outcome o;

	if (argc < 3)
		return 2;
	objects[CL] = argv[1];
	objects[ASM] = argv[2];
	snprintf(report_name, sizeof(report_name), "/tmp/hsa-emu-report.%d", getpid());
	printf("KTAP version 1\n");
	o = try_in_child(try_name, NULL, report, sizeof(report));
	memcpy(gfx, &o, sizeof(o));
	for (unsigned int n = 0; n < ARRAY_SIZE(wrongs); n++) {
		const struct wrong *w = &wrongs[n];

		if (w->only && strncmp(gfx, w->only, strlen(w->only)))
			continue;
		o = try_in_child(try_kernel, w, report, sizeof(report));
		test(expect(&o, report, w->finds, w->status) &&
		     (!w->finds || names_place(report, w->kernel)), "%s: kernel %s", gfx,
		     w->kernel);
	}
	for (unsigned int n = 0; n < ARRAY_SIZE(misuses); n++) {
		const struct misuse *m = &misuses[n];

		o = try_in_child(try_misuse, m, report, sizeof(report));
		test(expect(&o, report, m->finds, m->status), "%s: %s", gfx, m->name);
	}
	for (unsigned int n = 0; n < ARRAY_SIZE(slips); n++) {
		bool good;

		o = try_in_child(try_slip, &slips[n], report, sizeof(report));
		good = o.done && !o.error &&
		       (slips[n].finds ? !!strstr(report, slips[n].finds) : !report[0]);
		if (!good)
			printf("# status %#x, \"%s\"\n", o.error, report);
		test(good, "%s: %s", gfx, slips[n].name);
	}
	return tests_end();
}
