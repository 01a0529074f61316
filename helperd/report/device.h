/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the daemon tells of the device beside the lanes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_REPORT_DEVICE_H
#define WAVECRYPT_REPORT_DEVICE_H

#include <jansson.h>

struct device;

/**
 * report_device - a device, as JSON
 * @dev: the device
 * @workers: what report_worker() says of each worker
 */
json_t *report_device(struct device *dev, const json_t *workers);

#endif
