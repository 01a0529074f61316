#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What survive does with several processors, under KASAN and preempted, which User-Mode
# Linux, where it does the rest under KASAN, is not. None is added: this kernel knows of
# none that come later.
#
# vm: --kernel 6.1-kasan --no-helper --no-self-tests --timeout 7000

exec "$(dirname "$0")/../guest/survive.sh" --kills 0
