/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What NVIDIA's driver tells of a GPU, by its management library, if that is there.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_NVML_H
#define WAVECRYPT_CTL_NVML_H

#include <jansson.h>

/**
 * nvml_add - add what it tells
 * @device: to what is known of the GPU
 * @address: on the PCI bus
 */
void nvml_add(json_t *device, const char *address);

#endif
