/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ROCm runtime, of which there is one for all GPUs of a process.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_HSA_RUNTIME_H
#define WAVECRYPT_BACKENDS_HSA_RUNTIME_H

#include <stdbool.h>

#include "backends/hsa/api.h"

/** hsa_runtime_start - for a session with a GPU; NULL, or why it cannot be used */
const char *hsa_runtime_start(void);

/**
 * hsa_runtime_stop - a session is over
 * @hung: its GPU does not come to an end: the runtime stays as it is, from now on
 */
void hsa_runtime_stop(bool hung);

/** hsa_runtime_fault - has this GPU touched memory that it must not, or been reset? */
bool hsa_runtime_fault(hsa_agent_t gpu);

/** hsa_runtime_forgive - it is being opened anew: what it has done is forgotten */
void hsa_runtime_forgive(hsa_agent_t gpu);

#endif
