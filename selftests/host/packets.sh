#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A minute of packets through tunnels, under KASAN and lockdep, half of them with ESP's
# offload modules, while interfaces, devices, namespaces and SAs go and come
#
# uml: 7.2-debug

set -euo pipefail

cd "$(dirname "$0")/../.."
exec selftests/debug/uml --timeout 800 7.2-debug selftests/guest/stock.sh --packets 45000
