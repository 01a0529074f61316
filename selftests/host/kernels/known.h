/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Known answers, as RFCs print them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef KERNELS_TEST_KNOWN_H
#define KERNELS_TEST_KNOWN_H

#include <stdbool.h>

#include "engine.h"

/** known_answers() - how many there are */
unsigned int known_answers(void);

/**
 * known_answer() - has an engine compute one, and undo it
 * @engine: the engine
 * @i: which
 * @name: where to put its name
 * @room: room for that
 */
bool known_answer(struct engine *engine, unsigned int i, char *name, size_t room);

#endif
