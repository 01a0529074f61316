#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Five million packets through a tunnel under KASAN and the other checkers, half of them
# with ESP's offload modules, while interfaces, devices, namespaces and SAs go and come
#
# check: first
# uml: 6.1-debug

exec "$(dirname "$0")/uml" --timeout 14000 6.1-debug \
	selftests/guest/stock.sh --packets 2500000
