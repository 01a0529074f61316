#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A million random requests under KASAN, lockdep and the other checkers: a
# fifth each with no helper, one in peace, and those that are stopped, replaced
# and killed all the time.
#
# debs: source 6.1

exec "$(dirname "$0")/uml" --no-helper --test-modules 6.1-debug \
	selftests/guest/fuzz.sh --requests 200000
