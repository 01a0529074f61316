/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work-groups of an OpenCL kernel that was compiled for this processor.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef KERNELS_TEST_WORKGROUP_H
#define KERNELS_TEST_WORKGROUP_H

/**
 * workgroup_run() - one work-group
 * @id: its number
 * @lanes: its work-items
 * @kernel: what each of them does
 *
 * Work-items take turns at barriers and, 32 at a time, at shuffles. Returns NULL,
 * or what they did that they must not.
 */
const char *workgroup_run(unsigned int id, unsigned int lanes, void (*kernel)(void));

#endif
