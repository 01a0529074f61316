#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A bug of the kernel that only its checkers show, shown on the module without its
# protection: KASAN has to find it. (That it finds nothing with protection is what
# the suite stock shows.)
#
# uml: 7.2-debug

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# found HAZARD FUNCTION: KASAN's report on that has that function in it
found()
{
	local status=0
	"$here/uml" --logs "$logs/$1" --timeout 600 7.2-debug \
		selftests/guest/stock.sh --expose "$1" >"$logs/$1.out" 2>&1 || status=$?
	cat "$logs/$1.out"
	[ "$status" -ne 0 ]
	grep -A 80 'BUG: KASAN: .*use-after-free' "$logs/$1.out" | grep "$2"
}

ktap_begin
ktap_test "xmit-device: a device that is gone is sent by" found xmit-device xfrm_dev_resume
ktap_test "output-hook: netfilter is given a device that is gone" found output-hook nft_meta
ktap_test "input-tunnel: a tunnel that is gone is looked at" found input-tunnel vti_rcv_cb
ktap_end
