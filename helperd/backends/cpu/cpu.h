/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPU's own SIMD lanes, by way of libipsec-mb.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_CPU_CPU_H
#define WAVECRYPT_BACKENDS_CPU_CPU_H

#define NO_COMPAT_IMB_API_053
#include <intel-ipsec-mb.h>

#include "backends/backend.h"
#include "backends/cpu/gcm_keys.h"

/**
 * enum cpu_width - the library's code paths ("managers") that are of use
 * @CPU_SSE: 4 lanes of AES, and the SHA instructions where there are any: for
 *	a handful of packets
 * @CPU_AVX2: 8 lanes
 * @CPU_AVX512: 16 lanes
 */
enum cpu_width {
	CPU_SSE,
	CPU_AVX2,
	CPU_AVX512,
	CPU_WIDTHS,
};

/** CPU_LANES - most lanes of any width; a batch of so many is a full one */
#define CPU_LANES	16

/** cpu_width_name - "sse" ... */
extern const char *const cpu_width_name[CPU_WIDTHS];

/**
 * cpu_manager - a new manager
 * @width: its width
 *
 * Return: the manager, to be freed with free_mb_mgr(), or NULL if this CPU
 * cannot run it or there is no memory.
 */
struct IMB_MGR *cpu_manager(enum cpu_width width);

/**
 * struct cpu_lanes - which width is the fastest, for how many packets
 * @width: best for so many packets of CBC-SHA1 by direction; [0] is unused and
 *	the last one is for all that are more
 * @gcm: best for GCM, which goes packet by packet
 * @cost: what a chunk costs, by algorithm and direction
 */
struct cpu_lanes {
	enum cpu_width width[WAVECRYPT_OPS][CPU_LANES + 1];
	enum cpu_width gcm;
	struct backend_cost cost[WAVECRYPT_ALGS][WAVECRYPT_OPS];
};

/**
 * cpu_lanes_measure - time this CPU
 * @lanes: result
 *
 * Return: NULL, or why it cannot be used.
 */
const char *cpu_lanes_measure(struct cpu_lanes *lanes);

/**
 * cpu_cbc_prepare - set in jobs what all of cpu_cbc_run()'s have in common
 * @jobs: the jobs
 * @nr: how many
 */
void cpu_cbc_prepare(struct IMB_JOB *jobs, uint32_t nr);

/**
 * cpu_cbc_run - CBC-SHA1 for all packets of a chunk
 * @mgr: manager
 * @jobs: at least @nr jobs, prepared
 * @packets: the packets, of one direction and key size
 * @nr: how many
 *
 * Sets the status of packets that failed.
 */
void cpu_cbc_run(struct IMB_MGR *mgr, struct IMB_JOB *jobs, struct packet *const *packets,
		 uint32_t nr);

/**
 * cpu_gcm_run - GCM for all packets of a chunk
 * @mgr: manager
 * @keys: derived keys
 * @packets: the packets, of one direction and key size
 * @nr: how many
 *
 * Sets the status of packets that failed.
 */
void cpu_gcm_run(struct IMB_MGR *mgr, struct gcm_keys *keys,
		 struct packet *const *packets, uint32_t nr);

/** cpu_backend - the "cpu" backend */
extern const struct backend_ops cpu_backend;

#endif
