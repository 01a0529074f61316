#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Tunnels whose packets PoCL encrypts and decrypts, brought there in the ways that
# selftests/guest/opencl.sh has no time for.
#
# make: pocl
# vm: --kernel 6.1 --timeout 1800

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"

ktap_begin
for way in copy persistent; do
	ktap_test "$way" "$top/selftests/guest/xfrm.sh" --backend opencl --mode "$way"
done
ktap_end
