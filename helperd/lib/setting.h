/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What settings of several rooms have in common.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_LIB_SETTING_H
#define WAVECRYPT_LIB_SETTING_H

/** SETTING_TEXT - room for a text setting */
#define SETTING_TEXT	108

#endif
