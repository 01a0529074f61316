/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Kernels that the host has compiled, too
 */
#ifndef TEST_SAME_H
#define TEST_SAME_H

#include <stdint.h>

struct same_kernel {
	const char *name;
	void (*run)(const uint32_t *in, uint32_t *out);
};

/* Up to the first without a name */
extern const struct same_kernel same_kernels[];
/* Words that each work-item reads and writes */
extern const unsigned int same_words;
/* The work-item that is to run */
extern uint32_t host_gid;

#endif
