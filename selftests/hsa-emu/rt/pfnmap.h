/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Which memory of the process the amdgpu driver would lock for a GPU
 */
#ifndef RT_PFNMAP_H
#define RT_PFNMAP_H

#include <stdbool.h>
#include <stddef.h>

/**
 * pfnmap_lockable() - whether it can be locked
 * @ptr: where it starts
 * @size: bytes
 *
 * The driver refuses what is not mapped, and mappings that are VM_PFNMAP,
 * VM_MIXEDMAP or VM_IO, as remap_pfn_range() and vm_insert_page() make them.
 */
bool pfnmap_lockable(const void *ptr, size_t size);

#endif
