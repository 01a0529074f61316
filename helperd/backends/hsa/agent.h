/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The GPUs among the runtime's agents, and what is to be known of each.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_HSA_AGENT_H
#define WAVECRYPT_BACKENDS_HSA_AGENT_H

#include <stdbool.h>

#include "backends/gpu/choice.h"
#include "backends/hsa/api.h"

/**
 * struct hsa_gpu - a GPU
 * @agent: it
 * @units: compute units
 */
struct hsa_gpu {
	hsa_agent_t agent;
	uint32_t units;
};

/**
 * struct hsa_machine - what the runtime knows of
 * @host: the first CPU
 * @fine: a CPU's memory, coherent between host and GPU
 * @kernarg: likewise, for kernels' arguments
 * @list: what settings call the GPUs
 * @gpus: each, by the same number
 */
struct hsa_machine {
	hsa_agent_t host;
	hsa_amd_memory_pool_t fine;
	hsa_amd_memory_pool_t kernarg;
	struct gpu_list list;
	struct hsa_gpu gpus[GPU_FOUND_MAX];
};

/**
 * hsa_machine_look - what is there?
 * @m: result
 * @code: directory of code objects, to know which GPUs there is one for
 *
 * Return: NULL, or what is wrong.
 */
const char *hsa_machine_look(struct hsa_machine *m, const char *code);

/**
 * hsa_machine_near - have the memory be that of the CPU nearest to a GPU
 * @m: the machine
 * @gpu: one of its GPUs
 *
 * Where the runtime does not know which that is, it stays the first CPU's.
 */
void hsa_machine_near(struct hsa_machine *m, const struct hsa_gpu *gpu);

#endif
