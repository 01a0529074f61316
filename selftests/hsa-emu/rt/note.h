/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * A code object's metadata: MessagePack in an ELF note
 */
#ifndef RT_NOTE_H
#define RT_NOTE_H

#include <stdbool.h>

#include "../gcn/types.h"

/**
 * struct note_kernel - what the metadata says of a kernel
 * @group_max: work-items of a group at most; 0 if it does not say
 * @group: how many there have to be, if not 0
 * @kernarg_align: alignment of its arguments
 */
struct note_kernel {
	u32 group_max;
	u32 group[3];
	u32 kernarg_align;
};

/**
 * note_find() - what there is on a kernel
 * @note: the note's content
 * @size: of it
 * @symbol: the kernel's symbol
 * @k: what it says
 *
 * Return: whether the kernel is there and everything could be read
 */
bool note_find(const u8 *note, size_t size, const char *symbol, struct note_kernel *k);

#endif
