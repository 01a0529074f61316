/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Memory pools, what is allocated from them, and host memory that is locked
 */
#ifndef RT_MEMORY_H
#define RT_MEMORY_H

/**
 * memory_exit() - free what was not freed, and report it
 */
void memory_exit(void);

#endif
