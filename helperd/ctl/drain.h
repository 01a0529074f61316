/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_DRAIN_H
#define WAVECRYPT_CTL_DRAIN_H

#include "ctl/ctl.h"

/**
 * drain_collect - have the module offload nothing more, and wait for what it has
 * @c: where
 *
 * Return: an object: "drained", whether nothing is left, "why" not, the "mode"
 * that was before, and how many requests are "in_flight".
 */
json_t *drain_collect(const struct ctl *c);

/** drain_print - the same as text */
void drain_print(const json_t *answer);

/** resume_collect - undo that: an object of "resumed", "why" not, and "mode" */
json_t *resume_collect(const struct ctl *c);

/** resume_print - the same as text */
void resume_print(const json_t *answer);

/** drained - whether "drain" has been, and "resume" not yet */
bool drained(const struct ctl *c);

#endif
