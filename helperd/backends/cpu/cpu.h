/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPU's own SIMD lanes, by way of libipsec-mb.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_CPU_CPU_H
#define WAVECRYPT_BACKENDS_CPU_CPU_H

#include "backends/backend.h"
#include "backends/cpu/gcm_keys.h"
#include "backends/cpu/imb.h"

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
 * @imb: the library to make it
 * @width: its width
 *
 * Return: the manager, to be freed with @imb's free(), or NULL if this CPU
 * cannot run it or there is no memory.
 */
struct IMB_MGR *cpu_manager(const struct imb *imb, enum cpu_width width);

/**
 * struct cpu_lanes - which width is the fastest, for how many packets
 * @width: best for so many packets, by algorithm and direction; [0] is unused
 *	and the last one is for all that are more. An algorithm that goes packet
 *	by packet has one for all, in either direction: its derived keys have a
 *	form that depends on it.
 * @cost: what a chunk costs, by kind
 */
struct cpu_lanes {
	uint8_t width[WAVECRYPT_ALGS][WAVECRYPT_OPS][CPU_LANES + 1];
	struct backend_cost cost[ALG_KINDS];
};

/**
 * cpu_lanes_choose - find out which widths are the fastest on this CPU
 * @lanes: result
 *
 * Return: NULL, or why it cannot be used.
 */
const char *cpu_lanes_choose(struct cpu_lanes *lanes);

/**
 * cpu_lanes_measure - find out what chunks cost
 * @lanes: where to store that
 *
 * Instances can be opened already.
 *
 * Return: NULL, or why it cannot be used.
 */
const char *cpu_lanes_measure(struct cpu_lanes *lanes);

/**
 * struct cpu_work - what lanes need besides packets
 * @mgr: the library's managers, NULL where the CPU has no such thing
 * @keys: derived GCM keys
 * @jobs: room for a chunk's jobs; zeroed before their first use
 */
struct cpu_work {
	struct IMB_MGR *mgr[CPU_WIDTHS];
	struct gcm_keys keys;
	struct IMB_JOB *jobs;
};

/**
 * cpu_run - do all packets of a chunk
 * @work: what is needed
 * @width: which manager does it
 * @packets: the packets, of one algorithm, direction and key size
 * @nr: how many
 *
 * Sets the status of packets that failed.
 */
void cpu_run(struct cpu_work *work, enum cpu_width width,
	     struct packet *const *packets, uint32_t nr);

/** cpu_burst_run - the same for a cipher and an HMAC, side by side */
void cpu_burst_run(struct IMB_MGR *mgr, struct IMB_JOB *jobs,
		   struct packet *const *packets, uint32_t nr);

/** cpu_gcm_run - the same for GCM, packet by packet */
void cpu_gcm_run(struct IMB_MGR *mgr, struct gcm_keys *keys,
		 struct packet *const *packets, uint32_t nr);

/** cpu_chacha_run - the same for ChaCha20-Poly1305, packet by packet */
void cpu_chacha_run(struct IMB_MGR *mgr, struct packet *const *packets,
		    uint32_t nr);

/** cpu_backend - the "cpu" backend */
extern const struct backend_ops cpu_backend;

/** cpu_device - this CPU's lanes */
extern struct device cpu_device;

#endif
