/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * What a program does to have kernels executed, and what tests say
 */
#ifndef TEST_HARNESS_H
#define TEST_HARNESS_H

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stdbool.h>
#include <stdint.h>

/* As hsa.h has them not */
#undef hsa_init
hsa_status_t hsa_init(void);
hsa_status_t hsa_shut_down(void);

/**
 * struct gpu - an agent, ready to be used
 * @agent: it
 * @cpu: the host
 * @name: its name, as gfx803
 * @isa: its instruction set's
 * @fine: fine-grained host memory
 * @kernarg: memory for arguments
 * @queue: a queue
 * @executable: the code object
 * @error: what the queue's callback was told
 * @fault: address of a memory fault, with the lowest bit set
 * @deaf: do not take those
 * @allocs: what gpu_close() frees
 * @nr_allocs: how many these are
 */
struct gpu {
	hsa_agent_t agent, cpu;
	char name[64], isa[64];
	hsa_amd_memory_pool_t fine, kernarg;
	hsa_queue_t *queue;
	hsa_executable_t executable;
	hsa_code_object_reader_t reader;
	hsa_status_t error;
	uint64_t fault;
	bool deaf;
	void *allocs[2048];
	unsigned int nr_allocs;
};

/* What dispatch() launches; all fields zero but these do for a simple one */
struct shot {
	const char *kernel;
	uint32_t group[3], grid[3];
	uint32_t lds;			/* besides what the kernel declares */
	const void *args;
	uint32_t args_size;
	/* To do it wrong: */
	uint16_t header;		/* instead of the right one */
	uint16_t setup;
	uint64_t kernel_object;
	void *kernarg;
	hsa_signal_t signal;		/* instead of one of its own */
	bool no_doorbell, no_signal, empty;
	uint32_t lds_less, private;
	uint16_t reserved;
};

/**
 * gpu_open() - initialise, and find the first GPU
 * @gpu: the GPU
 * @code: a code object's file
 *
 * Exits the program if that fails.
 */
void gpu_open(struct gpu *gpu, const char *code);

/**
 * gpu_close() - the reverse
 * @gpu: the GPU
 */
void gpu_close(struct gpu *gpu);

/**
 * gpu_load() - load the code once more, for packets from now on
 * @gpu: the GPU
 */
void gpu_load(struct gpu *gpu);

/**
 * gpu_alloc() - fine-grained memory, which the GPU may use
 * @gpu: the GPU
 * @size: bytes
 */
void *gpu_alloc(struct gpu *gpu, size_t size);

/**
 * gpu_kernel() - a kernel's object
 * @gpu: the GPU
 * @name: its name, without .kd
 * @lds: its local memory
 */
uint64_t gpu_kernel(struct gpu *gpu, const char *name, uint32_t *lds);

/**
 * gpu_submit() - write a packet, ring the doorbell
 * @gpu: the GPU
 * @s: what to launch
 *
 * Return: the completion signal, to be given to gpu_wait()
 */
hsa_signal_t gpu_submit(struct gpu *gpu, const struct shot *s);

/**
 * gpu_barrier() - put a barrier packet into the queue
 * @gpu: the GPU
 * @type: which of the two
 * @p: what is in it; without a completion signal it gets one
 *
 * Return: its completion signal
 */
hsa_signal_t gpu_barrier(struct gpu *gpu, hsa_packet_type_t type, hsa_barrier_and_packet_t p);

/**
 * gpu_wait() - wait until a packet is done, or something is wrong
 * @gpu: the GPU
 * @signal: the packet's signal, which is destroyed
 *
 * Return: whether it is done
 */
bool gpu_wait(struct gpu *gpu, hsa_signal_t signal);

/**
 * gpu_run() - submit and wait
 * @gpu: the GPU
 * @s: what
 *
 * Return: whether it is done
 */
bool gpu_run(struct gpu *gpu, const struct shot *s);

/* Numbers that are the same each time */
uint32_t test_random(void);

/**
 * test() - say what came of a test
 * @good: whether it passed
 * @fmt: its name, as of printf()
 */
void test(bool good, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/**
 * tests_end() - how many there were
 *
 * Return: the program's status
 */
int tests_end(void);

#define CHECK(call)							\
	do {								\
		hsa_status_t status_ = (call);				\
									\
		if (status_)						\
			check_failed(#call, status_);			\
	} while (0)

void check_failed(const char *call, hsa_status_t status) __attribute__((noreturn));

#endif
