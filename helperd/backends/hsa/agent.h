/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Choosing a GPU among the runtime's agents, and what is to be known of it.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_HSA_AGENT_H
#define WAVECRYPT_BACKENDS_HSA_AGENT_H

#include <stdbool.h>

#include "backends/hsa/api.h"

/** HSA_AGENTS_MAX - most GPUs that are looked at */
#define HSA_AGENTS_MAX	8

/**
 * struct hsa_gpu - a GPU
 * @agent: it
 * @gfx: what its instruction set's name ends with, such as "gfx90c"
 * @product: what it is sold as
 * @node: its number in the kernel's topology
 * @bdf: where it is on the PCI bus
 * @units: compute units
 * @integrated: it shares the CPU's memory
 * @refused: why it cannot be used, or ""
 */
struct hsa_gpu {
	hsa_agent_t agent;
	char gfx[64];
	char product[64];
	uint32_t node;
	uint32_t bdf;
	uint32_t units;
	bool integrated;
	char refused[192];
};

/**
 * struct hsa_machine - what the runtime knows of
 * @host: the CPU
 * @fine: the host's memory, coherent between host and GPU
 * @kernarg: likewise, for kernels' arguments
 * @nr: GPUs
 * @gpus: the GPUs
 */
struct hsa_machine {
	hsa_agent_t host;
	hsa_amd_memory_pool_t fine;
	hsa_amd_memory_pool_t kernarg;
	unsigned int nr;
	struct hsa_gpu gpus[HSA_AGENTS_MAX];
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
 * hsa_gpu_choose - choose one
 * @m: what is there
 * @wanted: "auto": an integrated one, or else a discrete one; "integrated",
 *	"discrete"; a gfx name; where on the PCI bus, as 0000:04:00.0 or less;
 *	or part of what it is sold as
 * @why: set to why there is none, naming those that there are
 */
const struct hsa_gpu *hsa_gpu_choose(const struct hsa_machine *m,
				     const char *wanted, const char **why);

/** hsa_gpu_where - where it is on the PCI bus: 04:00.0 */
const char *hsa_gpu_where(const struct hsa_gpu *gpu);

#endif
