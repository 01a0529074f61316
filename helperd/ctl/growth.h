/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_GROWTH_H
#define WAVECRYPT_CTL_GROWTH_H

#include <jansson.h>

/** growth - by how much a counter grew; what was reset counts from 0 */
static inline json_int_t growth(json_int_t before, json_int_t after)
{
	return after >= before ? after - before : after;
}

#endif
