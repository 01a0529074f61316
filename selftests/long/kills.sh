#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A tunnel whose helper is killed a thousand times, and stopped and replaced a
# hundred times, at the machine's own speed
#
# uml: 6.1

exec "$(dirname "$0")/../debug/uml" --timeout 10000 --no-helper 6.1 selftests/guest/survive.sh --kills 1000
