/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the harnesses of libFuzzer share.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef SELFTESTS_FUZZ_H
#define SELFTESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/** MUST - what holds whatever the input is */
#define MUST(condition) do {						\
	if (!(condition)) {						\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,	\
			#condition);					\
		abort();						\
	}								\
} while (0)

/** struct input - what is left of it */
struct input {
	const uint8_t *data;
	size_t size;
};

/** input_byte - the next byte; 0 at the end */
static inline uint8_t input_byte(struct input *in)
{
	if (!in->size)
		return 0;
	in->size--;
	return *in->data++;
}

/** input_bytes - so many of them, with zeroes where there are no more */
static inline void input_bytes(struct input *in, void *to, size_t size)
{
	uint8_t *byte = to;

	while (size--)
		*byte++ = input_byte(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
