/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_DEVICE_H
#define _WC_DEVICE_H

struct device;

int wc_device_register(void);
void wc_device_unregister(void);
struct device *wc_device(void);

#endif /* _WC_DEVICE_H */
