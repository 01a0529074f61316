/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Agents: a CPU, and the GPUs that HSA_EMU_AGENTS lists
 *
 * HSA_EMU_AGENTS is a list, separated by commas, of gfx801, gfx803, gfx900,
 * gfx902, gfx90c, by default gfx90c alone; empty: there is no GPU. "cpu" is another
 * CPU, which is the nearest to the GPUs behind it, and "cpu:empty" one without
 * memory. Behind a GPU's name
 * may stand ":integrated" or ":discrete", where it is not to be as the chip is,
 * and ":altva" or ":sameva": whether host memory, locked for the agent, is
 * elsewhere for it, as where its address space is too small for the host's.
 */
#ifndef RT_AGENT_H
#define RT_AGENT_H

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include "../gcn/aspace.h"
#include "../gcn/insn.h"

/**
 * struct chip - a GPU that there is
 * @gfx: its name
 * @isa: its instruction set's, with the features that a code object may want
 * @product: what it is sold as
 * @gen: what the interpreter takes it for
 * @mach: EF_AMDGPU_MACH of its code objects
 * @xnack: whether it can go on after a page fault, and then whether it does
 * @device: PCI device
 * @cus: compute units
 * @mhz: clock
 * @integrated: whether it shares the CPU's memory
 * @altva: whether it has another view of host memory
 */
struct chip {
	const char *gfx, *isa, *product;
	enum gcn_gen gen;
	u8 mach;
	enum { XNACK_NONE, XNACK_OFF, XNACK_ON } xnack;
	u16 device;
	u16 cus, mhz;
	bool integrated, altva;
};

/**
 * struct agent - an agent
 * @handle: what hsa_agent_t has
 * @chip: the GPU; NULL: a CPU
 * @cpu: handle of the nearest CPU
 * @integrated: as configured
 * @altva: as configured
 * @empty: its pools have no memory
 * @lost: it was reset, or is gone
 * @aspace: the memory that it may use
 * @device: what executes its kernels
 */
struct agent {
	u64 handle;
	const struct chip *chip;
	u64 cpu;
	unsigned int node;
	bool integrated, altva, empty, lost;
	struct aspace aspace;
	struct device *device;
};

enum { AGENTS_MAX = 8 };

/* What in an address tells the alternative view from the host's */
#define ALTVA 0x400000000000ULL

/**
 * agents_init() - read HSA_EMU_AGENTS
 *
 * Return: false if it makes no sense
 */
bool agents_init(void);
void agents_exit(void);

/**
 * agent_find() - an agent by its handle
 * @agent: the handle
 *
 * Return: the agent, or NULL
 */
struct agent *agent_find(hsa_agent_t agent);

/**
 * agent_at() - agents by number
 * @n: 0 for the CPU, from 1 on GPUs
 *
 * Return: the agent, or NULL behind the last
 */
struct agent *agent_at(unsigned int n);

/**
 * agent_resident() - work-groups that an agent has room for at a time
 * @a: the agent
 * @waves: of a work-group
 * @vregs: vector registers of each
 * @lds: bytes of local memory
 */
unsigned int agent_resident(const struct agent *a, unsigned int waves, unsigned int vregs,
			    u32 lds);

#endif
