/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The backends that there are, and choosing among them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_REGISTRY_H
#define WAVECRYPT_DAEMON_REGISTRY_H

#include "backends/backend.h"

struct config;

/** backends - every kind that was built in, preferred first, NULL at the end */
extern const struct backend_ops *const backends[];

/** backend_find - kind by name, or NULL */
const struct backend_ops *backend_find(const char *name);

/**
 * struct backend_choice - what workers work with
 * @lanes: the CPU's
 * @device: the device beside them, or NULL
 */
struct backend_choice {
	struct device *lanes;
	struct device *device;
};

/**
 * backend_choose - choose, as the configuration says, and probe
 *
 * A device that is not there now may be later: it is chosen nevertheless.
 *
 * Return: false, with a message logged, if this CPU is of no use.
 */
bool backend_choose(const struct config *config, struct backend_choice *choice);

/** backend_chosen - the device, or the lanes if they are alone */
static inline const struct device *
backend_chosen(const struct backend_choice *choice)
{
	return choice->device ? choice->device : choice->lanes;
}

#endif
