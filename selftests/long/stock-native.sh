#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# stock-million-7.2 (selftests/debug) with a hundred million packets, without checkers, at the
# machine's own speed
#
# uml: 7.2-full

exec "$(dirname "$0")/../debug/uml" --timeout 7000 7.2-full \
	selftests/guest/stock.sh --packets 50000000
