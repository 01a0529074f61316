/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_VERSION_H
#define WAVECRYPT_VERSION_H

/** WAVECRYPT_VERSION - of the release: module, daemon, tool, packages */
#define WAVECRYPT_VERSION	"0.1"

#endif
