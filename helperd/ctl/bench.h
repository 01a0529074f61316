/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_BENCH_H
#define WAVECRYPT_CTL_BENCH_H

#include "ctl/ctl.h"

/**
 * bench_collect - "bench": check and measure the daemon's SIMD lanes here
 *
 * Shows how far it is on standard error if that is a terminal.
 */
json_t *bench_collect(const struct ctl *c);

/** bench_print - as text */
void bench_print(const json_t *results);

#endif
