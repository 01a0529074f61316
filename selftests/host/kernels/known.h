/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Known answers.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef KERNELS_TEST_KNOWN_H
#define KERNELS_TEST_KNOWN_H

#include <stdbool.h>

#include "engine.h"
#include "vectors.h"

/** known_answer() - has an engine compute one, and undo it */
bool known_answer(struct engine *engine, const struct vector *v);

#endif
