#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# More than a million random requests under KASAN, lockdep and the other checkers: 200,000
# for each test of selftests/guest/fuzz.sh that this kernel can have
#
# debs: source 6.1

exec "$(dirname "$0")/uml" --no-helper --test-modules 6.1-debug \
	selftests/guest/fuzz.sh --requests 200000
