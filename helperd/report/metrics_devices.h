/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Devices beside the lanes, as metrics.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_REPORT_METRICS_DEVICES_H
#define WAVECRYPT_REPORT_METRICS_DEVICES_H

#include <jansson.h>

/**
 * metrics_devices - add them
 * @metrics: to these
 * @devices: what report_device() says of each, and what there is besides; or NULL
 */
void metrics_devices(json_t *metrics, const json_t *devices);

#endif
