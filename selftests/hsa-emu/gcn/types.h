/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * The widths that a machine's registers come in
 */
#ifndef GCN_TYPES_H
#define GCN_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

/* Work-items that execute an instruction together */
#define LANES 64

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
