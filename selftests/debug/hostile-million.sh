#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Ten million completions of a helper that lies, most of them after it was seen
# through, under the same checkers
#
# debs: source 6.1

exec "$(dirname "$0")/uml" --no-helper --test-modules 6.1-debug \
	selftests/guest/hostile.sh --completions 10000000
