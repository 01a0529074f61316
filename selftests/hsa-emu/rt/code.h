/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Executables and their symbols
 */
#ifndef RT_CODE_H
#define RT_CODE_H

#include "elf.h"

/**
 * kernel_hold() - the kernel of a packet
 * @object: the packet's kernel_object
 * @agent: the queue's agent
 *
 * Keeps its code until kernel_release(). Return: the kernel, or NULL
 */
const struct kernel *kernel_hold(u64 object, const struct agent *agent);

/**
 * kernel_release() - done with it
 * @k: the kernel
 */
void kernel_release(const struct kernel *k);

/**
 * kernel_account() - count what a dispatch of it has executed
 * @k: the kernel
 * @grid: work-items
 * @count: instructions, by class
 *
 * Written to the file that HSA_EMU_STATS names when the code is unloaded.
 */
void kernel_account(const struct kernel *k, const u32 *grid, const u64 *count);

/**
 * code_exit() - destroy what was not, and report it
 */
void code_exit(void);

#endif
