/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Crews: which workers share their queues.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_CREWS_H
#define WAVECRYPT_DAEMON_CREWS_H

#include "daemon/placement.h"
#include "worker/crew.h"

/**
 * crews_make - a crew for each group of a placement
 *
 * Return: as many as there are groups, or NULL without memory.
 */
struct crew **crews_make(const struct placement *p);

/** crews_free - when their workers have gone; NULL is ignored */
void crews_free(struct crew **crews, const struct placement *p);

#endif
