/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's devices: what it says of them, and what kernel and driver add.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_SENSORS_H
#define WAVECRYPT_CTL_SENSORS_H

#include "ctl/ctl.h"

/**
 * sensors_ask - ask the daemon how it is
 * @c: where it is
 * @why: where to put why there is no answer
 *
 * A driver that hangs keeps whoever asks it waiting, which the daemon may not. So
 * drivers are asked here.
 *
 * Return: its answer to "status", with more of each of its "devices"; or NULL.
 */
json_t *sensors_ask(const struct ctl *c, const char **why);

/** sensors_print - devices, as text */
void sensors_print(const json_t *devices);

#endif
