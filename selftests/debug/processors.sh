#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What survive does with several processors, one of which is added, under KASAN:
# User-Mode Linux, where it does the rest under KASAN, has none to add.
#
# vm: --kernel 6.1-kasan --spare-cpu --no-helper --no-self-tests --timeout 7000

exec "$(dirname "$0")/../guest/survive.sh" --kills 0
