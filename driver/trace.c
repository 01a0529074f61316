// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef __CHECKER__
#define CREATE_TRACE_POINTS
#include "trace.h"
#endif
