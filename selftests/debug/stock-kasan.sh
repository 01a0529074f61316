#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The suite stock under KASAN and the other checkers, and with ESP in TCP
#
# debs: source 6.1

exec "$(dirname "$0")/uml" --test-modules 6.1-stock-debug selftests/guest/stock.sh
