/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Code objects: AMDHSA ELF files, loaded into an agent's memory
 */
#ifndef RT_ELF_H
#define RT_ELF_H

#include <hsa/hsa.h>

#include "../gcn/program.h"
#include "agent.h"
#include "note.h"

/**
 * struct kernel - a kernel of a loaded code object
 * @name: of its symbol, which ends in ".kd"
 * @object: address of its descriptor
 * @code: what it is in
 * @entry: where it starts, in dwords of the program
 * @group_fixed: local memory that it declares, in bytes
 * @private_fixed: private memory
 * @kernarg_size: bytes of arguments
 * @vregs: vector registers
 * @sregs: scalar registers
 * @rsrc2: compute_pgm_rsrc2
 * @properties: kernel_code_properties
 * @note: what the metadata says
 * @dispatches: how many there were
 * @items: work-items of these
 * @count: instructions that they executed, by class and counting waves
 */
struct kernel {
	char name[128];
	u64 object;
	struct code *code;
	u32 entry;
	u32 group_fixed, private_fixed, kernarg_size;
	u16 vregs, sregs;
	u32 rsrc2;
	u16 properties;
	struct note_kernel note;
	u64 dispatches, items, count[CLASSES];
};

/**
 * struct code - a loaded code object
 * @agent: where
 * @memory: its segments
 * @size: bytes of these
 * @program: the executable one
 * @kernels: what can be dispatched
 * @nr_kernels: how many
 * @next: another one
 */
struct code {
	struct agent *agent;
	u8 *memory;
	size_t size;
	struct program *program;
	struct kernel *kernels;
	unsigned int nr_kernels;
	struct { u64 base; } segments[8];
	unsigned int nr_segments;
	struct code *next;
};

/**
 * elf_load() - load a code object
 * @agent: for which agent
 * @bytes: the file
 * @size: of it
 * @code: the loaded code object
 *
 * Return: what hsa_executable_load_agent_code_object() does
 */
hsa_status_t elf_load(struct agent *agent, const u8 *bytes, size_t size, struct code **code);

/**
 * elf_unload() - the reverse
 * @code: the loaded code object
 * @how: what does it
 */
void elf_unload(struct code *code, const char *how);

#endif
