/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "gpu": which GPUs there are, and what the daemon's unit allows for them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_GPU_H
#define WAVECRYPT_CTL_GPU_H

#include "ctl/ctl.h"

/** gpu_collect - what "gpu" says, and does: enable or disable a maker's drop-in */
json_t *gpu_collect(const struct ctl *c);

/** gpu_print - the same as text */
void gpu_print(const json_t *answer);

#endif
