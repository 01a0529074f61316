/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device that does nothing, at once: what is left is what scheduling costs.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BENCH_NOTHING_H
#define WAVECRYPT_BENCH_NOTHING_H

#include "backends/backend.h"

/** nothing_device - it is only told of its packets, as a GPU is */
extern struct device nothing_device;

/** nothing_settings - how large its chunks are, and how many it has at a time */
void nothing_settings(uint32_t chunk_max, uint32_t chunks);

#endif
