/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_LIB_ARRAY_H
#define WAVECRYPT_LIB_ARRAY_H

/** ARRAY_SIZE - elements of an array; not of a pointer */
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#endif
